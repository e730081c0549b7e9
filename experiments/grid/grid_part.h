/* Internal interface of the files that read a grid (grid.h). Only these files include it.
 *
 *   grid_find.c     finds the file of a name
 *   grid_file.c     merges a file with its base; presets
 *   grid_typed.c    arguments of the command line: assignments and removals
 *   grid_axis.c     sweep and zip: axes, their keys and values
 *   grid_name.c     $name in values
 *   grid_written.c  rows as written
 *   grid_rows.c     combines rows with axes, and merges the options of each row
 *   grid_keep.c     where and --only
 *   grid_words.c    lists the words that tables and figures may use
 *   grid_check.c    checks by the kinds of stages
 *   tune.c          trials of tuned rows (tune.h) */
#pragma once

#include "experiments/grid/settings.h"

struct grid; /* grid.h */
struct grid_row;
struct grid_coordinate;

/* Calls a function about a row, which may die. If the row is not selected (grid->only), an error
 * makes it a row without a run. */
void grid_row_try(struct grid *grid, int row, void (*act)(void *context), void *context);

enum { GRID_SEEDS = 1000, GRID_ROWS = 10000, GRID_POINTS = 20000 };

/* ---- grid_file.c ---- */

/* Returns a copy of a map in one form: a dotted key becomes nested maps, and "model: small" becomes
 * {model: {preset: small}}. Both may be for one section: {model: small, model.dropout: 0}. */
struct tree *grid_normalize(struct arena *arena, const struct tree *map);
/* Returns a map with only the sections of options of `map`. */
struct tree *grid_options_of(struct arena *arena, const struct tree *map);

enum { GRID_APART = 9 };
struct grid_file {
    const struct tree *head; /* all other keys, normalized: grid, title, seeds, .. and the
                                options */
    /* Values as written, or NULL. They are not normalized, because names in them may contain
     * dots. */
    union {
        struct {
            const struct tree *rows, *sweep, *zip, *where;
            const struct tree *tune, *table, *learned, *claims, *figures;
        };
        const struct tree *apart[GRID_APART]; /* the same values as an array, in the same order */
    };
};
/* document: content of the file document->location.file */
struct grid_file grid_file_read(struct arena *arena, const struct tree *document);

/* Cache of presets: reads each file once. */
struct grid_presets {
    struct arena *arena;
    const char *grid; /* path of the grid's file: paths of presets in arguments of the command line
                         are relative to it */
    struct grid_preset_read *read;
};
/* Returns the options of the presets, overridden by `options`. The names of presets remain at
 * {model: {preset: ..}}. The result lives in `arena`. */
const struct tree *grid_lay_presets(struct grid_presets *presets, struct arena *arena,
                                    const struct tree *options);
/* Returns the options without the names of presets. Exception: the name of the recipe remains, for
 * display, as {recipe: NAME}. */
const struct tree *grid_drop_presets(struct arena *arena, const struct tree *options);
/* True if a path names a preset: "model.preset". */
bool grid_is_preset(const char *path);
/* True if a word is a key of a grid's file but not a section of options: "seeds". */
bool grid_is_key(const char *word);

/* ---- grid_typed.c ---- */

/* An argument of the command line: "train.rate=2" or "~train.rate". */
struct grid_typed_word {
    struct location location;
    const char *path;
    const struct tree *value; /* NULL: "~path" */
    bool several;             /* `value` is a list of values to sweep */
    bool used;
};

struct grid_typed {
    int count;
    struct grid_typed_word *word; /* [count] arguments with different paths */
    struct texts axes;            /* named axes of the file (grid_axis_names) */
};
struct grid_typed grid_typed_read(struct arena *arena, const struct grid_file *file,
                                  const char *const *word, int words);
/* True if an argument has become an axis of the rows, or has removed an option or an axis. */
bool grid_typed_varies(const struct grid_typed *typed);
/* Returns the table with the keys that the command line sets, and without those that it removes.
 * The argument `table` is NULL if the file has none. */
const struct tree *grid_typed_table(struct arena *arena, const struct grid_typed *typed,
                                    const struct tree *table);
/* Returns the argument with this path; NULL if there is none. */
struct grid_typed_word *grid_typed_find(const struct grid_typed *typed, const char *path);
/* Returns the options that the command line sets to one value and that no axis varies. */
const struct tree *grid_typed_options(struct arena *arena, const struct grid_typed *typed);
/* Returns the options whose last word is `word`, "train.epochs, .."; NULL if there are none. */
const char *grid_options_called(struct arena *arena, const char *word);
/* Dies if an argument removes an option that no row sets. */
void grid_typed_check(const struct grid_typed *typed);

/* Returns the list of the arguments of "name(a, b)", without blanks around them; NULL if the text
 * has not this form. */
struct tree *grid_arguments(struct arena *arena, struct location location, const char *text);
/* Returns the list of the numbers of "range(first, end, step)", without the end; NULL if the text
 * is no range. Dies with the location if the range is invalid. */
