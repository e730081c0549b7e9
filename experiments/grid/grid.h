/* A grid: one YAML file per table or figure of a paper. It is read into points (row by seed), and
 * every point is checked before anything starts.
 *
 *   grid, title, source   its name (letters, digits, - and _) and where it comes from
 *   tags, note            words for finding its stages later
 *   base                  the grid that this grid extends: a path relative to this file, or a name
 *                         (a file in the same folder, else as grid_find). Maps are merged and
 *                         everything else is replaced. rows, sweep, zip, exclude, where, claims,
 *                         figures and each key of the table are replaced whole. Exception: a map
 *                         whose ~ removes an inherited key is merged. ~ removes at any depth
 *   task                  the task of its points; default translation
 *   corpus, model         options, or the name of a preset, or both: {preset: small6, dropout: 0}
 *   recipe                the name of a preset: how a paper trains, selects and decodes
 *   encoder, decoder, train, evaluate     options (`sanlab help options`)
 *   seeds                 a list or a range; default 1. The verbs refuse a single number above 1
 *                         (grid.lone_seed)
 *   rows                  named rows, each with options of its own, in the paper's order. A row
 *                         with `quote: {bleu: 27.3}` or `hyp: FILE` has no run. A row with
 *                         `vectors: DIR` has no model, only probes of TASK.npy in that folder (by
 *                         seed: 1/TASK.npy, 2/TASK.npy, ..)
 *   sweep                 {a.b: [..], window: [..]}: axes, the product of all, the last axis
 *                         varies fastest. An axis is an option, or a name of the grid's own; an
 *                         option below `evaluate` is written without that word: probe.path
 *   zip                   {a.b: [..], window: [..]}, or a list of such maps: axes that change
 *                         together
 *   exclude               [{a.b: v, window: w}, ..]: removes the rows that have all values of a
 *                         map, or a name
 *   where                 an expression (core/config/expression.h) over axes, options with their
 *                         defaults, names of values, and `name`: removes the rows with a run for
 *                         which it is false
 *   table, learned, figures, claims   the output made from the results; `sanlab help table`. They
 *                         are kept as trees and parsed later (experiments/plan/plan.h)
 *
 * The values of an axis are a list, range(first, end, step) with the end excluded, or a map. The
 * map gives each value a label: {narrow: 1, wide: [1, 5]}. A value may be any YAML. The value
 * `layers` of probe.path stands for one value per layer of a row's encoder, so its expansion
 * depends on the row.
 *
 * An axis that is an option is combined with every row: "Row, heads=4, layers=2". The name of a
 * named axis consists of letters, digits and _. It is not a key of a grid, an option or a column.
 * $name stands for its value in a row, in the grid's options or in a value of another axis. There
 * it stands for a scalar, an item of a list or a value of a map. ${name} is used inside of a word,
 * and needs quotes inside of { } or [ ]. $$ is a dollar. A row is combined only with the named axes
 * that it uses: "gate, window 3, layers 1-2". With `sweep: false` a row takes no axis at all. In a
 * row's name and label, $name is the label of its value. They omit an axis that has one value in
 * all of its rows.
 * Points of a row that compute the same are one row, which has several places (struct grid_row).
 *
 * Precedence, lowest first: presets (corpus, model, recipe), the grid's own sections, the row, its
 * values of sweep and zip, the command line. Of several names of a preset the last one is used.
 * A preset NAME is experiments/{corpora,models,recipes}/NAME.yaml in the folder of the executable,
 * or a path relative to the file that names it. A preset may have a base of its own. */
#pragma once

#include "core/config/scalar.h"

struct evaluation; /* sections.h */
struct settings;   /* core/train/translating.h */
struct stage_kind; /* kind.h */

struct grid_stage {
    const char *kind, *id; /* "train", 64 hexadecimal digits */
    const char *part;      /* the part, for kinds with parts; else NULL */
};
/* Returns KIND, or KIND.PART. */
const char *grid_stage_title(const struct grid_stage *stage, struct arena *arena);

struct grid_seed {
    int64_t seed;
    int count;
    const struct grid_stage *stage; /* [count] in the order in which they run */
};

/* The value of a row on an axis: {"model.heads", "8"} for an option, {"window", "wide"} for an axis
 * that the grid names itself. Keys of one zip have the same axis. */
struct grid_coordinate {
    const char *key, *value; /* as written in the grid */
    int axis;
    bool named;        /* the key is the grid's own, no option */
    const char *text;  /* part of the row's name: "heads=8", "window wide" */
    bool only;         /* all rows on the axis have this value, so names omit it */
    const char *plain; /* the value, if a named axis has one word here; else NULL */
};

