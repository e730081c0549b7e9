/* Declares the functions that only layout_*.c files use. */
#pragma once

#include "results/table/layout.h"

/* layout_words.c: exits with an error unless `path` is an axis of the grid, an option, a section of
 * options, or a path below an option. In the last case, a row must have a value at the path, or
 * `has` must be true. `has`: the path comes from has(PATH). */
void layout_check_option(struct location location, const char *what, const char *path, bool has,
                         const struct grid *grid, struct arena *arena);
/* Returns a column as the grid has written it. If its name is an axis, "$window" or "window",
 * returns a copy with the name option(window). Exits with an error if no row has the axis after
 * "$". */
const struct tree *layout_axis_column(const struct tree *item, const struct grid *grid,
                                      struct arena *arena);
/* Exits with an error if a column has a kind, part or option that the grid lacks. Checks the
 * columns of the table, of its groups and of the paper. Also adds views to the headers
 * (layout_find_view). */
void layout_check_words(const struct layout *layout, const struct grid *grid, struct arena *arena);

/* layout_arrange.c: fills lines and coordinates. `by` is the value of table.by, or NULL. */
void layout_arrange(const struct tree *by, const struct grid *grid, struct layout *layout,
                    struct arena *arena);

/* layout_lines.c: true for a row with runs, false for a quoted row or a row with a file of
 * hypotheses. */
bool layout_row_runs(const struct grid_row *row);
/* Returns the index of a text in a list whose items may be NULL; -1: none. */
int layout_find_text(const char *const *text, int count, const char *wanted);
/* Returns the index of the coordinate with that value or heading. If there is none, exits with an
 * error that contains the nearest heading. */
int layout_read_coordinate(const struct tree *scalar, const struct layout *layout,
                           struct arena *arena);
/* Returns the cell that a name means. The name of a line means the line (coordinate -1). The name
 * of one row among several in its line means the cell of this row. Line LAYOUT_SWEPT: sweeps have
 * made several rows from the row that had the name. Line -1: there is no such row. */
enum { LAYOUT_SWEPT = -2 };
struct layout_cell layout_named(const char *name, const struct layout *layout,
                                const struct grid *grid);
/* The same for a scalar, or the item `at` of a list. Exits with an error that has the nearest name
 * if the name means no cell. Returns line -1 if only the command line has removed the row. */
struct layout_cell layout_read_cell(const struct tree *name, int at, const struct layout *layout,
                                    const struct grid *grid, struct arena *arena);
/* Makes each line its own baseline, so that nothing is compared. `unselected` is the row with which
 * they would be compared, if the command line has not selected it; else NULL. */
void layout_compare_nothing(struct layout *layout, const char *unselected);
/* Sets the baselines, and the baseline of each line; `baseline` may be NULL. */
void layout_read_baseline(const struct tree *baseline, struct layout *layout,
                          const struct grid *grid, struct arena *arena);

/* layout_significance.c: reads which columns are compared, and by which test; `map` may be NULL. */
void layout_read_test(const struct tree *map, struct layout *layout, const struct grid *grid,
                      struct arena *arena);
void layout_help_test(FILE *out);

/* layout_values.c: returns the text of a key of a map; NULL: no such key, or no map. */
const char *layout_text(const struct tree *map, const char *key);
/* Read the values of the paper (`paper` may be NULL), and the values of quoted lines. */
void layout_read_paper(const struct tree *paper, struct layout *layout, const struct grid *grid,
                       struct arena *arena);
void layout_read_quotes(struct layout *layout, struct arena *arena);
