/* A group of settings that are trained together: the device memory that they share, and the state
 * of each setting. Only the classifier uses this header. classifier.h defines the computation.
 *
 * The classifier calls the op table itself, because two layers and a protocol of up to 36 settings
 * need no list of nodes. Each setting has its own slabs (core/tensor/parameter.h). Settings with
 * the same hidden units and dropout have the same batches and dropout masks. An update therefore
 * gathers vectors and draws the mask once for the whole group (op squash takes several blocks).
 * Four settings of 200 units take a fifth less time together than alone. Results do not depend on
 * the grouping, because each element of a product is computed in a fixed order. So an interrupted
 * task can continue with groups of the missing settings. Products of 64 rows are too small to
 * divide among threads. So a task has one thread, and several tasks run in parallel. */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/parameter.h"
#include "probes/classifier_job.h"

#define PROBE_BETA1 0.9
#define PROBE_BETA2 0.999
#define PROBE_EPSILON 1e-8

/* Parameters of a layer. NULL for the hidden layer of a linear classifier. */
struct probe_layer {
    struct parameter *weight, *bias; /* [K, N], [1, N] */
};

struct probe_member {
    int setting; /* index of the setting in the protocol */
    struct probe_trained *trained;
    struct parameters parameters;
    struct probe_layer hidden, output;
    struct probe_watch watch;
    real *best;         /* [parameters.slab] master parameters of the best evaluation, on the
                         * host */
    int32_t *predicted; /* [dev] labels predicted in the last evaluation */
};

/* A group of members with the same hidden units and dropout. Arrays by row have `capacity` rows. */
struct probe_group {
    const struct probe_job *job;
    const real *table; /* device [N, D]: the vectors */
    struct arena arena;
    int members, hidden; /* hidden: units of each member */
    struct probe_member *member;
    /* Number of members still in training; `unit` and `unit_gradient` have their blocks in the
     * order of `go`. */
    int going;
    struct probe_member *go[PROTOCOL_SETTINGS];
    struct dropout dropout;
    int64_t updates;
    int capacity;
    size_t memory_bytes;
    char *memory; /* device memory of all arrays below */
    /* Host image of step, rows, item and label, uploaded in one piece for each batch. */
    char *host;
    struct step *step;
    int32_t *rows; /* [1] number of items of the batch */
    int32_t *item, *label;
    size_t image_bytes;
    struct outcome *outcome;
    struct act *x;                    /* [capacity, D] vectors of the batch */
    struct act *unit, *unit_gradient; /* [members][capacity, hidden] */
    struct act *logits;               /* [capacity, C] of one member at a time */
    real *loss, *likelihood;          /* [capacity] */
    real *score;                      /* [capacity] score of the best label */
    int32_t *predicted;               /* [capacity] index of the best label */
};

/* Opens a group. The caller has set job, table, members, and `setting` and `trained` of each
 * member. The function allocates all other memory and initializes the parameters. */
void probe_group_open(struct probe_group *group);
void probe_group_close(struct probe_group *group);
/* Returns the bytes that a setting adds to a group. */
size_t probe_group_bytes(const struct probe_job *job, const struct probe_setting *setting);

/* Removes the members whose training has ended from `go`. */
void probe_group_drop(struct probe_group *group);

/* Makes one update of the members still in training. */
void probe_group_update(struct probe_group *group, const int32_t *item, int count);

/* Predicts the labels of dev or test. For dev, the members still in training predict with their
 * current parameters. For test, all members predict with their best parameters, and likelihoods are
 * also computed. */
void probe_group_score(struct probe_group *group, enum probe_role role);