struct grid_row {
    const char *name; /* unique */
    int count;
    const struct grid_seed *seed;   /* [count] with stages; filled by the plan or from a record */
    const struct tree *options;     /* options of its points, merged, with names of presets; NULL: a
                                     row without a run */
    struct grid_resolved *resolved; /* shared by its points; NULL: no run, or no file */
    const struct tree *entry;       /* the row as written, for the keys that only tables use (quote,
                                     hyp, section); NULL: none */
    const char *line;        /* name as written, without the coordinates; NULL: the whole name */
    const char *const *part; /* "KIND.PART" of its stages, kind by kind, ended by NULL; NULL:
                                     it has no model */
    int coordinates;
    int more; /* places after the first: points that compute the same are one row */
    const struct grid_coordinate *coordinate; /* [1 + more][coordinates] */
};

/* The shared part of a row's points: everything except the seed. */
struct grid_resolved {
    const struct tree *options; /* everything merged, without names of presets */
    const struct settings *settings;
};

/* A column that belongs to a group without being listed in the grid's table: {"Syntactic",
 * "probe.TreeDepth"}. */
struct grid_member {
    const char *group, *column;
};

/* The valid words of a grid, for checks of tables, figures and claims. Lists end with NULL; a list
 * that is NULL is not checked. */
struct grid_words {
    const char *const *kind;              /* kinds of stages */
    const char *const *part;              /* "KIND.PART" of any row */
    const char *const *option;            /* "encoder.attention" */
    const char *const *axis;              /* "window": the grid's named axes, */
    const struct location *axis_location; /* and their places in the file */
    int members;
    struct grid_member *member; /* [members] of the groups that parts of stages define */
    /* The command line has changed the set of rows. References to rows or values that no longer
     * exist are then skipped without an error. */
    bool varied;
    bool plain; /* the table's `by` cannot show these rows, so each row has a line */
    bool taken; /* a word removes a key of the file: "~evaluate.bleu" */
    const struct tree *defaults; /* options that a row does not set; NULL: unknown */
    /* Returns the defaults that differ because of the options that a row sets; NULL: none. */
    const struct tree *(*beside)(struct arena *arena, const struct tree *options);
};

struct grid {
    const char *name; /* of the file; with assignments a name of its own (grid_variant) */
    const char *title, *source, *note; /* NULL: none */
    const char *path;                  /* NULL: a grid from a record */
    const char *file;                  /* as it was typed; NULL: the grid was composed */
    int assignments;
    const char *const *assignment; /* [assignments] of the command line: "train.rate=2" */
    const char
        *digest;       /* of its points: names of rows, options as merged, seeds; NULL: not known */
    bool incomplete;   /* text is missing, so some ids are unknown */
    int64_t written;   /* ns: time of its record (grid_record.h) */
    const char *task;  /* "translation" */
    struct texts tags; /* words for finding it later */
    int rows;
    struct grid_row *row; /* [rows] in the paper's order */
    int seeds;
    uint32_t *seed;               /* [seeds] */
    const struct tree *lone_seed; /* "seeds: 3", which may be meant as a count; or NULL */
    struct grid_words words;
    const struct tree
        *common; /* options of all rows, without presets; NULL: a grid from a record */
    const struct tree *table, *learned_map, *claims, *figures; /* as written; NULL: none */
    /* Read by the code that draws (results/table/layout.h, learned.h); NULL: not yet read. */
    const struct layout *layout;
    const struct learned *learned;
    const bool *only; /* [rows] true for the selected rows (grid_read_only); NULL: all */
};

/* Reads a grid from its file. `override` holds the command line's words: "a.b=c", "a.b=1,2,3" and
 * "a.b=range(1,7)" (a sweep), "~a.b" (back to the default); "seeds=1,2" replaces the seeds,
 * "seeds=+3,4" adds to them. A key that the grid sweeps gets other values; other keys override
 * everything. The result lives in the arena. Dies with the place of an error. */
struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides);
/* Reads a grid and sets grid->only. `only` is the name of a row, or an expression
 * (core/config/expression.h) over the same words as `where`; NULL: all rows. For a row without a
 * run only its name counts. Errors of the other rows are ignored: such a row has no run. Dies if no
 * row matches. */
struct grid *grid_read_only(struct arena *arena, const char *path, const char *const *override,
                            int overrides, const char *only);

/* Reads a grid from a tree that was composed, not written. The document's place has no line; its
 * file is the name that messages print. */
struct grid *grid_of_tree(struct arena *arena, const struct tree *document,
                          const char *const *override, int overrides);

/* Returns the point of a row that has the section of a kind; NULL if it lacks the section, or has
 * no run. */
const struct grid_resolved *grid_row_asks(const struct grid *grid, int row,
                                          const struct evaluation *evaluation);
/* Replaces the options of a row with a run, for all of its points. For kinds with `ask`
 * (kind.h). */
void grid_row_say(struct grid *grid, int row, const struct tree *options, struct arena *arena);
/* Sets the row that die_at adds to messages from now on, if the grid has several rows. row -1
 * resets it; call it so before the arena is freed. */
void grid_row_about(const struct grid *grid, int row, struct arena *arena);

