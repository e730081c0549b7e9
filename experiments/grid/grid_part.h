/* The parts that read a grid (grid.h); nobody else includes this.
 *
 *   grid_find.c     the file that a name means
 *   grid_file.c     the file with what its base gives; presets
 *   grid_typed.c    assignments of the command line
 *   grid_axis.c     sweep and zip: axes, and the names of what lies on them
 *   grid_name.c     $name in values
 *   grid_written.c  rows as they are written
 *   grid_rows.c     rows times axes, and the options of each
 *   grid_keep.c     exclude and where
 *   grid_words.c    what tables and figures may name
 *   grid_check.c    what kinds of stages say of the rows that ask for them */
#pragma once

#include "experiments/grid/settings.h"

struct grid; /* grid.h */
struct grid_row;

enum { GRID_SEEDS = 1000, GRID_ROWS = 10000, GRID_POINTS = 20000 };

/* ---- grid_find.c ---- */

/* The file that `name`, the base in a grid's file, means. Dies at the place where a word without
 * slash and ending means none. */
const char *grid_base(struct arena *arena, const char *file, const char *name, struct place place);

/* ---- grid_file.c ---- */

/* A map with all of its paths unfolded and names of presets under their key: "model: small" is
 * {model: {preset: small}}. */
struct tree *grid_normalize(struct arena *arena, const struct tree *map);
/* The options among a map's keys. */
struct tree *grid_options_of(struct arena *arena, const struct tree *map);

enum { GRID_APART = 9 };
struct grid_file {
    const struct tree *head; /* normalized: grid, title, seeds, .. and the options */
    /* As written, or NULL: names in them may contain dots. */
    union {
        struct {
            const struct tree *rows, *sweep, *zip, *exclude, *where;
            const struct tree *table, *learned, *claims, *figures;
        };
        const struct tree *apart[GRID_APART]; /* the same, in this order */
    };
};
/* `document` is what stands in the file that its place names. */
struct grid_file grid_file_read(struct arena *arena, const struct tree *document);

/* Presets are read once each. */
struct grid_presets {
    struct arena *arena;
    const char *grid; /* path: presets that the command line names are relative to it */
    struct grid_preset_read *read;
};
/* The options with their presets laid beneath; their names stay at {model: {preset: ..}}. The
 * result lives in `arena`. */
const struct tree *grid_lay_presets(struct grid_presets *presets, struct arena *arena,
                                    const struct tree *options);
/* The options without the names of presets; that of the recipe stays, as {recipe: NAME}, to be
 * shown. */
const struct tree *grid_drop_presets(struct arena *arena, const struct tree *options);
/* Whether a path is where a preset is named: "model.preset". */
bool grid_is_preset(const char *path);
/* Whether a word is a key that a grid has beside its options: "seeds". */
bool grid_is_key(const char *word);

/* ---- grid_typed.c ---- */

/* A word of the command line, with its place for messages. */
struct grid_typed_word {
    struct place place;
    const char *path;
    const struct tree *value; /* NULL: "~path" */
    bool several;             /* the value is a list of them: a sweep */
    bool used;
};

struct grid_typed {
    int count;
    struct grid_typed_word *word; /* [count], each path once: the last one counts */
    bool takes;                   /* some word takes away what the file says: "~evaluate.bleu" */
    struct texts axes;            /* grid_axis_names of the file */
};
struct grid_typed grid_typed_read(struct arena *arena, const struct grid_file *file,
                                  const char *const *word, int words);
/* Whether some word is an axis of the rows, or has taken one away. */
bool grid_typed_varies(const struct grid_typed *typed);
/* The table (NULL: the file has none) with what is typed of its keys. */
const struct tree *grid_typed_table(struct arena *arena, const struct grid_typed *typed,
                                    const struct tree *table);
/* The word with this path, or NULL. */
struct grid_typed_word *grid_typed_find(const struct grid_typed *typed, const char *path);
/* What it says of options that no axis varies. */
const struct tree *grid_typed_options(struct arena *arena, const struct grid_typed *typed);
/* Dies where it takes away what no row has. */
void grid_typed_check(const struct grid_typed *typed);

/* Numbers of "range(first, end, step)", the end excluded, as a list; NULL when the text is no
 * range. Dies at the place when it is a wrong one. */
struct tree *grid_range(struct arena *arena, struct place place, const char *text);
/* A text cut at its commas outside of brackets and quotes, as a list; NULL: there are none. */
struct tree *grid_split(struct arena *arena, struct place place, const char *text);

