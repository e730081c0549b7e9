/* A grid is one YAML file for a table or figure of a paper. Its points are the combinations of a
 * row and a seed. All points are checked before a stage starts.
 *
 *   grid, title, source   name of the grid (letters, digits, - and _), title, and source: a paper
 *   tags, note            tags and a text with which users find its stages later
 *   base                  the grid that this grid extends: a path relative to this file, or a name.
 *                         A name is searched in the folder of this file, then as by grid_find. Maps
 *                         of options are merged, other values are replaced. rows, sweep, zip,
 *                         where, learned, claims, figures and each key of the table are
 *                         replaced whole. Exception: a map whose ~ removes an inherited key is
 *                         merged. ~ removes a key at any depth
 *   task                  task of all points; default translation
 *   corpus, model         options, or the name of a preset, or both: {preset: small6, dropout: 0}
 *   recipe                the name of a preset with the options by which a paper trains, selects
 *                         checkpoints and decodes
 *   encoder, decoder, train, evaluate     options (`sanlab help options`)
 *   seeds                 a list or a range of random seeds; default 1. A single number above 1 may
 *                         be meant as a number of seeds, so commands refuse it (grid.lone_seed)
 *   rows                  named rows with their options, in the paper's order. A row with
 *                         `quote: {bleu: 27.3}` or `hyp: FILE` runs no stages. A row with
 *                         `vectors: DIR` has no model. It only has probes of the files TASK.npy in
 *                         this folder (for several seeds: 1/TASK.npy, 2/TASK.npy, ..)
 *   sweep                 {a.b: [..], window: [..]}: axes with their values. The rows have all
 *                         combinations of the values; the last axis varies fastest. An axis is an
 *                         option, or a name that the grid defines (a named axis). An option below
 *                         `evaluate` may omit this word: probe.path
 *   zip                   {a.b: [..], window: [..]}: keys of one axis, whose values change
 *                         together. Or a list of such maps, one for each axis
 *   where                 an expression (core/config/expression.h) over axes, options (defaults
 *                         included) and `name`, the name of the row. Labels of values may be used
 *                         as values. If the expression is false for a row with a run, the row is
 *                         removed
 *   tune                  tunes each row (tune.h)
 *   table, learned, figures, claims   output that is made from the results; see
 *                         `sanlab help table`. These keys are stored as trees and parsed later
 *                         (experiments/plan/plan.h)
 *
 * The values of an axis are a list, range(first, end, step) with the end excluded, or a map. The
 * map gives each value a label: {narrow: 1, wide: [1, 5]}. A value may be a scalar, a list or a
 * map.
 *
 * Every row is combined with each axis that is an option: "Row, heads=4, layers=2". The name of a
 * named axis consists of letters, digits and _. It is not a key of a grid or a row, a section, or a
 * column. $name stands for the value of the axis. It may be used in options of a row, in options of
 * the grid and in values of other axes. Such a use is a scalar, an item of a list or a value of a
 * map. ${name} is the form for a part of a word, and needs quotes inside of { } or [ ]. $$ stands
 * for a dollar sign. A row is combined only with the named axes that its options use: "gate, window
 * 3, layers 1-2". A row with `sweep: false` is combined with no axis. In the name and label of a
 * row, $name is the label of the value. Names omit an axis that has the same value in all of its
 * rows. If several combinations of axis values compute the same, they are one row with several
 * places (struct grid_row).
 *
 * Precedence, lowest first: presets (corpus, model, recipe), sections of the grid, options of the
 * row, values of its axes, the command line. If several of these name a preset, the highest name
 * replaces the others. A preset NAME is experiments/{corpora,models,recipes}/NAME.yaml in the
 * folder of the executable, or a path relative to the file that names it. A preset may extend
 * another preset with the key `base`. */
#pragma once

#include "core/config/scalar.h"
#include "core/model/checkpoint_at.h"

struct evaluation; /* sections.h */
struct settings;   /* core/train/translating.h */
struct stage_kind; /* kind.h */
struct tuned;      /* tune.h */

struct grid_stage {
    const char *kind, *id; /* "train", 64 hexadecimal digits */
    const char *part;      /* name of the part; NULL: the kind has no parts */
    /* With at(..), a row has two stages for each value, one for each side of the crossing. */
    enum checkpoint_side side;
    const char *at; /* its checkpoint, "before(dev_loss=1.9)"; NULL: side is SIDE_NONE */
};
/* Returns KIND, or KIND.PART. */
const char *grid_stage_title(const struct grid_stage *stage, struct arena *arena);

