/* Gradients of small lists against central differences, in double.
 *
 * A list under test begins with leaves (values that the host holds) and ends in probes (weighted
 * sums of values) or in a loss node; the objective is the sum of all of them. gradient_check moves
 * leaves and parameters, and compares the difference of the objective with what backward left.
 * Shapes are drawn from the trial. */
#pragma once

#include "core/layer/layer.h"

enum { GRADIENT_LEAVES = 8 };

struct gradient {
    const char *name;
    uint32_t trial;
    uint64_t drawn;
    struct arena arena;
    struct parameters parameters;
    struct batch batch;
    struct step step;
    struct graph *graph;
    int leaves;
    struct leaf *leaf[GRADIENT_LEAVES];
    double objective;
    int elements; /* of each leaf and parameter that are moved alone: 12, or what a test sets */
};

/* Random sentences (one of length 1 among them) of source and target, an even number; no list yet
 * filled. */
void gradient_open(struct gradient *g, const char *name, uint32_t trial);
void gradient_close(struct gradient *g);

int gradient_between(struct gradient *g, int low, int high);
bool gradient_flip(struct gradient *g);
/* A dropout probability; 0 in one of three cases. */
double gradient_dropout(struct gradient *g);

struct value *gradient_leaf(struct gradient *g, struct rows *rows, int columns);
void gradient_probe(struct gradient *g, struct value *value);

/* Plans and places the list, then fails unless every gradient agrees: on single elements and along
 * some random directions of each leaf and parameter, to 1e-6 of the gradient's norm. */
void gradient_check(struct gradient *g);
