/* Private interface of the layout_*.c files, each of which uses only the files below it. */
#pragma once

#include "results/table/layout.h"

/* layout_words.c: true if a coordinate's key is an option or a section of options, not an axis of
 * the grid. */
bool layout_is_option(const struct grid *grid, const char *key);
/* layout_check_option exits with an error if no option has that path as prefix (has: the path may
 * continue within the option's value). layout_check_words exits with an error if a column, anywhere
 * in the grid, has a kind, part or option that the grid lacks. */
void layout_check_option(struct location location, const char *what, const char *path, bool has,
                         const struct grid *grid, struct arena *arena);
/* Reads a column of a list; "window" is option(window) if it is an axis of the grid. */
const struct tree *layout_axis_column(const struct tree *item, const struct grid *grid,
                                      struct arena *arena);
void layout_check_words(const struct layout *layout, const struct grid *grid, struct arena *arena);

/* layout_arrange.c: fills lines and coordinates. `by` is the value of table.by, or NULL. */
void layout_arrange(const struct tree *by, const struct grid *grid, struct layout *layout,
                    struct arena *arena);

/* layout_lines.c: true for a row that is trained here, false for a quoted row or a file. */
bool layout_row_runs(const struct grid_row *row);
/* Returns the index of a text in a list whose items may be NULL; -1: none. */
int layout_find_text(const char *const *text, int count, const char *wanted);
/* Returns the index of the coordinate with that value or heading. Exits with an error, and the
 * nearest one, if there is none. */
int layout_read_coordinate(const struct tree *scalar, const struct layout *layout,
                           struct arena *arena);
/* Returns the index of the line of that name. Exits with an error, and the nearest one, if there is
 * none; -1 if the command line has changed the rows. */
int layout_read_line(const struct tree *scalar, const struct layout *layout,
                     const struct grid *grid, struct arena *arena);
/* Returns the line as layout_read_line, or the single cell whose row has that name. */
struct layout_cell layout_read_cell(const struct tree *scalar, const struct layout *layout,
                                    const struct grid *grid, struct arena *arena);
/* True if sweeps have made several rows of a row with this name. */
bool layout_name_is_swept(const char *name, const struct layout *layout, const struct grid *grid);
/* Sets the baselines, and the baseline of each line; `baseline` may be NULL. */
void layout_read_baseline(const struct tree *baseline, struct layout *layout,
                          const struct grid *grid, struct arena *arena);

/* layout_significance.c: reads what is compared, and how; `map` may be NULL. */
void layout_read_test(const struct tree *map, struct layout *layout, const struct grid *grid,
                      struct arena *arena);
void layout_help_test(FILE *out);

/* layout_values.c: returns the text of a key of a map; NULL: no such key, or no map. */
const char *layout_text(const struct tree *map, const char *key);
/* Read the values of the paper (`paper` may be NULL), and the values of quoted lines. */
void layout_read_paper(const struct tree *paper, struct layout *layout, const struct grid *grid,
                       struct arena *arena);
void layout_read_quotes(struct layout *layout, struct arena *arena);
