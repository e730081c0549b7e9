/* The key `tune` of a grid. Each row is trained with several values of some options. The best trial
 * by a metric on dev is chosen. The row's own seeds are then trained with the chosen options.
 *
 *   tune:
 *     over: {train.rate: "loguniform(0.3, 3)", model.dropout: [0.1, 0.2]}   spaces (draws.h)
 *     trials: 12      number of trials of each row; trial 0 is the row as written
 *     grid: true      instead of `trials`: all combinations of values, and trial 0
 *     metric: dev_loss
 *     draws: 1        seed of the draws
 *     seed: 9001      seed of all trials
 *     finalists: 3    the best three trials get two more seeds (seed + 1, seed + 2)
 *
 * A row may add options: `tune: {over: {..}}`. A row with `tune: false` is not tuned. A trial is a
 * point like any other, so another grid with the same point uses the same stages. It has only the
 * stages that the metric needs. */
#pragma once

#include "experiments/grid/draws.h"
#include "experiments/grid/grid.h"

/* A metric on dev, and the stage with its value. */
struct tune_metric {
    const char *name;    /* "dev_loss" */
    const char *kind;    /* kind of stage: "train" */
    const char *value;   /* name of its value */
    const char *section; /* section that a trial gets in addition to evaluate.bleu; or NULL */
    bool less;           /* lower is better */
};
#define TUNE_CHARACTERS "nats_per_character" /* its value is per token */

struct tune {
    const struct tree *over;
    int trials, draws, seed, finalists;
    bool grid;
    const char *word;
    const struct tune_metric *metric; /* the metric with the name `word` */
    struct location location;         /* of the key `tune` */
};

enum { TUNE_SEEDS = 3 }; /* number of seeds of a finalist */

struct tuned_trial {
    struct tree **value;                  /* [keys] value of each option; trial 0: NULL */
    const struct grid_resolved *resolved; /* the point, with the sections that the metric needs */
};

/* The trials of a row. */
struct tuned {
    const struct tune *tune;
    const struct tune_metric *metric;
    const char *checkpoint; /* checkpoint that is measured, "best" */
    int keys;
    const struct draw *key;     /* [keys] */
    const struct tree *written; /* all options of the row as written, defaults included */
    int trials;
    const struct tuned_trial *trial; /* [trials] */
    int chosen;                      /* number of the chosen trial; -1: not known yet */
};

/* Returns the metric with this name; NULL if there is none. `trained`: its value is one of the
 * training, not of a score. */
const struct tune_metric *tune_metric(const char *name, bool trained);
/* Gives a row the options of a trial. */
void tune_choose(struct grid_row *row, int trial, struct arena *arena);
/* Returns the value of the tuned option `key` in a trial. NULL: trial 0 has none. */
const struct tree *tuned_trial_value(const struct tuned *tuned, int trial, int key);
/* Returns the option `key` of the chosen trial; NULL if there is none. */
const struct tree *tuned_value(const struct grid_row *row, const char *key);
/* True if the chosen value of the key is at the edge of its space (draw_is_edge). */
bool tuned_is_edge(const struct grid_row *row, const char *key);
