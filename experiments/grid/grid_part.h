/* Internal interface of the files that read a grid (grid.h). Only these files include it.
 *
 *   grid_find.c     finds the file of a name
 *   grid_file.c     merges a file with its base; presets
 *   grid_typed.c    assignments of the command line
 *   grid_axis.c     sweep and zip: axes, their keys and values
 *   grid_name.c     $name in values
 *   grid_written.c  rows as written
 *   grid_rows.c     rows times axes, and the options of each
 *   grid_keep.c     exclude and where
 *   grid_words.c    words that tables and figures may use
 *   grid_check.c    checks by the kinds of stages */
#pragma once

#include "experiments/grid/settings.h"

struct grid; /* grid.h */
struct grid_row;
struct grid_coordinate;

enum { GRID_SEEDS = 1000, GRID_ROWS = 10000, GRID_POINTS = 20000 };

/* ---- grid_find.c ---- */

/* Returns the file of the base `name` in a grid's file. Dies with the location if a word without
 * slash and suffix has no file. */
const char *grid_base(struct arena *arena, const char *file, const char *name,
                      struct location location);

/* ---- grid_file.c ---- */

/* Returns a map with all paths unfolded and names of presets under their key: "model: small"
 * becomes {model: {preset: small}}. */
struct tree *grid_normalize(struct arena *arena, const struct tree *map);
/* Returns the options among a map's keys. */
struct tree *grid_options_of(struct arena *arena, const struct tree *map);

enum { GRID_APART = 9 };
struct grid_file {
    const struct tree *head; /* normalized: grid, title, seeds, .. and the options */
    /* As written, or NULL. Names in them may contain dots. */
    union {
        struct {
            const struct tree *rows, *sweep, *zip, *exclude, *where;
            const struct tree *table, *learned, *claims, *figures;
        };
        const struct tree *apart[GRID_APART]; /* array view of these keys, in this order */
    };
};
/* document: content of the file that its place names */
struct grid_file grid_file_read(struct arena *arena, const struct tree *document);

/* Cache of presets: each is read once. */
struct grid_presets {
    struct arena *arena;
    const char *grid; /* path: presets that the command line names are relative to it */
    struct grid_preset_read *read;
};
/* Returns the options merged over their presets. The names of presets stay at {model: {preset:
 * ..}}. The result lives in `arena`. */
const struct tree *grid_lay_presets(struct grid_presets *presets, struct arena *arena,
                                    const struct tree *options);
/* Returns the options without the names of presets. The name of the recipe stays, as {recipe:
 * NAME}, for display. */
const struct tree *grid_drop_presets(struct arena *arena, const struct tree *options);
/* True if a path names a preset: "model.preset". */
bool grid_is_preset(const char *path);
/* True if a word is a key of grids that is no option: "seeds". */
bool grid_is_key(const char *word);

/* ---- grid_typed.c ---- */

/* A word of the command line, with its place for messages. */
struct grid_typed_word {
    struct location location;
    const char *path;
    const struct tree *value; /* NULL: "~path" */
    bool several;             /* the value is a list of values: a sweep */
    bool used;
};

struct grid_typed {
    int count;
    struct grid_typed_word *word; /* [count], each path once */
    bool takes;                   /* a word removes a key of the file: "~evaluate.bleu" */
    struct texts axes;            /* grid_axis_names of the file */
};
struct grid_typed grid_typed_read(struct arena *arena, const struct grid_file *file,
                                  const char *const *word, int words);
/* True if a word has become an axis of the rows, or has removed an option of a row. */
bool grid_typed_varies(const struct grid_typed *typed);
/* Returns the table (NULL: the file has none) with the keys that the command line sets or
 * removes. */
const struct tree *grid_typed_table(struct arena *arena, const struct grid_typed *typed,
                                    const struct tree *table);
/* Returns the word with this path; NULL if there is none. */
struct grid_typed_word *grid_typed_find(const struct grid_typed *typed, const char *path);
/* Returns the options of the command line that no axis varies. */
const struct tree *grid_typed_options(struct arena *arena, const struct grid_typed *typed);
/* Dies if a word removes an option that no row sets. */
void grid_typed_check(const struct grid_typed *typed);

/* Returns the numbers of "range(first, end, step)", the end excluded, as a list; NULL if the text
 * is no range. Dies with the location if the range is invalid. */
struct tree *grid_range(struct arena *arena, struct location location, const char *text);
/* Splits a text at its commas outside of brackets and quotes. Returns a list; NULL if there are
 * none. */
struct tree *grid_split(struct arena *arena, struct location location, const char *text);

/* ---- grid_axis.c ---- */

/* An axis: keys that change together; one key for a sweep, several for a zip. */
struct grid_axis {
    struct location location;
    int count; /* values of each key */
};

/* A key that varies: an option ("encoder.layers", "model"), or a named axis for values
 * ($window). */
