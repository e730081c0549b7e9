/* The parts that read a layout together, each below those that call it; only they include this. */
#pragma once

#include "results/table/layout.h"

/* layout_words.c: whether a factor's key is an option or a section of options, not an axis of the
 * grid's own. */
bool layout_is_option(const struct grid *grid, const char *key);
/* Dies when no option begins like that (has: what follows it is a path in its value), and when a
 * column, wherever the grid names it, has a kind, part or option that the grid has not. */
void layout_check_option(struct place place, const char *what, const char *path, bool has,
                         const struct grid *grid, struct arena *arena);
/* A column of a list; "window", where that is an axis of the grid's own, is option(window). */
const struct tree *layout_axis_column(const struct tree *item, const struct grid *grid,
                                      struct arena *arena);
void layout_check_words(const struct layout *layout, const struct grid *grid, struct arena *arena);

/* layout_arrange.c: fills lines and factors. `by` is the value of table.by, or NULL. */
void layout_arrange(const struct tree *by, const struct grid *grid, struct layout *layout,
                    struct arena *arena);

/* layout_lines.c: true for a row that is trained here, false for a quoted one or a file. */
bool layout_row_runs(const struct grid_row *row);
/* The index of a text in a list whose items may be NULL; -1: it is not there. */
int layout_find_text(const char *const *text, int count, const char *wanted);
/* The index of the factor that a scalar names by its value or heading; dies with the nearest. */
int layout_read_factor(const struct tree *scalar, const struct layout *layout, struct arena *arena);
/* The index of the line that a scalar names; dies with the nearest one, but where
 * the command line has changed the rows (-1). */
int layout_read_line(const struct tree *scalar, const struct layout *layout,
                     const struct grid *grid, struct arena *arena);
/* The same, or the one cell of a line whose row has that name. */
struct layout_cell layout_read_cell(const struct tree *scalar, const struct layout *layout,
                                    const struct grid *grid, struct arena *arena);
/* Whether a row's name is one that sweeps have made several rows of. */
bool layout_name_is_swept(const char *name, const struct layout *layout, const struct grid *grid);
/* The baselines, and which of them each line has; `baseline` may be NULL. */
void layout_read_baseline(const struct tree *baseline, struct layout *layout,
                          const struct grid *grid, struct arena *arena);

/* layout_test.c: what is compared, and how; `map` may be NULL. */
void layout_read_test(const struct tree *map, struct layout *layout, const struct grid *grid,
                      struct arena *arena);
void layout_help_test(FILE *out);

/* layout_values.c: the text of a key of a map; NULL: it does not have the key, or there is no
 * map. */
const char *layout_text(const struct tree *map, const char *key);
/* What the paper says (`paper` may be NULL), and what lines quote. */
void layout_read_paper(const struct tree *paper, struct layout *layout, const struct grid *grid,
                       struct arena *arena);
void layout_read_quotes(struct layout *layout, struct arena *arena);
