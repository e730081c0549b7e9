/* Node types of layer size and the functions that put them into a list. Shapes: T packed tokens of
 * the value's rows, D = width. Every function names its output and parameters under `path`. */
#ifndef CORE_LAYER_LAYER_H
#define CORE_LAYER_LAYER_H

#include "core/tensor/graph.h"

/* Token embedding times `scale` (+ learned bias) (+ sinusoids), then dropout: [T, D].
 * Shifted: row t takes the token before it, a zero vector at a sentence's start (decoder input). */
struct embed_layer {
    enum field_name field;
    bool shifted;
    enum sinusoid_kind sinusoid;
    double scale, dropout;
    struct parameter *table, *bias; /* bias may be NULL */
};
struct value *embed_build(struct graph *graph, const struct embed_layer *layer, const char *path);

/* y = x W + b: PATH.weight [K, N] and PATH.bias [N], made when new. */
struct value *linear_build(struct graph *graph, struct value *x, int columns, bool bias,
                           const char *path);
/* y = scale * (x W) with a given weight; transposed: W is [N, K] (a softmax table). */
struct value *linear_build_with(struct graph *graph, struct value *x, struct parameter *weight,
                                struct parameter *bias, bool transposed, double scale,
                                const char *path);

/* W2 dropout(relu(W1 x + b1)) + b2: PATH.inner, PATH.outer, output PATH.outer; hidden PATH.hidden.
 */
struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path);

/* tanh(x), as PATH. x is a whole value, not a view. */
struct value *hyperbolic_build(struct graph *graph, struct value *x, const char *path);

/* sum = x + dropout(s), normed = LN(sum) with NORM.gain and NORM.offset. s NULL: LN(x), sum = x. */
struct residual {
    struct value *sum, *normed;
};
struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm);

/* Cross entropy with label smoothing against the tokens of the target field: per row PATH.loss
 * (smoothed) and PATH.likelihood (plain), both real [T]. Logits become their gradient in training.
 */
void loss_build(struct graph *graph, struct value *logits, double smoothing, const char *path);

#endif