/* ---- grid_axis.c ---- */

/* Keys that change together: one of a sweep, several of a zip. */
struct grid_axis {
    struct place place;
    int count; /* values of each key */
};

/* A key that varies: an option ("encoder.layers", "model"), or a name of the grid's own that values
 * use ($window). */
struct grid_key {
    struct place place;
    int axis;
    bool named;
    const char *key;           /* as written, or the path of options that it means */
    const char *short_key;     /* the last words of it that no other key of the grid has */
    const char **label;        /* [count of the axis] how a value is called */
    const struct tree **value; /* [the same] as written; of an option {encoder: {layers: 6}} */
    int *layer; /* [the same] of a value that `layers` stands for: the layer, from 1, or GRID_SUM;
                   of other values 0. NULL: the key has no `layers` */
};

/* encoder.output, which is a value of its own with a short-cut. */
enum { GRID_SUM = -1 };

struct grid_axes {
    int count, keys;
    struct grid_axis *axis; /* [count] the last one runs fastest */
    struct grid_key *key;   /* [keys] axis by axis */
};
/* sweep and zip may be NULL. What is typed replaces an axis of the same key, or adds one; the words
 * for it are marked as used. */
struct grid_axes grid_axes_read(struct arena *arena, const struct tree *sweep,
                                const struct tree *zip, const struct grid_typed *typed);

/* Puts a value for each of so many layers in the place of `layers`, where an axis has it; with
 * `sum`, also encoder.output, unless it is a value already. */
void grid_axes_spread(struct arena *arena, struct grid_axes *axes, int layers, bool sum);
/* Whether all keys of an axis (`has`: those of them that a row has; NULL: all) call two of its
 * values the same. */
bool grid_axes_same(const struct grid_axes *axes, int axis, const bool *has, int i, int j);
/* Dies where an axis has a value twice. */
void grid_axes_refuse_same(const struct grid_axes *axes);

/* The names of a file's axes, ended by NULL, and where they stand. */
struct texts grid_axis_names(struct arena *arena, const struct grid_file *file);

/* ---- grid_name.c ---- */

/* Letters, digits and _, no digit first. */
bool grid_name_valid(const char *word);
/* Sets used[key] of every named key that a tree uses, or that the values of such a key use. Dies at
 * a $name that no axis has. */
void grid_names_used(const struct tree *tree, const struct grid_axes *axes, bool *used);
/* Dies at a key whose values use it themselves. */
void grid_names_check(struct arena *arena, const struct grid_axes *axes);
/* A copy of the tree, which shares texts with it, with the values that its names have where each
 * axis is at at[axis]. */
struct tree *grid_names_fill(struct arena *arena, const struct tree *tree,
                             const struct grid_axes *axes, const int *at);

/* ---- grid_written.c ---- */

struct grid_written {
    const char *name;           /* NULL: the grid has no rows */
    const struct tree *entry;   /* NULL: the same */
    const struct tree *options; /* its own; NULL: it does not run */
    bool fixed;                 /* sweep: false, it takes no axis */
    bool vectors;               /* it has no model: of its options only those of probes count */
};
#define GRID_VECTORS "evaluate.probe"
/* [*count], of the value of the key `rows`. Dies at the place of what is wrong. */
struct grid_written *grid_written_read(struct arena *arena, const struct tree *list, int *count);

/* ---- grid_rows.c ---- */

/* Fills the rows of a grid that has its name and path. */
void grid_rows_read(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const struct grid_typed *typed);

/* ---- grid_keep.c ---- */

/* What exclude and where say. */
struct grid_keep *grid_keep_read(struct arena *arena, const struct grid_file *file,
                                 const struct grid_axes *axes);
/* Whether a row stays. `options` are merged, with names of presets; NULL: it does not run, and only
 * its name counts. */
bool grid_keep_row(struct grid_keep *keep, struct arena *scratch, const struct grid_row *row,
                   const struct tree *options);
/* After the last row: warns of what excluded nothing, dies when no row is left, or when `where`
 * asks for what no row has. */
void grid_keep_check(const struct grid_keep *keep);

/* ---- grid_words.c ---- */

/* Fills the grid's words, and the parts of each of its rows, by all of its points. */
void grid_words_read(struct arena *arena, struct grid *grid, const struct grid_typed *typed);

/* ---- grid_check.c ---- */

/* Dies at the place of the first row that no stage could be made of (kind.h: needs, check). */
void grid_check(const struct grid *grid);
