/* Settings that are trained side by side: what they share of the device's memory, and what each has
 * of its own. For the files of the classifier alone (classifier.h says what it computes). */
#pragma once

#include "core/base/arena.h"
#include "core/tensor/parameter.h"
#include "probes/classifier_job.h"

#define PROBE_BETA1 0.9
#define PROBE_BETA2 0.999
#define PROBE_EPSILON 1e-8

/* A layer's parameters; NULL where a linear classifier has none. */
struct probe_layer {
    struct parameter *weight, *bias; /* [K, N], [1, N] */
};

struct probe_member {
    int setting; /* which of the protocol's */
    struct probe_trained *trained;
    struct parameters parameters;
    struct probe_layer hidden, output;
    struct probe_watch watch;
    real *best;         /* [parameters.slab] masters of the best evaluation, on the host */
    int32_t *predicted; /* [dev] at the last evaluation */
};

/* Members have the same hidden units and dropout. Arrays by row have `room` rows. */
struct probe_group {
    const struct probe_job *job;
    const real *table; /* device [N, D] the vectors */
    struct arena arena;
    int members, hidden; /* hidden units of each */
    struct probe_member *member;
    int going; /* members whose training goes on; arrays by member have these, in their order */
    struct probe_member *go[PROTOCOL_SETTINGS];
    struct dropout dropout;
    int64_t updates;
    int room;
    size_t memory_bytes;
    char *memory; /* device: all arrays below */
    char *host;   /* what goes there for each batch in one piece: step, rows, item, label */
    struct step *step;
    int32_t *rows; /* [1] */
    int32_t *item, *label;
    size_t image_bytes;
    struct outcome *outcome;
    struct act *x;                    /* [room, D] the batch's vectors */
    struct act *unit, *unit_gradient; /* [members][room, hidden] */
    struct act *logits;               /* [room, C] of one member at a time */
    real *loss, *likelihood;          /* [room] */
    real *score;                      /* [room] of the best class, */
    int32_t *class;                   /* and which it is */
};

/* Opens a group for settings of one shape: `job`, `table`, `members` and `member` with setting and
 * trained are filled in; parameters start, and the rest is made. */
void probe_group_open(struct probe_group *group);
void probe_group_close(struct probe_group *group);
/* Bytes that a setting adds to a group. */
size_t probe_group_bytes(const struct probe_job *job, const struct probe_setting *setting);

/* Forgets the members whose training has ended. */
void probe_group_drop(struct probe_group *group);

/* An update of the members whose training goes on. */
void probe_group_update(struct probe_group *group, const int32_t *item, int count);

/* Predicts dev by the parameters of the members whose training goes on, their `predicted`; or test
 * by the best parameters of all members, with likelihood. */
void probe_group_score(struct probe_group *group, enum probe_role role);
