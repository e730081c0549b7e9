/* Node types of layer size and the functions that put them into a list. Shapes: T packed tokens of
 * the value's rows, D = width. Every function names its output and parameters under `path`. */
#pragma once

#include "core/tensor/graph.h"

/* Token embedding times `scale` (+ learned bias) (+ sinusoids), then dropout: [T, D].
 * Shifted: row t takes the token before it, a zero vector at a sentence's start (decoder input).
 * Sinusoids: of position p sine and cosine of D/2 angles, k from 0. Rows of sentences have no
 * tokens: the k rows of each take the k rows of the table. */
enum sinusoid_kind {
    SINUSOID_NONE,
    SINUSOID_HALVES,      /* of p 10000^(-k / (D/2 - 1)), in channels k, D/2 + k: THUMT, T2T */
    SINUSOID_INTERLEAVED, /* of p 10000^(-2k / D), in channels 2k, 2k + 1: Song et al., eq. 5 */
};
struct embed_layer {
    struct rows *rows; /* tokens, or rows of sentences */
    bool shifted;
    enum sinusoid_kind sinusoid;
    double timescale; /* of sinusoids; 0: the 10000 above */
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

/* W2 dropout(relu(W1 x + b1)) + b2: PATH.inner and PATH.outer, the output; hidden: PATH.hidden. */
struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path);

/* dropout(max(x, 0)), as PATH. x is a whole value, not a view, and no later node reads it. */
struct value *relu_build(struct graph *graph, struct value *x, double dropout, const char *path);

/* tanh(x), as PATH. x is a whole value, not a view, and no later node reads it. */
struct value *tanh_build(struct graph *graph, struct value *x, const char *path);

/* sum = x + dropout(s), normed = LN(sum) with NORM.gain and NORM.offset. s NULL: LN(x), sum = x. */
struct residual {
    struct value *sum, *normed;
};
struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm);

/* (x - mean) / deviation by row, as PATH: a normalization without parameters. */
struct value *plain_norm_build(struct graph *graph, struct value *x, const char *path);

/* x + dropout(s), as PATH. */
struct value *residual_sum_build(struct graph *graph, struct value *x, struct value *s,
                                 double dropout, const char *path);

/* A recurrence over the tokens of each sentence, from a zero state: LSTM (papers: struct recurrent)
 * or, with `chunk`, ON-LSTM, of width D, forward, backward or both.
 *
 * h [T, directions * D] is PATH.hidden. Parameters: PATH.input [D, E*G] and its bias, the only one;
 * PATH.state [E*D, G], a square of each direction; all U(+-1 / sqrt(D)). ON-LSTM keeps
 * OWNER.master_input and OWNER.master_forget, [T, E*D/chunk]. */
struct recurrence {
    int chunk;                /* of ON-LSTM, divides D; 0: LSTM */
    bool forward, backward;   /* directions, E of them */
    const char *path, *owner; /* "encoder.2.recurrence", "encoder.2" */
};
struct value *recurrence_build(struct graph *graph, struct value *x, const struct recurrence *of);
/* A number of a gate takes D multiply-adds of a product, and then the cell and what a small product
 * loses take as long as so many more: measured, for plans (CONTRIBUTING.md, "What a step of a
 * recurrence takes"). */
enum { RECURRENCE_CELL = 64 };

/* x [T, D] to one row for every sentence, [B, D]: the mean, maximum or last of its rows (ops.h), of
 * which the end symbol, the last one, counts only with `end`. */
struct value *pool_build(struct graph *graph, struct value *x, enum pooling pooling, bool end,
                         const char *path);

/* Rows of sentences (graph_sentences), k of each, to one row for every pair of neighboring ones:
 * [u; v], with `match` [u; v; u v; |u - v|] (ops.h), where u and v are the k rows of the first and
 * of the second one. */
struct value *pair_build(struct graph *graph, struct value *x, bool match, const char *path);

/* Cross entropy with label smoothing: per row of the logits PATH.loss (smoothed) and
 * PATH.likelihood (plain), both real [rows], which become those of the list (graph->loss). Logits
 * become their gradient in training: nothing else reads them. One loss a list. */
enum label_source {
    LABEL_TOKEN, /* each row's own token: what a decoder should say there */
    LABEL_GIVEN  /* the batch's labels, one a row */
};
void loss_build(struct graph *graph, struct value *logits, enum label_source source,
                double smoothing, const char *path);
