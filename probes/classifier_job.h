/* Input and results of probing classifiers (classifier.h). */
#pragma once

#include "core/tensor/ops.h"
#include "probes/protocol.h"

/* Indices of items. The items of train may have any order. Each epoch permutes this order. */
struct probe_items {
    const int32_t *item;
    int count; /* 1 or more */
};
enum probe_role { PROBE_TRAIN, PROBE_DEV, PROBE_TEST, PROBE_ROLES };

struct probe_data {
    int N, D, labels;
    const float *vector;  /* [N, D] finite; may be a mapped file */
    const int32_t *label; /* [N] labels below `labels` */
    struct probe_items items[PROBE_ROLES];
};

/* Result of a setting. */
struct probe_trained {
    struct probe_setting setting;
    int evaluations, best; /* number of dev scores; number (from 1) of the first best score */
    int64_t updates;       /* updates of the whole training */
    int32_t *predicted[PROBE_ROLES]; /* predicted labels of dev and test, by item; train: NULL */
    /* [test] natural logarithm of the probability of the right label. */
    float *likelihood;
    int right[PROBE_ROLES]; /* number of right predictions */
};
/* Callbacks; each may be NULL. */
struct probe_calls {
    /* Returns true if an earlier run has the results of the setting. The callback then fills in
     * evaluations, best and updates, and the allocated arrays `predicted` and `likelihood`. */
    bool (*known)(int setting, struct probe_trained *trained, void *context);
    /* Called after the training of a group. `setting` has the indices of its `count` settings. */
    void (*trained)(const int *setting, int count, const struct probe_trained *all, void *context);
    /* Called after a group was scored on dev. `going_on` is the number of settings of the group
     * that are still in training. A program that ends in this callback loses only the work on this
     * group. */
    void (*scored)(int epochs, int going_on, void *context);
    void *context;
};

struct probe_job {
    const struct ops *ops;
    const struct protocol *protocol;
    bool linear; /* overrides the protocol (protocol_settings) */
    /* Subtracts the mean over train from every column and divides by the population standard
     * deviation over train. A constant column becomes 0. */
    bool standardize;
    uint32_t seed;
    size_t cache; /* maximum bytes of a group; 0: the default */
    const struct probe_data *data;
    struct probe_calls calls;
};
