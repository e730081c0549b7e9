/* What a grid is to its table: rows, seeds, and the stages that these are made of. */
#pragma once

#include "core/config/tree.h"

struct offer;   /* results/store/offer.h */
struct learned; /* results/table/learned.h */

struct summary_stage {
    const char *kind, *id; /* "train", 64 hexadecimal digits */
    const char *part;      /* of a kind with parts; else NULL */
};
/* KIND, or KIND.PART. */
const char *summary_stage_title(const struct summary_stage *stage, struct arena *arena);

struct summary_seed {
    int64_t seed;
    int count;
    const struct summary_stage *stage; /* [count] in the order in which they run */
};

/* Where a row stands on an axis of a sweep: {"model.heads", "8"} of an option, {"window", "wide"}
 * of an axis that the grid names itself. Keys of one zip have one axis. */
struct summary_factor {
    const char *key, *value; /* as the grid calls them */
    int axis;
    bool named;        /* the key is the grid's own, no option */
    const char *text;  /* as in the row's name: "heads=8", "window wide" */
    const char *plain; /* of a named axis whose value is one word: that; else NULL */
};

struct summary_row {
    const char *name; /* unique */
    int count;
    const struct summary_seed *seed; /* [count] */
    const struct tree *options;      /* of its points, merged, with names of presets; NULL: a
                                        row without a run */
    const struct tree *entry;        /* the row as the grid has it, for the keys that are the
                                        table's own (quote, hyp, section); NULL: none */
    const char *line;                /* its name without the factors; NULL: the whole name */
    int factors;
    int more; /* places beside the first: points that compute the same are one row */
    const struct summary_factor *factor; /* [1 + more][factors] */
};
/* Where a row's place (0: the one that its name tells) stands on the axis of a key; NULL: nowhere,
 * the row does not use it. */
const struct summary_factor *summary_row_factor(const struct summary_row *row, int place,
                                                const char *key);
/* True if both places have the same values on all axes that `row` uses, but on that of `without`
 * (NULL: on all of them); there `like` may have any. */
bool summary_row_agrees(const struct summary_row *row, int place, const struct summary_row *like,
                        int other, const struct summary_factor *without);
/* What a row of that name is called at a place by all of its axes but that of `without` (NULL: by
 * all of them), and so without what is zipped to it: "gate, layers 1-2". NULL: nothing is left. */
const char *summary_row_rest(const struct summary_row *row, int place, const char *name,
                             const struct summary_factor *without, struct arena *arena);
/* The places of a row beside the first, by what differs: "layers all"; NULL: there are none. */
const char *summary_row_also(const struct summary_row *row, struct arena *arena);

/* A column of a group that the grid has without naming it in its table: {"Syntactic",
 * "probe.TreeDepth"}. */
struct summary_member {
    const char *group, *column;
};

/* The view of a part that a column KIND.PART means (column.h). */
struct summary_view {
    const char *title; /* "probe.Tense" */
    bool several;      /* some row has several views of it */
    const char *means; /* what the column means: "encoder.output"; NULL: rows differ */
    const char *among; /* the views of a row without the one that it means: "probe.Tense@encoder.1,
                          probe.Tense@encoder.2"; NULL: every row has that one */
};

/* What a grid's words can be, for checking; lists end with NULL, and a list that is NULL is not
 * checked. */
struct summary_words {
    const char *const *kind; /* of stages */
    const char *const *part; /* "KIND.PART" that some row has */
    int views;
    struct summary_view *view; /* [views] */
    const char *const *option; /* "encoder.attention" */
    const char *const *axis;   /* "window": axes of the grid's own names */
    int members;
    struct summary_member *member; /* [members] of groups that parts of stages have of themselves */
    /* The command line has changed which rows there are. What the grid says of a row or a value
     * that is gone is then left out, and is no mistake. */
    bool varied;
    const struct tree *defaults; /* of options that a row does not set; NULL: none are known */
    /* Those that are others beside what a row's options set; NULL: none. */
    const struct tree *(*beside)(struct arena *arena, const struct tree *options);
};

struct summary_grid {
    const char *grid, *title, *source; /* title and source may be NULL */
    const char *file;                  /* as it was typed; NULL: the grid was composed */
    int assignments;
    const char *const *assignment; /* [assignments] of the command line: "train.rate=2" */
    const char *digest;            /* of its points; NULL: not known */
    bool incomplete;               /* text is missing, and so some ids are not known */
    int rows;
    const struct summary_row *row; /* [rows] in the paper's order */
    int tags;
    const char *const *tag; /* [tags] words by which it is found again */
    const char *note;       /* NULL: none */
    struct summary_words words;
    const struct layout *layout;   /* of the key `table`, by summary_read */
    const struct learned *learned; /* which seeds learned; NULL: nothing says */
    const bool *only;              /* [rows] which of them the table shows; NULL: all */
};

/* Every stage of every seed and row:
 *     for (struct summary_place at = {0}; summary_next(grid, &at); at.stage++) .. */
struct summary_place {
    int row, seed, stage;
};
bool summary_next(const struct summary_grid *grid, struct summary_place *at);
const struct summary_stage *summary_stage_at(const struct summary_grid *grid,
                                             const struct summary_place *at);
/* What the kind offers that trains the rows' models; NULL: none does. */
const struct offer *summary_training(const struct summary_grid *grid);

/* Whether a name in the grid's file means this row: its own, at any of its places, or the one that
 * it had before a sweep made several rows of it. */
bool summary_row_meant(const struct summary_row *row, const char *name);
/* The row of that name, with the values of all its axes, at one of its places; -1: none. */
int summary_row_called(const struct summary_grid *grid, const char *name);
/* The row that a name means beside row `like`: the one of that name, or of the rows that it became
 * the one at the same place on all axes that it uses. -1: none. */
int summary_row_beside(const struct summary_grid *grid, const char *name, int like);
