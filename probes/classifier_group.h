/* Settings that are trained together: their shared device memory and the state of each. Internal to
 * the classifier (classifier.h defines the computation).
 *
 * The classifier calls the op table itself, because two layers and a protocol of up to 36 settings
 * need no list of nodes. Each setting has its own slabs (core/tensor/parameter.h). Settings of one
 * shape have the same batches and dropout. An update therefore gathers vectors and draws the mask
 * once for all of them (op squash takes several blocks). Four settings of 200 units take a fifth
 * less time together than alone. The grouping changes no bit, because a product is defined element
 * by element. So an interrupted task continues with the missing settings. Products of 64 rows are
 * too small to divide: a task has one thread, and two tasks have two cores. */
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
    int setting; /* index in the protocol */
    struct probe_trained *trained;
    struct parameters parameters;
    struct probe_layer hidden, output;
    struct probe_watch watch;
    real *best;         /* [parameters.slab] master parameters of the best evaluation, on the
                         * host */
    int32_t *predicted; /* [dev] of the last evaluation */
};

/* A group of members with the same hidden units and dropout. Arrays by row have `capacity` rows. */
struct probe_group {
    const struct probe_job *job;
    const real *table; /* device [N, D]: the vectors */
    struct arena arena;
    int members, hidden; /* hidden: units of each member */
    struct probe_member *member;
    int going; /* number of members still in training; arrays by member have only these, in the
                * order of `go` */
    struct probe_member *go[PROTOCOL_SETTINGS];
    struct dropout dropout;
    int64_t updates;
    int capacity;
    size_t memory_bytes;
    char *memory; /* device: all arrays below */
    char *host;   /* host image of step, rows, item and label, uploaded in one piece for each
                   * batch */
    struct step *step;
    int32_t *rows; /* [1] */
    int32_t *item, *label;
    size_t image_bytes;
    struct outcome *outcome;
    struct act *x;                    /* [capacity, D] vectors of the batch */
    struct act *unit, *unit_gradient; /* [members][capacity, hidden] */
    struct act *logits;               /* [capacity, C] of one member at a time */
    real *loss, *likelihood;          /* [capacity] */
    real *score;                      /* [capacity] score of the best label */
    int32_t *predicted;               /* [capacity] the best label */
};

/* Opens a group. The caller fills in `job`, `table`, `members` and `member` with setting and
 * trained. Allocates the rest and initializes the parameters. */
void probe_group_open(struct probe_group *group);
void probe_group_close(struct probe_group *group);
/* Returns the bytes that a setting adds to a group. */
size_t probe_group_bytes(const struct probe_job *job, const struct probe_setting *setting);

/* Removes the members whose training has ended from `go`. */
void probe_group_drop(struct probe_group *group);

/* Makes one update of the members still in training. */
void probe_group_update(struct probe_group *group, const int32_t *item, int count);

/* Predicts one role. Dev: with the current parameters of the members still in training. Test: with
 * the best parameters of all members, and with likelihood. */
void probe_group_score(struct probe_group *group, enum probe_role role);
