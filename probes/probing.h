/* Probes a task with the vectors of its sentences. Combines the trainings (classifier.h) of all
 * seeds and folds.
 *
 * Without folds a classifier trains on tr, chooses its setting on va and is tested on te. With K
 * folds there are K classifiers. Each classifier is tested on one fold, chooses its setting on the
 * next fold and trains on all other folds. Every item is therefore tested once. */
#pragma once

#include "probes/classifier.h"
#include "probes/online_code.h"
#include "probes/task_data.h"

struct probing_job {
    /* Job of every training. probing_run sets its seed and data. Callbacks are called in each of
     * the probing_trainings trainings. */
    struct probe_job each;
    bool code;        /* also compute online codes */
    int seeds, folds; /* number of seeds (1, 2, ..); number of folds (0: the splits of the file) */
    const struct task_data *data;
    const float *vector; /* [items][columns] in the order of the file */
    int columns;
    /* Called before each training; may be NULL. */
    void (*begins)(int training, const struct probe_data *data, void *context);
};

/* The setting that one training chose, and its accuracies. */
struct probing_choice {
    int seed, fold; /* from 1; `fold` is the tested fold, 0 without folds */
    struct probe_setting setting;
    int64_t updates;
    double dev, test; /* accuracies, per cent */
};

struct probing {
    int tested;               /* number of tested items */
    const int32_t *item;      /* [tested] lines of the file, from 0, ascending */
    const double *right;      /* [tested] share of seeds with a right prediction */
    const int32_t *predicted; /* [seeds][tested] predicted labels */
    double accuracy, dev;     /* accuracy on tested items and on dev, per cent */
    const double *of_seed;    /* [seeds] accuracy with each seed, per cent */
    double deviation;         /* sample standard deviation of `of_seed`; 0 with one seed */
    double updates;           /* updates of the chosen classifiers, mean over trainings */
    int undertrained;         /* number of undertrained trainings (classifier.h) */
    const struct probing_choice *choice; /* [trainings] */
    /* Means over trainings, except `items`, which belongs to the first training. */
    struct online_code code;
};

int probing_trainings(const struct probing_job *job);
/* Runs all trainings. The result is in the arena. */
struct probing probing_run(const struct probing_job *job, struct arena *arena);
