/* The numbers of a figure, from the store: of a grid's row the mean over its seeds, and how far the
 * values behind it are apart. */
#ifndef PLOTS_VALUES_H
#define PLOTS_VALUES_H

#include "plots/canvas.h"
#include "plots/figure.h"
#include "results/sample.h"

/* What a deviation is taken over. */
enum spread {
    SPREAD_NONE, /* one value */
    SPREAD_SEEDS,
    SPREAD_CHECKPOINTS, /* of the only seed, with mean_of_best(N) */
    SPREAD_KINDS
};

struct value_of_row {
    double mean, deviation; /* NaN: none */
    int count;              /* seeds or checkpoints */
    enum spread spread;
};

struct value_reader {
    struct sampler sampler;
    const struct summary_grid *grid;
    struct arena *arena;
    sqlite3_stmt *checkpoints, *layers, *curve;
};

struct value_reader value_reader_open(struct store *store, const struct summary_grid *grid,
                                      struct arena *arena);
void value_reader_close(struct value_reader *reader);

/* A column's value of a row. */
struct value_of_row value_read(struct value_reader *reader, const struct column *column, int row);

/* Mean gate by layer, over the seeds that have one; the deviation is that of single gates, the root
 * of the mean variance. Returns the number of layers up to the highest gated one; mean [layer - 1]
 * is NaN where a layer has no gates. *n is the number of gates behind one seed's layer. */
int value_read_layers(struct value_reader *reader, int row, double **mean, double **deviation,
                      int64_t *n);

/* A metric of the train stages of a row against the step: the mean over the seeds that have any,
 * at the steps that all of those have. Returns the number of steps. */
int value_read_curve(struct value_reader *reader, int row, const char *metric, double **step,
                     double **value);

/* Why a row has no value: "running", "2 failed", "not run". */
const char *value_why(struct value_reader *reader, int row, const char *kind);
/* Whether all stages of a kind are done in every seed. */
bool value_done(struct value_reader *reader, int row, const char *kind);

#endif
