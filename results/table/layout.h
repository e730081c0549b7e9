/* The layout of a grid's table, read from the key `table` and from the rows' own keys. `sanlab help
 * options table` prints the language. All checks are made while reading. Everything lives in the
 * arena.
 *
 * A table has lines and columns (column.h). A line is a row or, with `by`, several rows that differ
 * only in a coordinate. A row without a coordinate on the axis is a line above the others, whose
 * values are printed once. With two axes, `by: [DOWN, ACROSS]`, the axis is ACROSS, lines are the
 * coordinates of DOWN, and a section has the rows that a sweep made of one row of the grid's file.
 *
 * A printed value, of a paper or a quoted line, belongs to a column by the column's name in the
 * table: "bleu", "gates.gate layer 3", "contrast.accuracy: NOUN". */
#pragma once

#include "core/config/scalar.h"
#include "results/stats/significance.h"
#include "results/table/column.h"
#include "experiments/grid/grid.h"

/* A file named by a row; its path is relative to the grid's. */
struct layout_file {
    const char *path; /* NULL: none */
    struct location location;
};
/* Returns the reason why a file of sentences cannot be scored, with its path; NULL if it can.
 * *lines is then its number of lines. Does not exit, because other rows of the table do not need
 * the file. */
const char *layout_file_problem(const char *path, int *lines, struct arena *arena);

/* A cell of the table. coordinate -1: the cell of that line with the same coordinate. */
struct layout_cell {
    int line, coordinate;
};

/* One line of the table (before transposing). */
struct layout_line {
    const char *name;    /* unique */
    const char *own;     /* name of its only row in the grid; NULL: several rows */
    const char *label;   /* as printed */
    const char *section; /* NULL: none */
    bool rule;
    const struct tree *entry; /* the row in the grid's file; NULL: none */
    int *row;                 /* [coordinates] index into the grid's rows; -1: none */
    int *place;               /* [coordinates] index of the row's point in this cell */
    bool spans; /* has no coordinate on the axis: `row` is equal for all coordinates */
    struct layout_cell baseline; /* the cell with which its cells are compared */
    const struct tree *quote;    /* NULL: none */
    struct layout_file *hyp;     /* [coordinates] hypotheses of a row without a run */
    struct layout_file ref;      /* its references, if other than the grid's text */
};

/* Printed values: of a paper, or of quoted lines. */
struct layout_values {
    int count;
    struct layout_value {
        const char *column;
        struct layout_cell cell; /* coordinate -1: any */
        const char *text;
        double number; /* NaN: no exact number, such as 0.4M or n/a */
    } * value;         /* [count] */
};

struct layout_paper {
    const char *metric, *data, *signature; /* metric NULL: no paper; the others may be NULL */
    bool comparable;
    int columns;
    struct column *column; /* [columns] with values of the paper */
    int left_out;          /* number of values of rows that a sweep has replaced */
};

struct layout_significance {
    bool wanted;
    enum column_p p; /* the p of the marks */
    struct significance_options options;
    int levels;
    double alpha[2];            /* [levels] descending */
    int holm, arrows;           /* 0 or 1 */
    struct layout_cell against; /* line -1: the baseline */
    int families;
    struct column *family; /* [families] */
    int apart; /* number of the last families, columns without items, with a Holm correction of
                  their own */
};

enum layout_notes { LAYOUT_NOTES_NONE, LAYOUT_NOTES_SHORT, LAYOUT_NOTES_FULL };
#define LAYOUT_NOTES "false", "short", "full" /* names in a grid */

struct layout {
    int lines;
    struct layout_line *line;
    const char *by;   /* NULL: one coordinate without a name */
    const char *down; /* with two axes: the axis of the lines of a section; else NULL */
    bool named;       /* `by` is an axis named by the grid */
    bool plain; /* `by` is ignored (struct grid_words), and so are printed values and files that
                         the grid gives by coordinate */
    int coordinates;
    const char **coordinate, **heading; /* [coordinates] coordinate and heading */
    int columns;
    struct column *column;
    int groups;
    struct column *group; /* [groups] mean(GROUP), for headings over columns */
    int baselines;
    struct layout_cell *baseline; /* [baselines] lines ascending */
    bool transpose;
    enum { LAYOUT_BOLD_NONE, LAYOUT_BOLD_TESTED, LAYOUT_BOLD_BEST } bold; /* summary_bold.c */
    const char *names;                                                    /* NULL: omitted */
    struct layout_significance test;
    struct layout_paper paper;
    const char *caption;                   /* one sentence, LaTeX's \caption; NULL: none */
    struct texts notes;                    /* lines below all others */
    enum layout_notes notes_below;         /* which other lines are printed below */
    struct layout_values of_paper, quoted; /* of the paper, and of quoted lines */
};

