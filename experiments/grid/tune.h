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
 *     epochs: 7       number of epochs of trials; the row's own seeds have those of the row
 *     repeats: 3      search and choice are repeated, once for each seed of the grid
 *     halving: {from: 8 epochs, keep: 1/3}   stops the worse trials early (halving.h)
 *
 * Search i (from 0) has the seeds draws + i, and seed + 3 i to seed + 3 i + 2. Its choice has the
 * i-th seed of the grid. So the values of a row over its seeds are those of independent searches.
 *
 * A row may add options: `tune: {over: {..}}`. A row with `tune: false` is not tuned. A trial is a
 * point like any other, so another grid with the same point uses the same stages. It has only the
 * stages that the metric needs. */
#pragma once

#include "experiments/grid/draws.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/halving.h"

/* A metric on dev, and the stage with its value. */
struct tune_metric {
    const char *name;  /* "dev_loss" */
    const char *kind;  /* kind of stage: "train" */
    const char *value; /* name of its value */
    bool less;         /* lower is better */
};
#define TUNE_CHARACTERS "nats_per_character" /* its value is per token */

struct tune {
    const struct tree *over, *halved; /* halved: the key `halving`; NULL: none */
    struct halving halving;
    int trials, draws, seed, finalists, repeats;
    int epochs; /* of trials; 0: those of the row */
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

/* The trials of a row. Trial t of search i has the number i * trials + t. */
struct tuned {
    const struct tune *tune;
    const struct tune_metric *metric;
    const char *checkpoint; /* checkpoint that is measured, "best" */
    int keys;
    const struct draw *key;     /* [keys] */
    const struct tree *written; /* all options of the row as written, defaults included */
    /* [keys] the value of a map that is the same as the option of the row as written; or NULL */
    const struct tree **label;
    int trials;                      /* of a search */
    int rungs;                       /* 0: every trial runs to the end */
    const int *rung;                 /* [rungs] length of a trial at each rung, ascending */
    int searches;                    /* 1 without `repeats` */
    const struct tuned_trial *trial; /* [searches * trials] */
    const int *chosen;               /* [searches] numbers of the chosen trials; NULL: not known */
    const struct grid_resolved *own; /* [searches] the row with the chosen options */
};

/* Returns the metric with this name; NULL if there is none. `trained`: its value is one of the
 * training, not of a score. */
const struct tune_metric *tune_metric(const char *name, bool trained);
/* Returns a trial with another length of the training, in the unit of tune.halving. */
const struct grid_resolved *tune_shortened(const struct tuned *tuned, int trial, int length,
                                           struct arena *arena);
/* Gives a row the chosen options. trial: [searches] its numbers */
void tune_choose(struct grid_row *row, const int *trial, struct arena *arena);
/* Returns the options of a row's point with the seed at index `seed`. */
const struct grid_resolved *tune_resolved(const struct grid_row *row, int seed);
/* First seed of the trials of a search. */
static inline uint32_t tune_seed(const struct tune *tune, int search)
{
    return (uint32_t)(tune->seed + search * TUNE_SEEDS);
}
/* Number of searches of a row; 0: the row is not tuned. */
static inline int tuned_searches(const struct grid_row *row)
{
    return row->tuned ? row->tuned->searches : 0;
}
/* Returns the value of the tuned option `key` in a trial. NULL: the row as written has none. */
const struct tree *tuned_trial_value(const struct tuned *tuned, int trial, int key);
/* Returns the index of a tuned option; -1: the row does not tune it. */
int tuned_key(const struct tuned *tuned, const char *path);
/* Returns the option `key` of the trial that a search has chosen; NULL if there is none. For trial
 * 0, this is a value of the space if it is the same. */
const struct tree *tuned_value(const struct tuned *tuned, int search, int key);
