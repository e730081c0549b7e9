/* The columns that a grid's table can have (summary.h lists them): what their values are and how
 * they are printed. */
#ifndef RESULTS_COLUMN_H
#define RESULTS_COLUMN_H

#include "core/base/arena.h"

enum column_form {
    COLUMN_FIXED, /* 36.12 */
    COLUMN_COUNT, /* 3,681,280 */
    COLUMN_SHORT, /* up to 5 digits */
    COLUMN_SECONDS
};

struct column {
    const char *name;  /* as written: "bleu"; in delta(bleu) it is "bleu", too */
    const char *kind;  /* of the stage; NULL: all stages of a seed */
    const char *value; /* its name in that stage's summary */
    const char *header;
    enum column_form form;
    int decimals;
    bool always; /* known also of a stage that diverged */
    bool delta;  /* the difference against the baseline */
};

/* False when there is no such column; then *nearest is the one that may be meant, or NULL. */
bool column_find(const char *name, struct column *column, const char **nearest,
                 struct arena *arena);

const char *column_text(const struct column *column, double value, struct arena *arena);

extern const char *const column_names[]; /* NULL-terminated; besides these, KIND.NAME and delta */

#endif
