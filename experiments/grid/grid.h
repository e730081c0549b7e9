/* A grid: one YAML file per table or figure of a paper, read into points (row by seed), every one
 * of them checked before anything starts.
 *
 *   grid, title, source   its name (letters, digits, - and _) and where it comes from
 *   tags, note            words by which its stages are found again
 *   base                  another grid that lies beneath, by its path relative to this file, or by
 *                         its name (a file beside this one, else as grid_find): maps are merged
 *                         and everything else is replaced; rows, sweep, zip, exclude, where,
 *                         claims, figures and each key of the table as a whole, ~ takes one away
 *   task                  what its points do: translation when absent
 *   corpus, model         options, or the name of a preset, or both: {preset: small6, dropout: 0}
 *   recipe                the name of a preset: how a paper trains, selects and decodes
 *   encoder, decoder, train, evaluate     options (`sanlab help options`)
 *   seeds                 a list or a range; 1 when absent. The verbs refuse one number above 1
 *                         (grid.lone_seed)
 *   rows                  named rows, each with options of its own, in the paper's order. A row
 *                         with `quote: {bleu: 27.3}` or `hyp: FILE` has no run; one with
 *                         `vectors: DIR` has no model, only probes of TASK.npy in that folder (of
 *                         1/TASK.npy, 2/TASK.npy, .. by seed)
 *   sweep                 {a.b: [..], window: [..]}: axes, the product of all, the last one runs
 *                         fastest. An axis is an option, or a name of the grid's own; an option
 *                         below `evaluate` goes without that word: probe.path
 *   zip                   {a.b: [..], window: [..]}, or a list of such maps: axes that change
 *                         together
 *   exclude               [{a.b: v, window: w}, ..]: rows that have all values of a map, or a name
 *   where                 an expression (core/config/expression.h) over axes, options, defaults
 *                         included, names of values, and `name`: rows that run and for which it
 *                         does not hold go
 *   table, learned, figures, claims   what is made of the results; `sanlab help table`. They stay
 *                         trees: those who draw read them (experiments/plan/drawn.h)
 *
 * Values of an axis are a list, range(first, end, step) with the end excluded, or a map that gives
 * each value a label ({narrow: 1, wide: [1, 5]}); a value may be any YAML. Of probe.path the value
 * `layers` is one for each layer of a row's encoder: rows with other encoders have other values.
 *
 * An axis that is an option is combined with every row: "Row, heads=4, layers=2". An axis of a name
 * (letters, digits, _; no key of a grid, no option, no column) is used as $name wherever a row, the
 * grid's options or a value of another axis have a value: a scalar, an item of a list, a value of a
 * map; ${name} inside of a word, in quotes where { } or [ ] are around it; $$ is a dollar. A row is
 * combined with the named axes that it uses and no others: "gate, window 3, layers 1-2". With
 * `sweep: false` a row takes no axis at all. Points of a row that compute the same are one row,
 * which stands at all their places (struct grid_row).
 *
 * What is laid over what: preset of the corpus, preset of the model, the recipe (of each, the last
 * one named wins), the grid's own sections, the row, its values of sweep and zip, the command line.
 * A preset NAME is experiments/{corpora,models,recipes}/NAME.yaml beside the executable, or a path
 * relative to the file that names it; it may have a base of its own. */
#pragma once

#include "core/config/scalar.h"

struct evaluation; /* sections.h */
struct settings;   /* core/train/translating.h */
struct stage_kind; /* kind.h */

struct grid_stage {
    const char *kind, *id; /* "train", 64 hexadecimal digits */
    const char *part;      /* of a kind with parts; else NULL */
};
/* KIND, or KIND.PART. */
const char *grid_stage_title(const struct grid_stage *stage, struct arena *arena);

struct grid_seed {
    int64_t seed;
    int count;
    const struct grid_stage *stage; /* [count] in the order in which they run */
};

/* Where a row stands on an axis of a sweep: {"model.heads", "8"} of an option, {"window", "wide"}
 * of an axis that the grid names itself. Keys of one zip have one axis. */
struct grid_factor {
    const char *key, *value; /* as the grid calls them */
    int axis;
    bool named;        /* the key is the grid's own, no option */
    const char *text;  /* as in the row's name: "heads=8", "window wide" */
    const char *plain; /* of a named axis whose value is one word: that; else NULL */
};

