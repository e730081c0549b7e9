/* Reads the layout of a grid's table from the key `table` and from keys of its rows. `sanlab help
 * options table` lists the keys of `table`. layout_read makes all checks. The layout lives in the
 * arena.
 *
 * A table has lines and columns (column.h). Without the key `by`, each row of the grid has a line.
 * With `by: AXIS`, rows that differ only in their coordinate on this axis share a line. A row
 * without a coordinate on the axis has a line above the others, with its values at each coordinate.
 * With two axes, `by: [DOWN, ACROSS]`, the rows of a line differ only in the coordinate on ACROSS.
 * Each coordinate on DOWN has a line. A section has the rows that differ only on these two axes.
 *
 * The grid assigns values of a paper or of a quoted line to columns. The key of a value is the name
 * of its column in the table: "bleu", "gates.gate layer 3", "contrast.accuracy: NOUN". */
#pragma once

#include "core/config/scalar.h"
#include "results/stats/significance.h"
#include "results/table/column.h"
#include "experiments/grid/grid.h"

/* A file that a row names. In the grid, its path is relative to the folder of the grid's file. */
struct layout_file {
    const char *path; /* NULL: none */
    struct location location;
};
/* Returns the reason why a file of sentences cannot be scored, with its path; NULL if it can. Does
 * not exit, because other rows of the table do not need the file. */
const char *layout_file_problem(const char *path, struct arena *arena);

/* A cell of the table. If the coordinate of a baseline is -1, a cell is compared with the cell of
 * the baseline's line at the same coordinate. */
struct layout_cell {
    int line, coordinate;
};

/* One line of the table (before transposing). */
struct layout_line {
    const char *name;    /* unique */
    const char *own;     /* name of the only row of this line in the grid; NULL: several rows */
    const char *label;   /* printed name */
    const char *section; /* NULL: none */
    bool rule;
    const struct tree *entry; /* the row in the grid's file; NULL: none */
    int *row;                 /* [coordinates] index into the grid's rows; -1: none */
    int *place;               /* [coordinates] index of the row's point in this cell */
    bool spans; /* the line has no coordinate on the axis: `row` is equal for all coordinates */
    struct layout_cell baseline; /* cell with which the cells of this line are compared */
    const struct tree *quote;    /* NULL: none */
    struct layout_file *hyp;     /* [coordinates] file of hypotheses of a row without a run */
    struct layout_file ref;      /* references of these hypotheses, if they are not the grid's test
                                    set */
};

/* Values that others have printed: in a paper, or in the sources of quoted lines. */
struct layout_values {
    int count;
    struct layout_value {
        const char *column;
        struct layout_cell cell; /* coordinate -1: every coordinate */
        const char *text;
    } * value; /* [count] */
};

struct layout_paper {
    const char *metric, *data; /* metric NULL: no paper; data may be NULL */
    int columns;
    struct column *column; /* [columns] columns that have values of the paper */
    int left_out;          /* number of values that are omitted, because a sweep has replaced their
                              rows */
};

struct layout_significance {
    bool wanted;
    enum column_p p; /* the p that sets the marks with one seed */
    struct significance_options options;
    int levels;
    double alpha[2];            /* [levels] descending */
    int holm, arrows;           /* 0 or 1 */
    struct layout_cell against; /* cell with which all cells are compared; line -1: the baseline of
                                   each line */
    int families;
    struct column *family; /* [families] columns that are compared */
    int apart; /* number of the trailing columns of `family` that have no items. They have a
                  separate Holm correction */
};

enum layout_notes { LAYOUT_NOTES_NONE, LAYOUT_NOTES_SHORT, LAYOUT_NOTES_FULL };
#define LAYOUT_NOTES "false", "short", "full" /* names of the values in a grid */

enum layout_means { LAYOUT_MEANS_ABOVE, LAYOUT_MEANS_ALL };

