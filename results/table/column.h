/* The columns that a grid's table can have: where their values come from and how they are printed.
 *
 *   parameters, dev_loss, bleu, speed, ..  what kinds of stages offer (offer.h)
 *   wall                                   seconds of all stages of one seed together
 *   KIND.NAME                              any value that a stage of that kind has in its summary
 *   KIND.PART, KIND.PART.NAME              the same of a kind whose stages are of parts
 *   mean(GROUP)                            of the columns that table.groups names so, seed by seed
 *   delta(COLUMN)                          difference of means against the baseline
 *   p(COLUMN), centered(COLUMN), swapped(COLUMN)
 *                                          p against the baseline (significance.h), of a column
 *                                          whose kind leaves evidence (evidence.h): bleu
 *   has(OPTION.WORD)                       a check mark where the options say so
 *   option(OPTION)                         the option's value
 *   number                                 the row's number, from 1
 *
 * A column that names dimensions has the values of the metric rows of a stage that have these and
 * no others, of the last step where there are steps, and not those of its summary. */
#ifndef RESULTS_TABLE_COLUMN_H
#define RESULTS_TABLE_COLUMN_H

#include "core/base/arena.h"
#include "core/config/place.h"
#include "results/store/offer.h"

enum column_source {
    COLUMN_VALUE, /* of a stage's summary */
    COLUMN_WALL,
    COLUMN_MEAN,
    COLUMN_P,
    COLUMN_HAS,
    COLUMN_OPTION,
    COLUMN_NUMBER
};

enum { COLUMN_CLASSES_MOST = 1000 }; /* different classes of one measure */

enum column_p { COLUMN_KOEHN, COLUMN_CENTERED, COLUMN_SWAPPED };

struct column {
    const char *name; /* as written, "delta(bleu)"; with dimensions "gates.gate layer 3" */
    enum column_source source;
    const char *kind;  /* VALUE, P: of the stage */
    const char *part;  /* VALUE, P: of the stage, whose kind has parts; else NULL */
    const char *value; /* VALUE, P: its name in that stage's summary; MEAN: the group; HAS, OPTION:
                          the path of options */
    const struct measure *measure; /* VALUE, P: what its kind says of it (offer.h); NULL: nothing */
    const char *unit;              /* VALUE, P: what its differences are of: "BLEU" */
    const char *header;
    enum column_form form;
    int decimals;
    enum column_best best; /* which value of the column is set in bold */
    enum column_p p;       /* P: which one */
    bool always;           /* known also of a stage that diverged */
    bool delta;            /* the difference against the baseline */
    bool absolute;         /* DELTA: the baseline's own cell has its value */
    bool once;             /* in a table that is arranged by a factor: stands before its groups */
    struct dimensions of;  /* VALUE, P: which metric rows; none: the summary */
    struct place place;    /* where the grid asks for it */
};

/* What a table shows and tests, and what claims are of, when a grid names nothing. */
#define COLUMN_MAIN "bleu"

/* False when there is no such column; then *nearest is the one that may be meant, or NULL. */
bool column_find(const char *name, struct column *column, const char **nearest,
                 struct arena *arena);

/* Whether two columns have the same values, or p of them. */
bool column_is_same(const struct column *a, const struct column *b);
/* "BLEU", "Accuracy: NOUN": what the differences of a column's values are of. */
const char *column_unit(const struct column *column, struct arena *arena);

/* What reads what stands behind a column's values; NULL: nothing does. Behind those of a layer, a
 * head or one set stands none. */
evidence_reader *column_evidence(const struct column *column);

/* Whether the column has numbers over seeds; the others (has, option, number) are of a row. */
bool column_is_number(const struct column *column);

/* "global" of "encoder.attention.branches.global". */
const char *column_last_word(const char *path);
const char *column_text(const struct column *column, double value, struct arena *arena);

/* NULL-terminated; besides these, KIND.NAME. */
const char *const *column_names(struct arena *arena);

#endif
