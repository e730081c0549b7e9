/* What a classifier is given and what becomes of a setting (classifier.h says how). */
#pragma once

#include "core/tensor/ops.h"
#include "probes/protocol.h"

/* Items by their rows. Train may be in any order, on which its permutations act. */
struct probe_items {
    const int32_t *item;
    int count; /* from 1 */
};
enum probe_role { PROBE_TRAIN, PROBE_DEV, PROBE_TEST, PROBE_ROLES };

struct probe_data {
    int N, D, classes;
    const float *vector;  /* [N, D] finite; it may be a mapped file */
    const int32_t *label; /* [N] below `classes` */
    struct probe_items items[PROBE_ROLES];
};

/* A setting after its training. Accuracies are right items of data.items[..].count. */
struct probe_trained {
    struct probe_setting setting;
    int evaluations, best; /* how often dev was scored; which score (from 1) was the first best */
    int64_t updates;       /* of the whole training */
    int32_t *predicted[PROBE_ROLES]; /* of dev and test, in the order of their items; train: NULL */
    float *likelihood;               /* [test] natural logarithm of the label's probability */
    int right[PROBE_ROLES];          /* of these predictions */
};
/* What the caller may want to do meanwhile; any function may be NULL. */
struct probe_calls {
    /* Whether a setting is known from before: then it has filled evaluations, best, updates,
     * predictions and likelihood, for which there is room. */
    bool (*known)(int setting, struct probe_trained *trained, void *context);
    /* These settings, of which there are `count`, are trained: a group has ended. */
    void (*trained)(const int *setting, int count, const struct probe_trained *all, void *context);
    /* A group has scored dev: so many of its settings go on. Nothing is lost but this group if the
     * program ends here. */
    void (*scored)(int epochs, int going_on, void *context);
    void *context;
};

struct probe_job {
    const struct ops *ops;
    const struct protocol *protocol;
    bool linear; /* whatever the protocol says (protocol_settings) */
    /* Takes from every column the mean over train and divides it by the standard deviation there
     * (of the population; a column that is constant becomes 0). */
    bool standardize;
    uint32_t seed;
    size_t cache; /* bytes that a group may take; 0: as many as are best as a rule */
    const struct probe_data *data;
    struct probe_calls calls;
};