struct tree *grid_range(struct arena *arena, struct location location, const char *text);
/* Splits a text at its commas outside of brackets and quotes. Returns the list of parts; NULL if
 * there is no such comma. */
struct tree *grid_split(struct arena *arena, struct location location, const char *text);

/* ---- grid_axis.c ---- */

/* An axis: one key of a sweep, or several keys of a zip that change together. */
struct grid_axis {
    struct location location;
    int count; /* number of values of each key */
};

/* A key of an axis: an option ("encoder.layers", "model"), or a name that values use ($window). */
struct grid_key {
    struct location location;
    int axis;
    bool named;
    const char *key;           /* name of a named axis, or whole path of an option */
    const char *short_key;     /* shortest suffix that no other key of the axes has */
    const char **label;        /* [count of the axis] labels of the values */
    const struct tree **value; /* [count of the axis] values; of an option as a map:
                                  {encoder: {layers: 6}} */
};

struct grid_axes {
    int count, keys;
    struct grid_axis *axis; /* [count] the last axis varies fastest */
    struct grid_key *key;   /* [keys] in the order of their axes */
};
/* Reads the axes. sweep and zip may be NULL. An argument of the command line replaces or removes
 * the axis with the same key. An argument with several values for another key adds an axis. These
 * arguments are marked as used. */
struct grid_axes grid_axes_read(struct arena *arena, const struct tree *sweep,
                                const struct tree *zip, const struct grid_typed *typed);

/* Returns the names of the named axes of a file, with their locations; NULL-terminated. */
struct texts grid_axis_names(struct arena *arena, const struct grid_file *file);

/* ---- grid_name.c ---- */

/* True if a word has only letters, digits and _, and does not start with a digit. */
bool grid_name_valid(const char *word);
/* Sets used[k] for each named key k that a tree uses as $name, or that a value of such a key uses.
 * Dies at a $name that is no named axis. */
void grid_names_used(const struct tree *tree, const struct grid_axes *axes, bool *used);
/* Dies if the values of a key use the key itself, directly or through other keys. */
void grid_names_check(struct arena *arena, const struct grid_axes *axes);
/* Returns a copy of the tree in which the value with index at[axis] replaces each $name. The copy
 * shares texts with the tree. */
struct tree *grid_names_fill(struct arena *arena, const struct tree *tree,
                             const struct grid_axes *axes, const int *at);

/* Dies if the name of a row has a $word that is not an axis of the row. Exception: if the number of
 * dollar signs without such an axis is even, they are plain text. has: [axes->keys] true for
 * the keys that the row uses */
void grid_name_check(const struct tree *name, const struct grid_axes *axes, const bool *has);
/* True if the list `without` (grid_row_rest) has the axis of a coordinate. */
bool grid_name_omits(const struct grid_coordinate *const *without,
                     const struct grid_coordinate *coordinate);

/* ---- grid_written.c ---- */

struct grid_written {
    const char *name;           /* NULL: the grid has no rows */
    const struct tree *entry;   /* NULL: the grid has no rows */
    const struct tree *options; /* options of this row; NULL: a row without a run */
    bool fixed;                 /* the row has `sweep: false`, so it is combined with no axis */
    bool vectors;               /* the row has no model; only options below GRID_VECTORS are used */
};
#define GRID_VECTORS "evaluate.probe"
/* Returns the rows, [*count], of the list under the key `rows`. Dies with the location of an
 * error. */
struct grid_written *grid_written_read(struct arena *arena, const struct tree *list, int *count);

/* ---- grid_rows.c ---- */

/* Fills the rows of a grid. Requires the name and path of the grid. */
void grid_rows_read(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const struct grid_typed *typed);

/* ---- grid_keep.c ---- */

/* Removes the rows with a run for which `where` (NULL: none) is false. Dies if none of them remain,
 * or if no row has a key. axis: named axes of the grid, NULL-terminated */
void grid_keep_rows(struct arena *arena, struct grid *grid, const struct tree *where,
                    const char *const *axis);

/* Returns an array, [rows], that is true for the rows that --only selects. axis: named axes of the
 * grid, NULL-terminated; tune: the key `tune`, or NULL */
bool *grid_only(struct arena *arena, const struct grid *grid, const char *const *axis,
                const char *text, const struct tree *tune);

/* ---- grid_words.c ---- */

/* Fills the words of a grid and the parts of each row. Requires the points of the rows. */
void grid_words_read(struct arena *arena, struct grid *grid, const struct grid_typed *typed);

/* ---- tune.c ---- */

/* Reads the key `tune` of a grid, and sets `tuned` of its rows. `written` is NULL if the grid has
 * no such key. Dies with the location of an error. If the row of an error is not selected, it
 * becomes a row without a run instead. */
void tune_read(struct arena *arena, struct grid *grid, const struct tree *written);

/* ---- grid_check.c ---- */

/* Checks all rows with the functions `lacks` and `check` of the kinds (kind.h). Dies at the first
 * error. If the row of the error is not selected, it becomes a row without a run instead. */
void grid_check(struct grid *grid);