struct layout {
    int lines;
    struct layout_line *line;
    const char *by;   /* axis across the table; NULL: one coordinate without a name */
    const char *down; /* with two axes: the axis of the lines of a section; else NULL */
    bool named;       /* the headings of coordinates name the axis: "window 3" */
    bool plain; /* `by` is ignored (struct grid_words). Printed values and files that the grid gives
                   by coordinate are ignored, too */
    int coordinates;
    const char **coordinate, **heading; /* [coordinates] the coordinates, and their headings */
    int columns;
    struct column *column;
    int groups;
    struct column *group; /* [groups] the groups, as columns mean(GROUP), of the table and of
                             grid->words. Adjacent columns of a group with `item` have a heading */
    int baselines;
    struct layout_cell *baseline; /* [baselines] sorted by line */
    const char *unselected;       /* baseline that the command line has not selected; NULL: none */
    bool transpose;
    enum { LAYOUT_BOLD_NONE, LAYOUT_BOLD_TESTED, LAYOUT_BOLD_BEST } bold; /* summary_bold.c */
    const char *names;                                                    /* heading; NULL: none */
    struct layout_significance test;
    struct layout_paper paper;
    const char *caption;           /* one sentence, LaTeX's \caption; NULL: none */
    struct texts notes;            /* lines of text below all other notes */
    enum layout_notes notes_below; /* selects the other notes */
    enum layout_means means;       /* tasks of mean(GROUP): those above their controls, or all */
    struct layout_values of_paper, quoted; /* values of the paper, and of quoted lines */
};

/* Reads grid->layout from the map `table`, and returns it. Requires grid->row and grid->words. If
 * `table` is NULL, the columns are parameters, bleu, and delta(bleu) if there are several lines.
 * Exits with an error at the location of an invalid value. */
const struct layout *layout_read(const struct tree *table, struct grid *grid, struct arena *arena);
void layout_help(FILE *out); /* prints the keys of `table` and of its columns, for --help */
/* If the column contains mean(GROUP), gives the mean the columns of the group. Exits with an error
 * at the column's location if there is no such group. */
void layout_find_group(struct column *column, const struct layout *layout, struct arena *arena);
/* Exits with an error if a column has a kind, part, control, axis or option that the grid lacks. */
void layout_check_column(const struct column *column, const struct grid *grid, struct arena *arena);
/* Adds the view to the header of a column KIND.PART if a row has several views of the part. Does
 * the same for a mean of columns KIND.PART. Exits with an error if such a row lacks the main view,
 * the first of offer.views. */
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
/* Return the index of a cell in that order, and the index of its row (-1: none). */
static inline int layout_index(const struct layout *layout, struct layout_cell cell)
{
    return cell.line * layout->coordinates + cell.coordinate;
}
static inline int layout_row(const struct layout *layout, struct layout_cell cell)
{
    return layout->line[cell.line].row[cell.coordinate];
}
/* True if a cell repeats the cell at the first coordinate of its line. Repeated cells are printed,
 * but not counted. */
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
/* Returns the name of the row in a cell, "gate, window 1". If there is no row or the coordinate is
 * -1, returns the name of the line, "gate". */
const char *layout_cell_name(const struct layout *layout, const struct grid *grid,
                             struct layout_cell cell);
/* Returns the text of an option of a row; NULL: none. Searches in this order: the row's
 * coordinates, its entry in the grid's file, its merged options, the defaults. If none has it, and
 * the path leads through lists, as encoder.attention.window does, joins the values in all elements
 * of the lists. */
const char *layout_option(const struct grid *grid, const struct grid_row *row, const char *key,
                          struct arena *arena);
/* Returns the defaults that change because of options that a row sets; NULL: none. Example: if a
 * row sets train.steps, the default of the epochs is 0. */
const struct tree *layout_beside(const struct grid *grid, const struct grid_row *row,
                                 struct arena *arena);
/* Returns the value of an option that a row does not set: from layout_beside, or else the default;
 * NULL: unknown. */
const struct tree *layout_default(const struct grid *grid, const struct grid_row *row,
                                  const char *key, struct arena *arena);
/* True if the options of a row have the path, as in has(PATH). For an option that the row does not
 * set, its default is searched. A list has the path if any of its elements has it. */
bool layout_has(const struct grid *grid, const struct grid_row *row, const char *path,
                struct arena *arena);