struct grid_seed {
    int64_t seed;
    int count;
    const struct grid_stage *stage; /* [count] in the order in which they run */
};

/* The value of a row for a key of an axis: {"model.heads", "8"} for an option, {"window", "wide"}
 * for a named axis. All keys of a zip have the same axis. */
struct grid_coordinate {
    const char *key, *value; /* the key as a whole path; the label of the value */
    int axis;
    bool named;        /* true: a named axis; false: an option */
    const char *text;  /* its text in the name of the row: "heads=8", "window wide" */
    bool only;         /* true if names omit the value, because all rows with this key have it */
    const char *plain; /* value of a named axis, without the label, if it is a scalar; else NULL */
};

struct grid_row {
    const char *name; /* unique */
    int count;
    const struct grid_seed *seed;   /* [count] seeds with their stages; filled by the plan or from a
                                       record */
    const struct tree *options;     /* merged options of its points, including names of presets;
                                       NULL: a row without a run */
    struct grid_resolved *resolved; /* the part that all its points share; NULL: a row without a
                                       run, or a row from a record */
    const struct tree *entry;       /* the row as written in the file, with the keys for tables
                                       (quote, hyp, section); NULL: the file has no rows */
    const char *line;        /* name as written, without coordinates; NULL: none, or `name` has no
                                coordinates */
    const char *const *part; /* "KIND.PART" of its stages, kind by kind, NULL-terminated; NULL: the
                                row has no model */
    struct tuned *tuned;     /* its trials; NULL: the row is not tuned */
    bool waits;     /* its stages are not planned, because the choice of a trial is not known;
                            set by the plan */
    const char *of; /* a trial: name of its row; NULL: not a trial */
    int coordinates;
    int more; /* number of places minus 1: each combination of axis values that computes this row is
                 a place */
    const struct grid_coordinate *coordinate; /* [1 + more][coordinates] */
};

/* The part of a point that does not depend on the seed. All points of a row share it. */
struct grid_resolved {
    const struct tree *options; /* merged options, without names of presets */
    const struct settings *settings;
};

/* A column of a group that a stage defines, not the grid's table: {"Syntactic",
 * "probe.TreeDepth"}. */
struct grid_member {
    const char *group, *column;
};

/* The words that tables, figures and claims of a grid may use. The lists are NULL-terminated. If a
 * list is NULL, words are not checked against it. */
struct grid_words {
    const char *const *kind;              /* kinds of stages */
    const char *const *part;              /* "KIND.PART" of all rows */
    const char *const *option;            /* "encoder.attention" */
    const char *const *axis;              /* "window": the named axes of the grid */
    const struct location *axis_location; /* locations of the named axes in the file */
    int members;
    struct grid_member *member; /* [members] columns of the groups that parts of stages define */
    /* True if the command line may have changed the rows. Names of rows or values that only `whole`
     * has are then left out of tables, figures and claims without an error. */
    bool varied;
    /* With `varied`, the rows without any arguments, which have no words and no checked stages.
     * NULL: they cannot be read. */
    const struct grid *whole;
    bool plain; /* the key `by` of the table does not fit these rows, so each row has its own
                   line */
    const struct tree *defaults; /* defaults of all options; NULL: unknown */
    /* Returns the defaults that depend on options that a row sets (settings_defaults_beside); NULL
     * if there are none. */
    const struct tree *(*beside)(struct arena *arena, const struct tree *options);
};

struct grid {
    const char *name; /* name in the file, or with assignments the name by grid_variant */
    const char *title, *source, *note; /* NULL: none */
    const char *path;                  /* NULL: a grid from a record */
    const char *file;                  /* the file as the user typed it; NULL: a program composed
                                          the grid */
    int assignments;
    const char *const *assignment; /* [assignments] arguments of the command line: "train.rate=2" */
    const char
        *digest;       /* digest of the points: row names, merged options, seeds; NULL: not known */
    bool incomplete;   /* true: an input file is missing, so some ids are unknown */
    int64_t written;   /* time of its record in ns (grid_record.h) */
    const char *task;  /* "translation" */
    struct texts tags; /* tags with which users find it later */
    int rows;
    struct grid_row *row; /* [rows] in the paper's order */
    int trials;
    struct grid_row *trial; /* [trials] the trials of tuned rows, each with one seed. Tables and
                               figures do not show them; filled by the plan or from a record */
    int seeds;
    uint32_t *seed;               /* [seeds] */
    const struct tree *lone_seed; /* "seeds: 3", which may be meant as a count; or NULL */
    struct grid_words words;
    const struct tree
        *common; /* options for all rows, without presets; NULL: a grid from a record */
    const struct tree *table, *learned_map, *claims, *figures; /* as written; NULL: none */
    /* Set by the code for tables (results/table/layout.h, learned.h); NULL: not yet parsed. */
    const struct layout *layout;
    const struct learned *learned;
    const bool *only; /* [rows] true for the selected rows (grid_read); NULL: all */
};