struct grid_row {
    const char *name; /* unique */
    int count;
    const struct grid_seed *seed; /* [count] with the stages, which the plan or a record knows */
    const struct tree *options;   /* of its points, merged, with names of presets; NULL: a row
                                     without a run */
    struct grid_point *point;     /* what its points have in common; NULL: no run, or no file */
    const struct tree *entry;     /* the row as the grid has it, for the keys that are the
                                     table's own (quote, hyp, section); NULL: none */
    const char *line;             /* its name without the factors; NULL: the whole name */
    const char *const *part;      /* "KIND.PART" of the parts of its stages, kind by kind, ended by
                                     NULL; NULL: it has no model */
    int factors;
    int more; /* places beside the first: points that compute the same are one row */
    const struct grid_factor *factor; /* [1 + more][factors] */
};

/* A row with one of the seeds, but for the seed. */
struct grid_point {
    const struct tree *options; /* everything merged, without names of presets */
    const struct settings *settings;
};

/* A column of a group that the grid has without naming it in its table: {"Syntactic",
 * "probe.TreeDepth"}. */
struct grid_member {
    const char *group, *column;
};

/* What a grid's words can be, for checking; lists end with NULL, and a list that is NULL is not
 * checked. */
struct grid_words {
    const char *const *kind;        /* of stages */
    const char *const *part;        /* "KIND.PART" that some row has */
    const char *const *option;      /* "encoder.attention" */
    const char *const *axis;        /* "window": axes of the grid's own names, */
    const struct place *axis_place; /* and where they stand */
    int members;
    struct grid_member *member; /* [members] of groups that parts of stages have of themselves */
    /* The command line has changed which rows there are. What the grid says of a row or a value
     * that is gone is then left out, and is no mistake. */
    bool varied;
    bool taken;                  /* and it has taken away what the file says: "~evaluate.bleu" */
    const struct tree *defaults; /* of options that a row does not set; NULL: none are known */
    /* Those that are others beside what a row's options set; NULL: none. */
    const struct tree *(*beside)(struct arena *arena, const struct tree *options);
};

struct grid {
    const char *name; /* of the file; with assignments GRID+a.b=c, a name of its own */
    const char *title, *source, *note; /* NULL: none */
    const char *path;                  /* NULL: only a record knows it */
    const char *file;                  /* as it was typed; NULL: the grid was composed */
    int assignments;
    const char *const *assignment; /* [assignments] of the command line: "train.rate=2" */
    const char
        *digest;       /* of its points: names of rows, options as merged, seeds; NULL: not known */
    bool incomplete;   /* text is missing, and so some ids are not known */
    int64_t written;   /* ns: when its record was (record.h) */
    const char *task;  /* "translation" */
    struct texts tags; /* words by which it is found again */
    int rows;
    struct grid_row *row; /* [rows] in the paper's order */
    int seeds;
    uint32_t *seed;               /* [seeds] */
    const struct tree *lone_seed; /* "seeds: 3", which may be meant as a count; or NULL */
    struct grid_words words;
    const struct tree *table, *learned_map, *claims, *figures; /* as written; NULL: none */
    /* What those who draw have read (results/table/layout.h, learned.h); NULL: nothing yet. */
    const struct layout *layout;
    const struct learned *learned;
    const bool *only; /* [rows] which of them the table shows; NULL: all */
};

/* `override` holds the command line's words: "a.b=c", "a.b=1,2,3" and "a.b=range(1,7)" (a sweep),
 * "~a.b" (back to the default); "seeds=1,2" replaces the seeds, "seeds=+3,4" adds to them. A key
 * that the grid sweeps gets other values; others lie over everything. Everything lives in the
 * arena. Dies at the place of what is wrong. */
struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides);

/* The same of a grid that was composed, not written: the document's place has no line, and its file
 * is what messages call it. */
struct grid *grid_of_tree(struct arena *arena, const struct tree *document,
                          const char *const *override, int overrides);

/* Which rows an expression is about (core/config/expression.h), over what `where` has: [rows]. Of a
 * row without a run only its name counts. Dies when it is about none, with `what` in front. */
const bool *grid_only(struct arena *arena, const struct grid *grid, const char *what,
                      const char *text);