/* True if a point has stages of a kind, because of the grid's task or a section of the point. */
bool grid_asks(const struct grid *grid, const struct grid_resolved *resolved,
               const struct stage_kind *kind);

/* Returns the file of a grid that a user names. A word is a path, or the name of a file with or
 * without .yaml. A name is looked up in the user's folders (grid_folders), then in the folder of
 * the shipped grids. So a new shipped grid does not change the meaning of a user's name. A record
 * has the path of a user's file, because another folder may have another file of that name. It has
 * only the name of a shipped grid, because the program may move. Warns once if a user's file hides
 * a different shipped file; dies if both folders of the user have the name. If there is no file,
 * grid_find dies with the nearest name and grid_find_try returns NULL. */
const char *grid_find(struct arena *arena, const char *word);
const char *grid_find_try(struct arena *arena, const char *word);
/* Returns the path that the file of a word would have, for a word without a file. */
const char *grid_expected(struct arena *arena, const char *word);
/* "grids" and "experiments", relative to the working directory; NULL-terminated. */
extern const char *const grid_folders[];
/* Returns the names of the shipped grids, sorted and NULL-terminated. */
const char *const *grid_shipped_names(struct arena *arena);
/* Returns another file in the folder of the grid's file that has the same `grid: NAME` and other
 * bytes; NULL if there is none. */
const char *grid_twin(struct arena *arena, const struct grid *grid);
/* Returns the last part of a file's path if a base was found by its name (`base: tour`) in the
 * folder of the file; else NULL. An archive stores the file under this name, next to the grid. */
const char *grid_base_beside(const char *path);

/* True if an assignment only changes the table: "table.bold=false", "~table.by". */
bool grid_word_of_table(const char *word);
/* Returns the name of a grid with assignments, for its files and folders. Assignments to the table
 * are not part of it, because the stages are the same. */
const char *grid_variant(struct arena *arena, const char *name, const char *const *override,
                         int overrides);

/* Returns the options that a preset of the section "corpus", "model" or "recipe" stands for. A path
 * is relative to the file that contains the name. */
const struct tree *grid_preset(struct arena *arena, const char *section, const struct tree *name);
/* Returns the preset without the options that `over` replaces by another option. */
const struct tree *grid_preset_below(struct arena *arena, const struct tree *preset,
                                     const struct tree *over);

/* ---- rows and places (grid_lookup.c) ---- */

/* Returns the coordinate of a row on the axis `key`, at a place of the row (0: the place in its
 * name). NULL if the row does not use the axis. */
const struct grid_coordinate *grid_row_coordinate(const struct grid_row *row, int place,
                                                  const char *key);
/* True if both places have the same values on all axes that `row` uses. On the axis of `without`
 * (NULL: no axis) `like` may have any value. */
bool grid_row_agrees(const struct grid_row *row, int place, const struct grid_row *like, int other,
                     const struct grid_coordinate *without);
/* Returns `name` with the coordinates of a place: "gate, layers 1-2". $window in the name is its
 * coordinate. Factors are appended unless their axis is in the name or has only one value. On the
 * axis of `without` (NULL: no axis; grid_all_axes: all) and the keys zipped to it, $window becomes
 * "window", and nothing is appended. Returns NULL if nothing is left. */
const char *grid_row_rest(const struct grid_row *row, int place, const char *name,
                          const struct grid_coordinate *without, struct arena *arena);
extern const struct grid_coordinate grid_all_axes;
/* Returns the places of a row after the first, by the coordinates that differ: "layers all". NULL
 * if there are none. */
const char *grid_row_also(const struct grid_row *row, struct arena *arena);

/* Iterates over every stage of every seed and row:
 *     for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) .. */
struct grid_cursor {
    int row, seed, stage;
};
bool grid_next(const struct grid *grid, struct grid_cursor *at);
const struct grid_stage *grid_stage_at(const struct grid *grid, const struct grid_cursor *at);

/* True if a name in the grid's file means this row. The name may be the row's name at any of its
 * places, with or without axes that have one value. It may also be the name that the row had before
 * a sweep made several rows of it. */
bool grid_row_meant(const struct grid_row *row, const char *name);
/* Returns a list of names. YAML and the command line split the name "gate, window 1" at its comma.
 * So neighboring texts are joined if only together they are the name of a row. Texts that are all
 * names of rows alone stay apart: [A, B] beside a row "A, B". */
const struct tree *grid_names_join(const struct grid *grid, const struct tree *list,
                                   struct arena *arena);
/* Returns the row with this name, all coordinates included, at any of its places; -1 if none. */
int grid_row_called(const struct grid *grid, const char *name);
/* Returns the row that a name means in relation to row `like`; -1 if none. This is the row with
 * this name. If a sweep made several rows of it, this is the row that agrees with `like` on all
 * axes that it uses. */
int grid_row_beside(const struct grid *grid, const char *name, int like);
