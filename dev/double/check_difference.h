/* A gradient against central differences of what it is the gradient of; in double. */
#pragma once

#include "core/check/check.h"

struct difference {
    const char *name;
    int64_t count;
    const double *gradient;            /* [count] what it should be */
    double (*evaluate)(void *context); /* the objective */
    /* Adds amount * direction[i] to every element of what is differentiated. */
    void (*move)(void *context, const double *direction, double amount);
    void *context;
    int directions, elements; /* how many of each are tried */
    uint32_t seed;
};

/* Adds differences, relative to the gradient's norm + 0.01: some gradients are exactly zero. */
void difference_find(const struct difference *d, struct finding *finding);
extern const double difference_limit; /* what that may be */

/* Masters and operands of one parameter. */
void difference_move(struct parameters *parameters, const struct parameter *parameter,
                     const double *direction, double amount);
/* What backward left for one parameter, [rows * columns] in the arena. */
double *difference_gradient(struct arena *arena, const struct parameters *parameters,
                            const struct parameter *parameter);
