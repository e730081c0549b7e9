/* Compares a gradient with central differences of its objective, in double. */
#pragma once

#include "core/check/model_check.h"

struct difference {
    const char *name;
    int64_t count;
    const double *gradient;            /* [count] expected gradient */
    double (*evaluate)(void *context); /* the objective */
    /* Adds amount * direction[i] to every variable. */
    void (*move)(void *context, const double *direction, double amount);
    void *context;
    int directions, elements; /* number of random directions and of single elements to test */
    uint32_t seed;
};

/* Adds differences, relative to the gradient's norm + 0.01, because some gradients are zero. */
void difference_find(const struct difference *d, struct finding *finding);
extern const double difference_limit; /* largest allowed difference */

/* Changes masters and operands of one parameter. */
void difference_move(struct parameters *parameters, const struct parameter *parameter,
                     const double *direction, double amount);
/* Returns the gradient of one parameter after backward, [rows * columns], in the arena. */
double *difference_gradient(struct arena *arena, const struct parameters *parameters,
                            const struct parameter *parameter);
