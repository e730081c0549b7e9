/* A probing task on the vectors of its sentences: every seed and fold of a protocol
 * (classifier.h), put together.
 *
 * Without folds a classifier learns on tr, chooses on va and is tested on te. With K folds there
 * are K of them: each is tested on one fold, chooses on the next one and learns on the others, so
 * that every item is tested once. */
#pragma once

#include "probes/classifier.h"
#include "probes/online_code.h"
#include "probes/task_data.h"

struct probing_job {
    /* What all trainings have; their seed and data are filled in. Calls are those of the training
     * at work, which is number `training` of `probing_trainings`. */
    struct probe_job each;
    bool code;        /* online codes, too */
    int seeds, folds; /* seeds 1, 2, ..; folds 0: the splits of the file */
    const struct task_data *data;
    const float *vector; /* [items][columns] in the order of the file */
    int columns;
    void (*begins)(int training, const struct probe_data *data, void *context); /* may be NULL */
};

/* What one training chose. */
struct probing_choice {
    int seed, fold; /* from 1; fold: which one is tested, 0 without folds */
    struct probe_setting setting;
    int64_t updates;
    double dev, test; /* accuracies, per cent */
};

struct probing {
    int tested;               /* items */
    const int32_t *item;      /* [tested] their lines in the file, from 0, ascending */
    const double *right;      /* [tested] the share of seeds that got them right */
    const int32_t *predicted; /* [seeds][tested] labels */
    double accuracy, dev;     /* per cent, means over seeds; dev: of the chosen settings */
    const double *of_seed;    /* [seeds] accuracies */
    double deviation;         /* their sample standard deviation; 0 of a single one */
    double updates;           /* of the chosen classifiers, mean over trainings */
    int undertrained;         /* of the trainings (classifier.h) */
    const struct probing_choice *choice; /* [trainings] */
    struct online_code code; /* means over trainings; items of shares are the first one's */
};

int probing_trainings(const struct probing_job *job);
/* In the arena. */
struct probing probing_run(const struct probing_job *job, struct arena *arena);