/* The point of a row that asks for a kind by its section; NULL: it does not, or has no run. */
const struct grid_point *grid_row_asks(const struct grid *grid, int row,
                                       const struct evaluation *evaluation);
/* A row that runs gets other options, at all its points: for kinds that ask (kind.h). */
void grid_row_say(struct grid *grid, int row, const struct tree *options, struct arena *arena);
/* What die_at refuses from here on is said to be of this row, where there are several; -1: of none,
 * before the arena is freed. */
void grid_row_about(const struct grid *grid, int row, struct arena *arena);

/* Whether a point that has options asks for a kind: by its grid's task, or by a section. */
bool grid_asks(const struct grid *grid, const struct grid_point *point,
               const struct stage_kind *kind);

/* The file of a grid that a user names. A word is a path, or the name of a file with or without
 * .yaml, which is looked for in the user's folders (grid_folders), then in the folder of the
 * shipped grids. Warns once if a file of the user hides another shipped one; dies if both folders
 * of the user have the name. Where there is none, grid_find dies with the nearest name and
 * grid_find_try returns NULL. */
const char *grid_find(struct arena *arena, const char *word);
const char *grid_find_try(struct arena *arena, const char *word);
/* The path of the file that such a word means, where there is none. */
const char *grid_expected(struct arena *arena, const char *word);
/* "grids" and "experiments", relative to the working directory; NULL-terminated. */
extern const char *const grid_folders[];
/* The names of the shipped grids, sorted and NULL-terminated. */
const char *const *grid_shipped_names(struct arena *arena);
/* Another file in the folder of the grid's file that has the same `grid: NAME` and other bytes;
 * NULL: there is none. */
const char *grid_twin(struct arena *arena, const struct grid *grid);
/* The name that a file gets beside a grid that reads it: its last part if it lies in a folder in
 * which a base was found by its name (`base: tour`); else NULL. */
const char *grid_base_beside(const char *path);

/* The name of a grid with assignments, of which files and folders are made. */
const char *grid_variant(struct arena *arena, const char *name, const char *const *override,
                         int overrides);

/* The fragment of a grid that a preset of the section "corpus", "model" or "recipe" stands for; a
 * path is relative to the file in which the name stands. */
const struct tree *grid_preset(struct arena *arena, const char *section, const struct tree *name);
/* The fragment without what those who say `over` say in another way. */
const struct tree *grid_preset_below(struct arena *arena, const struct tree *preset,
                                     const struct tree *over);

/* ---- rows and places (grid_places.c) ---- */

/* Where a row's place (0: the one that its name tells) stands on the axis of a key; NULL: nowhere,
 * the row does not use it. */
const struct grid_factor *grid_row_factor(const struct grid_row *row, int place, const char *key);
/* True if both places have the same values on all axes that `row` uses, but on that of `without`
 * (NULL: on all of them); there `like` may have any. */
bool grid_row_agrees(const struct grid_row *row, int place, const struct grid_row *like, int other,
                     const struct grid_factor *without);
/* What a row of that name is called at a place by all of its axes but that of `without` (NULL: by
 * all of them), and so without what is zipped to it: "gate, layers 1-2". NULL: nothing is left. */
const char *grid_row_rest(const struct grid_row *row, int place, const char *name,
                          const struct grid_factor *without, struct arena *arena);
/* The places of a row beside the first, by what differs: "layers all"; NULL: there are none. */
const char *grid_row_also(const struct grid_row *row, struct arena *arena);

/* Every stage of every seed and row:
 *     for (struct grid_place at = {0}; grid_next(grid, &at); at.stage++) .. */
struct grid_place {
    int row, seed, stage;
};
bool grid_next(const struct grid *grid, struct grid_place *at);
const struct grid_stage *grid_stage_at(const struct grid *grid, const struct grid_place *at);

/* Whether a name in the grid's file means this row: its own, at any of its places, or the one that
 * it had before a sweep made several rows of it. */
bool grid_row_meant(const struct grid_row *row, const char *name);
/* The row of that name, with the values of all its axes, at one of its places; -1: none. */
int grid_row_called(const struct grid *grid, const char *name);
/* The row that a name means beside row `like`: the one of that name, or of the rows that it became
 * the one at the same place on all axes that it uses. -1: none. */
int grid_row_beside(const struct grid *grid, const char *name, int like);