/* Fills the layout of `grid` from the map `table`. Requires the grid's rows and words. NULL:
 * parameters, bleu, and delta(bleu) if there are several rows. Exits with an error at the location
 * of an invalid value. */
const struct layout *layout_read(const struct tree *table, struct grid *grid, struct arena *arena);
void layout_help(FILE *out); /* prints its keys and those of its columns, for --help */
/* Finds the group of a mean(GROUP) in the table, or else in the grid's own words. Exits with an
 * error at its location if there is none. */
void layout_find_group(struct column *column, const struct layout *layout,
                       const struct grid_words *words, struct arena *arena);
/* Exits with an error if a column has a kind, part, control, axis or option that the grid lacks. */
void layout_check_column(const struct column *column, const struct grid *grid, struct arena *arena);
/* Adds the view to the header of a column KIND.PART, or of a mean of such columns, if a row has the
 * part in several views. Exits with an error if such a row lacks the view of the column. */
void layout_find_view(struct column *column, const struct grid *grid, struct arena *arena);

/* Returns the value of a column at a cell; NULL: none. */
const struct layout_value *layout_find(const struct layout_values *values, const char *column,
                                       struct layout_cell cell);
/* Iterates over every cell, line by line: for (struct layout_cell at = {0}; layout_next(layout,
 * &at); at.coordinate++) .. */
static inline bool layout_next(const struct layout *layout, struct layout_cell *at)
{
    if (at->coordinate == layout->coordinates) *at = (struct layout_cell){at->line + 1, 0};
    return at->line < layout->lines;
}
/* The index of a cell in that order; and its row, -1: none. */
static inline int layout_index(const struct layout *layout, struct layout_cell cell)
{
    return cell.line * layout->coordinates + cell.coordinate;
}
static inline int layout_row(const struct layout *layout, struct layout_cell cell)
{
    return layout->line[cell.line].row[cell.coordinate];
}
/* True if a cell repeats that of its line's first coordinate. Such cells are neither printed nor
 * counted. */
static inline bool layout_repeats(const struct layout *layout, struct layout_cell cell)
{
    return layout->line[cell.line].spans && cell.coordinate > 0;
}
/* Resolves a cell whose coordinate may be -1 to the given coordinate. */
static inline struct layout_cell layout_cell_at(struct layout_cell cell, int coordinate)
{
    return (struct layout_cell){cell.line, cell.coordinate < 0 ? coordinate : cell.coordinate};
}
static inline bool layout_same_cell(const struct layout *layout, struct layout_cell a,
                                    struct layout_cell b)
{
    return a.line == b.line && (a.coordinate == b.coordinate || layout->line[a.line].spans);
}
/* "gate", or for a single cell "gate, window 1". */
const char *layout_cell_name(const struct layout *layout, const struct grid *grid,
                             struct layout_cell cell);
/* Returns the text of an option of a row, from its coordinates, its entry, all its options, the
 * defaults, or the elements of its lists under a path such as encoder.attention.window; NULL:
 * none. */
const char *layout_option(const struct grid *grid, const struct grid_row *row, const char *key,
                          struct arena *arena);
/* Returns the options that change from their defaults because of the options that a row sets: with
 * train.steps, epochs are 0. NULL: none. */
const struct tree *layout_beside(const struct grid *grid, const struct grid_row *row,
                                 struct arena *arena);
/* Returns the value of an option that a row does not set: from layout_beside, or else the default;
 * NULL: unknown. */
const struct tree *layout_default(const struct grid *grid, const struct grid_row *row,
                                  const char *key, struct arena *arena);
/* True if a row's options, or their defaults, have the path. A list on the path matches if any
 * element does. */
bool layout_has(const struct grid *grid, const struct grid_row *row, const char *path,
                struct arena *arena);
