/* Checkpoints around a crossing: the validations of a training before and after the dev loss first
 * reaches a value, or around a step. A user writes
 *
 *   at(dev_loss = 1.9)      values are interpolated between the two checkpoints
 *   at(step = 2000)
 *   before(dev_loss = 1.9)  the last validation before the crossing
 *   after(dev_loss = 1.9)   the first validation with at most this loss
 *
 * If a validation has exactly the value, it is on both sides. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"

enum checkpoint_side { SIDE_NONE, SIDE_BEFORE, SIDE_AFTER };

struct checkpoint_at {
    enum checkpoint_side side; /* SIDE_NONE: at(..), which is both sides */
    bool by_step;
    double value; /* dev loss, or step */
};

/* Returns false if the words are not at(..), before(..) or after(..). Dies if the metric or the
 * number is invalid; the message begins with `what`. */
bool checkpoint_at_read(struct checkpoint_at *at, const char *words, const char *what);
/* Returns the only spelling that ids use: "before(dev_loss=1.9)". */
const char *checkpoint_at_words(struct arena *arena, const struct checkpoint_at *at,
                                enum checkpoint_side side);

struct validated {
    int64_t step;
    double loss;
};
struct crossing {
    bool reached;     /* false: there is no validation before, or none after. Then only `best` */
    int64_t step[2];  /* steps before and after the crossing */
    double number[2]; /* losses or steps of the two */
    double weight;    /* weight of the second one; 1 - weight is the weight of the first one */
    double best;      /* lowest loss, or last step, of all validations; NaN: no validation */
};
/* Finds the crossing in validations that are ordered by step. */
struct crossing crossing_find(const struct checkpoint_at *at, const struct validated *validated,
                              int count);
/* Finds it in the validations of a training's folder up to step `until`. */
struct crossing checkpoint_crossing(const char *folder, const struct checkpoint_at *at,
                                    int64_t until);
