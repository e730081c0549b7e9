/* What a grid asks of its table, read from the key `table` and from the rows' own keys.
 * `sanlab help options table` prints the language. Everything is checked when it is read, and lives
 * in the arena.
 *
 * A table has lines, which are rows or, with `by`, rows that differ only in a factor, and columns
 * (column.h). A row that has no value of the factor is a line above the others, whose values are
 * printed once. With two axes, `by: [DOWN, ACROSS]`, the factor is ACROSS, lines are the values of
 * DOWN, and a section is what one row of the grid's file became.
 *
 * A printed value, of a paper or a quoted line, belongs to a column by the name that it has in the
 * table: "bleu", "gates.gate layer 3", "contrast.accuracy: NOUN". */
#pragma once

#include "core/config/scalar.h"
#include "results/stats/significance.h"
#include "results/table/column.h"
#include "experiments/grid/grid.h"

/* A file that a row names; its path is relative to the grid's. */
struct layout_file {
    const char *path; /* NULL: none */
    struct place place;
};
/* Returns the reason why a file of sentences cannot be scored, with its path; NULL if it can. Then
 * *lines is the number of its lines. Nothing dies: other rows of the table do not depend on it. */
const char *layout_file_problem(const char *path, int *lines, struct arena *arena);

/* A cell of the table. factor -1: of that line the cell with the same factor. */
struct layout_cell {
    int line, factor;
};

/* One line of the table (before transposing). */
struct layout_line {
    const char *name;    /* unique */
    const char *own;     /* what the only row of it is called in the grid; NULL: it has several */
    const char *label;   /* as the table shows it */
    const char *section; /* NULL: none */
    bool rule;
    const struct tree *entry;    /* the row as the grid's file has it; NULL: none */
    int *row;                    /* [factors] index into the grid's rows; -1: there is none */
    int *place;                  /* [factors] which of the row's places stands here */
    bool spans;                  /* has no value of the factor: `row` is the same for all of them */
    struct layout_cell baseline; /* what its cells are compared with */
    const struct tree *quote;    /* NULL: none */
    struct layout_file *hyp;     /* [factors] hypotheses of a row without a run */
    struct layout_file ref; /* and what they are scored against, when it is not the grid's text */
};

/* Printed values: of a paper, or of quoted lines. */
struct layout_values {
    int count;
    struct layout_value {
        const char *column;
        struct layout_cell cell; /* factor -1: any */
        const char *text;
        double number; /* NaN: it is none, as 0.4M or n/a */
    } * value;         /* [count] */
};

struct layout_paper {
    const char *metric, *data, *signature; /* metric NULL: no paper; the others may be NULL */
    bool comparable;
    int columns;
    struct column *column; /* [columns] of which it has values */
    int left_out;          /* values of rows that a sweep has changed */
};

struct layout_test {
    bool wanted;
    enum column_p p; /* which one sets the marks */
    struct significance_options options;
    int levels;
    double alpha[2];            /* [levels] descending */
    int holm, arrows;           /* 0 or 1 */
    struct layout_cell against; /* line -1: the baseline */
    int families;
    struct column *family; /* [families] */
    int apart; /* the last of these, columns without items, are a family of Holm's of their own */
};

enum layout_notes { LAYOUT_NOTES_NONE, LAYOUT_NOTES_SHORT, LAYOUT_NOTES_FULL };
#define LAYOUT_NOTES "false", "short", "full" /* as a grid names them */

struct layout {
    int lines;
    struct layout_line *line;
    const char *by;   /* NULL: one factor without a name */
    const char *down; /* with two axes: what the lines of a section are values of; else NULL */
    bool named;       /* `by` is an axis of the grid's own name */
    int factors;
    const char **factor, **heading; /* [factors] value and heading */
    int columns;
    struct column *column;
    int groups;
    struct column_group *group;
    int baselines;
    struct layout_cell *baseline; /* [baselines] lines ascend */
    bool transpose;
    enum { LAYOUT_BOLD_NONE, LAYOUT_BOLD_TESTED, LAYOUT_BOLD_BEST } bold; /* summary_bold.c */
    const char *names;                                                    /* NULL: left out */
    struct layout_test test;
    struct layout_paper paper;
    const char *caption;                   /* one sentence, the table's in LaTeX; NULL: none */
    struct texts notes;                    /* lines below all others */
    enum layout_notes notes_below;         /* which other lines stand there */
    struct layout_values of_paper, quoted; /* of the paper, and of quoted lines */
};

