/* The columns that a grid's table can have: where their values come from and how they are printed.
 *
 *   parameters, dev_loss, bleu, speed, ..  what kinds of stages offer (offer.h)
 *   wall                                   seconds of all stages of one seed together
 *   KIND.NAME                              any value that a stage of that kind has in its summary
 *   mean(GROUP)                            of the columns that table.groups names so, seed by seed
 *   delta(COLUMN)                          difference of means against the baseline
 *   p(bleu), centered(bleu), swapped(bleu) p against the baseline (significance.h)
 *   has(OPTION.WORD)                       a check mark where the options say so
 *   option(OPTION)                         the option's value
 *   number                                 the row's number, from 1 */
#ifndef RESULTS_COLUMN_H
#define RESULTS_COLUMN_H

#include "core/base/arena.h"
#include "core/config/place.h"

enum column_source {
    COLUMN_VALUE, /* of a stage's summary */
    COLUMN_WALL,
    COLUMN_MEAN,
    COLUMN_P,
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_NUMBER
};

enum column_form {
    COLUMN_FIXED,    /* 36.12 */
    COLUMN_EXACT,    /* 3,681,280 */
    COLUMN_SHORT,    /* up to 5 digits */
    COLUMN_SCALED,   /* 3 digits: 3.68M, 524K */
    COLUMN_MILLIONS, /* 88.0M */
    COLUMN_SECONDS
};
#define COLUMN_FORMS "fixed|exact|digits|scaled|millions|time" /* as a grid names them */

enum column_best { COLUMN_NONE, COLUMN_MOST, COLUMN_LEAST };
#define COLUMN_BESTS "none|max|min"

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

struct measure;

struct column {
    const char *name; /* as written: "delta(bleu)" */
    enum column_source source;
    const char *kind;  /* VALUE: of the stage */
    const char *value; /* VALUE: its name in that stage's summary; MEAN: the group; HAS, OPTION: the
                          path of options */
    const struct measure *measure; /* VALUE: what its kind says of it (offer.h); NULL: nothing */
    const char *header;
    enum column_form form;
    int decimals;
    enum column_best best; /* which value of the column is set in bold */
    enum column_p p;       /* P: which one */
    bool always;           /* known also of a stage that diverged */
    bool delta;            /* the difference against the baseline */
    bool absolute;         /* DELTA: the baseline's own cell has its value */
    bool once;             /* in a table that is arranged by a factor: stands before its groups */
    struct place place;    /* where the grid asks for it */
};

/* False when there is no such column; then *nearest is the one that may be meant, or NULL. */
bool column_find(const char *name, struct column *column, const char **nearest,
                 struct arena *arena);

/* Whether the column has numbers over seeds; the others (has, option, number) are of a row. */
bool column_is_number(const struct column *column);

/* "global" of "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
const char *column_text(const struct column *column, double value, struct arena *arena);

/* NULL-terminated; besides these, KIND.NAME. */
const char *const *column_names(struct arena *arena);

#endif
