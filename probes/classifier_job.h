/* Input and results of probing classifiers (classifier.h). */
#pragma once

#include "core/tensor/ops.h"
#include "probes/protocol.h"

/* Item indices. Train may have any order; its epoch permutations act on this order. */
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
    int32_t *predicted[PROBE_ROLES]; /* of dev and test, in the order of their items; train: NULL */
    float *likelihood;               /* [test] natural logarithm of the label's probability */
    int right[PROBE_ROLES];          /* number of right predictions */
};
/* Callbacks; each may be NULL. */
struct probe_calls {
    /* Returns true if the setting is known from an earlier run. The callback then has filled
     * evaluations, best, updates, predictions and likelihood, which are allocated before. */
    bool (*known)(int setting, struct probe_trained *trained, void *context);
    /* Called after a group has ended. `setting`: the `count` settings that are now trained. */
    void (*trained)(const int *setting, int count, const struct probe_trained *all, void *context);
    /* Called after a group has scored dev. `going_on`: number of its settings still in training. A
     * program that ends here loses only the work on this group. */
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
    size_t cache; /* bytes that a group may take; 0: the default */
    const struct probe_data *data;
    struct probe_calls calls;
};