/* Fills the layout of `grid`, whose rows and words must be there already, from the map `table`.
 * NULL: parameters, bleu, and delta(bleu) when there are several rows. Dies at the place of
 * whatever is wrong in it. */
const struct layout *layout_read(const struct tree *table, struct grid *grid, struct arena *arena);
void layout_help(FILE *out); /* its keys and those of its columns, for --help */
/* Finds the group of a mean(GROUP) among those of the table, or else of the grid's own words; dies
 * at its place when there is none. */
void layout_find_group(struct column *column, const struct layout *layout,
                       const struct grid_words *words, struct arena *arena);
/* Dies when a column has a kind, part, control, axis or option that the grid has not. */
void layout_check_column(const struct column *column, const struct grid *grid, struct arena *arena);
/* Names the view in the header of a column KIND.PART, or of a mean of such columns, where some row
 * has the part in several views. Dies where such a row lacks the view that the column means. */
void layout_find_view(struct column *column, const struct grid *grid, struct arena *arena);

/* The value of a column at a cell, or NULL. */
const struct layout_value *layout_find(const struct layout_values *values, const char *column,
                                       struct layout_cell cell);
/* Every cell, line by line:
 *     for (struct layout_cell at = {0}; layout_next(layout, &at); at.factor++) .. */
static inline bool layout_next(const struct layout *layout, struct layout_cell *at)
{
    if (at->factor == layout->factors) *at = (struct layout_cell){at->line + 1, 0};
    return at->line < layout->lines;
}
/* Its index in that order, and its row; -1: it has none. */
static inline int layout_index(const struct layout *layout, struct layout_cell cell)
{
    return cell.line * layout->factors + cell.factor;
}
static inline int layout_row(const struct layout *layout, struct layout_cell cell)
{
    return layout->line[cell.line].row[cell.factor];
}
/* True if a cell repeats that of its line's first factor. It is neither printed nor counted. */
static inline bool layout_repeats(const struct layout *layout, struct layout_cell cell)
{
    return layout->line[cell.line].spans && cell.factor > 0;
}
/* The cell that a line's cell of that factor has in place of `cell`, whose factor may be -1. */
static inline struct layout_cell layout_cell_at(struct layout_cell cell, int factor)
{
    return (struct layout_cell){cell.line, cell.factor < 0 ? factor : cell.factor};
}
static inline bool layout_same_cell(const struct layout *layout, struct layout_cell a,
                                    struct layout_cell b)
{
    return a.line == b.line && (a.factor == b.factor || layout->line[a.line].spans);
}
/* "gate", or of one cell "gate, window 1". */
const char *layout_cell_name(const struct layout *layout, const struct grid *grid,
                             struct layout_cell cell);
/* The text of an option of a row: of its factors, of what it says, of all its options, of the
 * defaults, or of what its lists have under a path such as encoder.attention.window; or NULL. */
const char *layout_option(const struct grid *grid, const struct grid_row *row, const char *key,
                          struct arena *arena);
/* The options that are other than their defaults beside what a row sets: of train.steps epochs are
 * 0. NULL: none are. */
const struct tree *layout_beside(const struct grid *grid, const struct grid_row *row,
                                 struct arena *arena);
/* The value of an option that a row does not set: what stands beside those that it sets, or else
 * the default; NULL: none is known. */
const struct tree *layout_default(const struct grid *grid, const struct grid_row *row,
                                  const char *key, struct arena *arena);
/* Whether a row's options, or their defaults, lead along the path, through every entry of lists on
 * the way. */
bool layout_has(const struct grid *grid, const struct grid_row *row, const char *path,
                struct arena *arena);