/* Reads a grid from its file. `override` has the arguments of the command line. "a.b=c" sets an
 * option, "a.b=1,2,3" and "a.b=range(1,7)" sweep it, "~a.b" restores its default. "seeds=1,2"
 * replaces the seeds, "seeds=+3,4" adds seeds. If the grid sweeps the key, the argument replaces
 * the values of its axis. Otherwise it overrides the options of all rows. The result lives in the
 * arena. Dies with the location of an error.
 *
 * `only` selects rows and sets grid->only. It is the name of a row, or an expression
 * (core/config/expression.h) over the same words as `where`; NULL: all rows. An expression can only
 * use the name of a row without a run. A row that is not selected and has an error becomes a row
 * without a run. Dies if no row matches. */
struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides, const char *only);

/* Reads a grid from a tree that a program composed, without a file. The location of `document` has
 * no line, and its `file` is the name that messages print. */
struct grid *grid_of_tree(struct arena *arena, const struct tree *document,
                          const char *const *override, int overrides);

/* Reads all sections of a point (settings_read). options: without names of presets */
struct grid_resolved *grid_resolve(struct arena *arena, const struct tree *options);
/* Returns the point of a row if it has the section of `evaluation`. Returns NULL if the row lacks
 * the section or has no run. */
const struct grid_resolved *grid_row_asks(const struct grid *grid, int row,
                                          const struct evaluation *evaluation);
/* Replaces the options of all points of a row. The row must have a run. Used by the function `ask`
 * of a kind (kind.h). */
void grid_row_say(struct grid *grid, int row, const struct tree *options, struct arena *arena);
/* Sets the row whose name die_at appends to messages from now on. Has no effect if the grid has
 * only one row. Row -1 removes the name: required before the arena is freed. */
void grid_row_about(const struct grid *grid, int row, struct arena *arena);

/* True if a point has stages of a kind because of the grid's task or a section of the point, not
 * only as inputs. */
bool grid_asks(const struct grid *grid, const struct grid_resolved *resolved,
               const struct stage_kind *kind);
/* True if a point has stages of a kind because of grid_asks, and its encoder has the parts that the
 * kind needs. */
bool grid_point_computes(const struct grid *grid, const struct grid_resolved *resolved,
                         const struct stage_kind *kind);
/* True if a row has stages of a kind because of grid_asks, and its encoder has the parts that the
 * kind needs. Also true for a row without a run, and without such a kind (NULL). */
bool grid_row_computes(const struct grid *grid, int row, const char *kind);
/* True if a row computes the kind, of the grid or of its whole. */
bool grid_computes(const struct grid *grid, const char *kind);

/* Returns the file of a grid that a user names. `word` is a path, or the name of a file with or
 * without .yaml. A name is searched in the user's folders (grid_folders) before the folder of the
 * shipped grids. So a new shipped grid never replaces a user's grid of the same name. If there is
 * no file, grid_find dies with the nearest name and grid_find_try returns NULL. */
const char *grid_find(struct arena *arena, const char *word);
const char *grid_find_try(struct arena *arena, const char *word);
/* Returns the path for messages about a word without a file: the path itself, or the name as a file
 * of the shipped grids. */
const char *grid_expected(struct arena *arena, const char *word);
/* "grids" and "experiments", relative to the working directory; NULL-terminated. */
extern const char *const grid_folders[];
/* Returns the names of the shipped grids, sorted and NULL-terminated. */
const char *const *grid_shipped_names(struct arena *arena);
/* Returns the path of another grid that a grid's file names: its base, or a grid of a claim. Dies
 * with the location if `name` has neither slash nor suffix, and there is no such file. `key` is the
 * key in the file. */
const char *grid_base(struct arena *arena, const char *file, const char *key, const char *name,
                      struct location location);
/* If grid_base has found a base by its name (`base: tour`) in the folder of `path`, returns the
 * file name of `path`; else NULL. An archive stores this file next to the grid. */
const char *grid_base_beside(const char *path);

