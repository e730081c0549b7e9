/* Residual stack: the sub-layers of an encoder or decoder, with residual sums and layer
 * normalizations (Vaswani et al. 2017, section 3.1). */
#pragma once

#include "core/model/model_options.h"

/* With pre-norm a sub-layer reads the normalized stream. The node of the residual sum also computes
 * the normalization for the next sub-layer, or the final normalization of the stack. */
struct stack {
    struct graph *graph;
    const struct model_options *options;
    struct value *stream, *input; /* the residual stream; the input of the next sub-layer */
};

/* `first` is the path of the first sub-layer, or the name of the stack if it has no sub-layer. */
void stack_open(struct stack *stack, struct value *x, const char *first);
/* Ends sub-layer `path`. `next` is the path of the next sub-layer, or the name of the stack after
 * the last sub-layer. If `next` is NULL and the stack is pre-norm, nothing is normalized and
 * `input` must not be read. */
void stack_add(struct stack *stack, struct value *s, const char *path, const char *next);
/* Adds the feed-forward network, the last sub-layer of a layer. */
void stack_feed_forward(struct stack *stack, const char *path, const char *next);
