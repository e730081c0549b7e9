/* One column's values of one row of a grid, over its seeds, and how a cell says them. */
#ifndef RESULTS_SAMPLE_H
#define RESULTS_SAMPLE_H

#include "results/column.h"
#include "results/summary.h"

struct sample {
    int total, count;      /* seeds; those that have a value */
    double *value;         /* [total] NaN: none, and then why not */
    const char **why;      /* [total] a status */
    const char *signature; /* of the values; NULL: none */
    bool mixed;            /* several signatures */
};

/* Asks the database; remembers what the captions must explain. */
struct sampler {
    struct store *store;
    struct arena *arena;
    sqlite3_stmt *status, *value, *text;
    bool partial, incomparable;
};

struct sampler sampler_open(struct store *store, struct arena *arena);
void sampler_close(struct sampler *sampler);

struct sample sample_row(struct sampler *sampler, const struct column *column,
                         const struct summary_row *row);
/* "36.12 ± 0.21 (3)", "36.12 (1/3, 1 failed)", "running"; NULL when there is nothing to say. */
const char *sample_text(struct sampler *sampler, const struct column *column,
                        const struct sample *sample);
/* Mean difference over the seeds that both rows have; "" for the baseline itself. */
const char *sample_delta(struct sampler *sampler, const struct column *column,
                         const struct summary_row *row, const struct summary_row *baseline);

#endif
