/* Compares a gradient with central differences of its objective, in double. */
#pragma once

#include "core/check/model_check.h"

struct difference {
    const char *name;
    int64_t count;
    const double *gradient;            /* [count] the gradient that is checked */
    double (*evaluate)(void *context); /* the objective */
    /* Adds amount * direction[i] to each variable i. */
    void (*move)(void *context, const double *direction, double amount);
    void *context;
    /* number of random directions, and of single elements, that are tested */
    int directions, elements;
    uint32_t seed;
};

/* Adds the differences between the gradient and central differences to `finding`. They are relative
 * to the gradient's norm + 0.01, because the norm may be zero. */
void difference_find(const struct difference *d, struct finding *finding);
extern const double difference_limit; /* largest allowed difference */

/* Adds amount * direction to the master of one parameter, and updates its operand. */
void difference_move(struct parameters *parameters, const struct parameter *parameter,
                     const double *direction, double amount);
/* Returns the gradient of one parameter after the backward pass, [rows * columns], in the arena. */
double *difference_gradient(struct arena *arena, const struct parameters *parameters,
                            const struct parameter *parameter);
