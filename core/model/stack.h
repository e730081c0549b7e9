/* Sub-layers of an encoder or decoder, one after the other, with their residual sums and layer
 * normalizations (Vaswani et al. 2017, section 3.1). */
#pragma once

#include "core/model/options.h"

/* With pre-norm a sub-layer reads the normalized stream, and the residual sum behind it already
 * carries the normalization of the next one (or the final one of the stack). */
struct stack {
    struct graph *graph;
    const struct model_options *options;
    struct value *stream, *input; /* the residual stream; what the next sub-layer reads */
};

/* `first` is the path of the first sub-layer, or the stack's name when it has none. */
void stack_open(struct stack *stack, struct value *x, const char *first);
/* Ends sub-layer `path`; `next` is the one that follows, or the stack's name after the last. NULL:
 * with pre-norm nothing is normalized here, and nothing reads `input`. */
void stack_add(struct stack *stack, struct value *s, const char *path, const char *next);
/* The last sub-layer of a layer: the feed-forward network. */
void stack_feed_forward(struct stack *stack, const char *path, const char *next);