/* True if an argument of the command line changes a key of the table: "table.bold=false",
 * "~table.by". */
bool grid_word_of_table(const char *word);
/* Returns the name of a grid with assignments, for its files and folders. The name does not depend
 * on assignments to the table, because they do not change the stages. */
const char *grid_variant(struct arena *arena, const char *name, const char *const *override,
                         int overrides);

/* Returns the options of a preset of the section "corpus", "model" or "recipe". If `name` is a
 * path, it is relative to the file that contains it. */
const struct tree *grid_preset(struct arena *arena, const char *section, const struct tree *name);
/* Returns the preset without encoder.layers if `over` has encoder.stack, which implies the number
 * of layers. Otherwise returns the preset. */
const struct tree *grid_preset_below(struct arena *arena, const struct tree *preset,
                                     const struct tree *over);

/* ---- rows and places (grid_lookup.c) ---- */

/* Returns the coordinate of a row for the key `key` of an axis, at a place of the row. The row is
 * named after place 0. Returns NULL if the row does not use the key. */
const struct grid_coordinate *grid_row_coordinate(const struct grid_row *row, int place,
                                                  const char *key);
/* True if place `place` of `row` and place `other` of `like` have the same values on all axes that
 * `row` uses. `like` must also use these axes. On the axis of `without` (NULL: no axis) the values
 * may differ. */
bool grid_row_agrees(const struct grid_row *row, int place, const struct grid_row *like, int other,
                     const struct grid_coordinate *without);
/* Returns `name` (or NULL) with the coordinates of a place: "gate, layers 1-2". $window in the name
 * becomes the label of the value. Other coordinates are appended, unless their axis is in the name
 * or they are marked as `only`. On the axes of `without` (NULL-terminated list; NULL: no axes),
 * $window becomes "…", and no coordinate is appended. Returns NULL if `name` is NULL and no
 * coordinate is appended. */
const char *grid_row_rest(const struct grid_row *row, int place, const char *name,
                          const struct grid_coordinate *const *without, struct arena *arena);
/* True if the name of a row has $key. */
bool grid_name_has(const char *name, const char *key);
/* Returns the name, in which the label of the coordinate replaces $key. On the axes of `without`
 * (grid_row_rest), "…" replaces $key. */
const char *grid_name_fill(struct arena *arena, const char *name,
                           const struct grid_coordinate *coordinate, int coordinates,
                           const struct grid_coordinate *const *without);
/* Returns a text of the places of a row after the first. Each place is described by the coordinates
 * that differ from the first place: "layers all". NULL if there is only one place. */
const char *grid_row_also(const struct grid_row *row, struct arena *arena);

/* Returns a copy of a grid whose rows include the trials. */
struct grid grid_with_trials(const struct grid *grid, struct arena *arena);

/* Iterates over every stage of every seed and row:
 *     for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) .. */
struct grid_cursor {
    int row, seed, stage;
};
bool grid_next(const struct grid *grid, struct grid_cursor *at);
const struct grid_stage *grid_stage_at(const struct grid *grid, const struct grid_cursor *at);

/* True if a name in the grid's file refers to this row. The name may be the row's name at any of
 * its places, with or without the axes that have one value. It may also be the name as written,
 * which all rows of a sweep share. */
bool grid_row_meant(const struct grid_row *row, const char *name);
/* True if a name means a row of the grid, or of its whole. */
bool grid_name_meant(const struct grid *grid, const char *name);
/* Returns the list with split names joined. YAML and the command line split the name "gate, window
 * 1" at its comma. So neighboring texts are joined if the joined text is the name of a row. */
const struct tree *grid_names_join(const struct grid *grid, const struct tree *list,
                                   struct arena *arena);
/* Returns the grid's whole; the grid itself if it has none. */
const struct grid *grid_whole(const struct grid *grid);
/* Dies because a name means no row, unless it is the name of a row that only the grid's whole has.
 * The message has the nearest name. `name` is a scalar, or a list with the name as item `at`. */
void grid_name_require(const struct grid *grid, const char *what, const struct tree *name, int at,
                       struct arena *arena);
/* Returns the index of the row that has this name, with its coordinates, at one of its places; -1
 * if there is none. */
int grid_row_called(const struct grid *grid, const char *name);
/* Returns the index of the row to which a name refers in a comparison with row `like`; -1 if there
 * is none. This is the row that has this name. If several rows of a sweep share the name as
 * written, it is the first of them that agrees with `like` on all its axes. */
int grid_row_beside(const struct grid *grid, const char *name, int like);
