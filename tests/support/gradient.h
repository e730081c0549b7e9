/* Gradients of small lists of nodes, checked against central differences, in double.
 *
 * A list under test begins with leaves (values that the host holds) and ends in probes (weighted
 * sums of values) or in a loss node. The objective is the sum of all probes and losses.
 * gradient_check moves leaves and parameters, and compares the difference of the objective with
 * the gradient of the backward pass. Shapes are drawn from the trial. */
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
    int elements; /* moved singly per leaf and parameter: 12, or set by a test */
};

/* Opens an empty list over random source and target sentences: an even number, one of them of
 * length 1. */
void gradient_open(struct gradient *g, const char *name, uint32_t trial);
void gradient_close(struct gradient *g);

int gradient_between(struct gradient *g, int low, int high);
bool gradient_flip(struct gradient *g);
/* Returns a dropout probability; 0 in one of three cases. */
double gradient_dropout(struct gradient *g);

struct value *gradient_leaf(struct gradient *g, struct rows *rows, int columns);
void gradient_probe(struct gradient *g, struct value *value);

/* Plans and places the list. Fails unless every gradient agrees, on single elements and along
 * some random directions of each leaf and parameter, to 1e-6 of the gradient's norm. */
void gradient_check(struct gradient *g);