struct grid_key {
    struct location location;
    int axis;
    bool named;
    const char *key;           /* as written; for an option its whole path */
    const char *short_key;     /* shortest suffix that no other key of the grid has */
    const char **label;        /* [count of the axis] names of the values */
    const struct tree **value; /* [count of the axis]; an option is {encoder: {layers: 6}} */
    int *layer; /* [count of the axis] layer of a value that `layers` expands to, from 1, or
                   GRID_SUM; 0: other values. NULL: the key has no `layers` */
};

/* encoder.output: a value of its own if the encoder has a short-cut. */
enum { GRID_SUM = -1 };

struct grid_axes {
    int count, keys;
    struct grid_axis *axis; /* [count] the last one varies fastest */
    struct grid_key *key;   /* [keys] axis by axis */
};
/* Reads the axes. sweep and zip may be NULL. A word of the command line replaces the axis with the
 * same key, or adds an axis; such words are marked as used. */
struct grid_axes grid_axes_read(struct arena *arena, const struct tree *sweep,
                                const struct tree *zip, const struct grid_typed *typed);

/* Expands `layers` on each axis into one value per layer. With `sum` it also includes
 * encoder.output, unless that is a value already. */
void grid_axes_spread(struct arena *arena, struct grid_axes *axes, int layers, bool sum);
/* True if values i and j of an axis have the same labels for all keys. `has`: true for the keys
 * that a row has; NULL: all keys. */
bool grid_axes_same(const struct grid_axes *axes, int axis, const bool *has, int i, int j);
/* Dies if an axis has a value twice. */
void grid_axes_refuse_same(const struct grid_axes *axes);

/* Returns the names of a file's named axes with their places, ended by NULL. */
struct texts grid_axis_names(struct arena *arena, const struct grid_file *file);

/* ---- grid_name.c ---- */

/* True for letters, digits and _, not starting with a digit. */
bool grid_name_valid(const char *word);
/* Sets used[key] for every named key that a tree uses, directly or through the values of a key.
 * Dies at a $name that no axis has. */
void grid_names_used(const struct tree *tree, const struct grid_axes *axes, bool *used);
/* Dies at a key whose values use the key itself. */
void grid_names_check(struct arena *arena, const struct grid_axes *axes);
/* Returns a copy of the tree with names substituted by the axes' values at at[axis]. Shares texts
 * with the tree. */
struct tree *grid_names_fill(struct arena *arena, const struct tree *tree,
                             const struct grid_axes *axes, const int *at);

/* True if the name of a row has $key. */
bool grid_name_has(const char *name, const char *key);
/* Dies at a $word in the name of a row that is no axis of the row. Two dollars that are not of axes
 * enclose mathematics. has: [keys of the axes] true for axes of the row */
void grid_name_check(const struct tree *name, const struct grid_axes *axes, const bool *has);
/* True if `without` is the axis of a coordinate, or grid_all_axes. */
bool grid_name_omits(const struct grid_coordinate *without,
                     const struct grid_coordinate *coordinate);
/* Returns the name with the labels of the coordinates for $key, and with "key" on omitted axes. */
const char *grid_name_fill(struct arena *arena, const char *name,
                           const struct grid_coordinate *coordinate, int coordinates,
                           const struct grid_coordinate *without);

/* ---- grid_written.c ---- */

struct grid_written {
    const char *name;           /* NULL: the grid has no rows */
    const struct tree *entry;   /* NULL: the grid has no rows */
    const struct tree *options; /* its own; NULL: no run */
    bool fixed;                 /* sweep: false, takes no axis */
    bool vectors;               /* no model: only its options of probes count */
};
#define GRID_VECTORS "evaluate.probe"
/* Returns the rows [*count] of the value of the key `rows`. Dies with the place of an error. */
struct grid_written *grid_written_read(struct arena *arena, const struct tree *list, int *count);

/* ---- grid_rows.c ---- */

/* Fills the rows of a grid whose name and path are set. */
void grid_rows_read(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const struct grid_typed *typed);

/* ---- grid_keep.c ---- */

/* Reads exclude and where. */
struct grid_keep *grid_keep_read(struct arena *arena, const struct grid_file *file,
                                 const struct grid_axes *axes);
/* True if a row is kept. options: merged, with names of presets; NULL: the row has no run, and only
 * its name counts. */
bool grid_keep_row(struct grid_keep *keep, struct arena *scratch, const struct grid_row *row,
                   const struct tree *options);
/* Call after the last row. Warns of exclusions that matched nothing. Dies if no row is left, or if
 * `where` uses a key that no row has. */
void grid_keep_check(const struct grid_keep *keep);

/* Returns [rows], true for the rows that --only selects. axis: names of the grid's own axes, ended
 * by NULL */
bool *grid_only(struct arena *arena, const struct grid *grid, const char *const *axis,
                const char *text);

/* ---- grid_words.c ---- */

/* Fills the grid's words, and the parts of each row, from all points. */
void grid_words_read(struct arena *arena, struct grid *grid, const struct grid_typed *typed);

/* ---- grid_check.c ---- */

/* Dies with the place of the first row for which no stage can be made (kind.h: lacks, check). A row
 * that is not selected loses its run instead. */
void grid_check(struct grid *grid);
