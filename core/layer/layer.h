/* Node types, and functions that add nodes to a list. Shapes: T packed tokens (the value's rows), D
 * = width. The paths of outputs and parameters begin with `path`. */
#pragma once

#include "core/tensor/graph.h"

/* Token embedding times `scale` (+ learned bias) (+ positional encoding), then dropout: [T, D].
 *   - shifted: row t takes the previous token, a zero vector at the start of a sentence
 *     (decoder input).
 *   - sinusoid: sine and cosine of D/2 angles of position p, k from 0.
 *   - Rows of sentences have no tokens: the k rows of each sentence take the k rows of the
 * table. */
enum sinusoid_kind {
    SINUSOID_NONE,
    SINUSOID_HALVES,      /* angles p 10000^(-k / (D/2 - 1)), in channels k, D/2 + k: THUMT, T2T */
    SINUSOID_INTERLEAVED, /* angles p 10000^(-2k / D), in channels 2k, 2k + 1: Song et al., eq. 5 */
};
struct embed_layer {
    struct rows *rows; /* tokens, or rows of sentences */
    bool shifted;
    enum sinusoid_kind sinusoid;
    double timescale; /* replaces the 10000 of the angles; 0: 10000 */
    double scale, dropout;
    struct parameter *table, *bias; /* bias may be NULL */
};
struct value *embed_build(struct graph *graph, const struct embed_layer *layer, const char *path);

/* y = x W + b: PATH.weight [K, N] and PATH.bias [N], created if they do not exist. */
struct value *linear_build(struct graph *graph, struct value *x, int columns, bool bias,
                           const char *path);
/* y = scale * (x W) with a given weight. transposed: W is [N, K] (a softmax table). */
struct value *linear_build_with(struct graph *graph, struct value *x, struct parameter *weight,
                                struct parameter *bias, bool transposed, double scale,
                                const char *path);

/* W2 dropout(relu(W1 x + b1)) + b2. Returns PATH.outer; further nodes are PATH.inner and
 * PATH.hidden. */
struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path);

/* dropout(max(x, 0)), as PATH. x must be a whole value, not a view; no later node may read x. */
struct value *relu_build(struct graph *graph, struct value *x, double dropout, const char *path);

/* tanh(x), as PATH. x must be a whole value, not a view; no later node may read x. */
struct value *tanh_build(struct graph *graph, struct value *x, const char *path);

/* sum = x + dropout(s), normed = LN(sum) with NORM.gain and NORM.offset. If s is NULL, sum = x. */
struct residual {
    struct value *sum, *normed;
};
struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm);

/* (x - mean) / deviation by row, as PATH: layer normalization without parameters. */
struct value *plain_norm_build(struct graph *graph, struct value *x, const char *path);

/* x + dropout(s), as PATH. */
struct value *residual_sum_build(struct graph *graph, struct value *x, struct value *s,
                                 double dropout, const char *path);

/* A recurrent layer over the tokens of each sentence, from a zero state, of width D: LSTM or, with
 * `chunk`, ON-LSTM (papers: struct recurrent).
 *
 * Output: h [T, E*D], as PATH.hidden. Parameters: PATH.input [D, E*G] with the only bias, and
 * PATH.state [E*D, G], a matrix for each of the E directions; all start as U(+-1 / sqrt(D)).
 * ON-LSTM also keeps OWNER.master_input and OWNER.master_forget, [T, E*D/chunk]. */
struct recurrence {
    int chunk;                /* ON-LSTM: divides D; 0: LSTM */
    bool forward, backward;   /* directions; E is their number */
    const char *path, *owner; /* "encoder.2.recurrence", "encoder.2" */
};
struct value *recurrence_build(struct graph *graph, struct value *x, const struct recurrence *of);
/* Measured cost of the cell and of the low efficiency of small products, in multiply-adds per gate
 * unit. A gate unit itself takes D multiply-adds. Plans use this number (docs/speed.md, "What a
 * step of a recurrence takes"). */
enum { RECURRENCE_CELL = 64 };

/* Pools x [T, D] to one row per sentence, [B, D]: mean, maximum or last of its rows (ops.h). `end`
 * includes the last row, which is <eos>. */
struct value *pool_build(struct graph *graph, struct value *x, enum pooling pooling, bool end,
                         const char *path);

/* Features of pairs of neighboring sentences, with k rows per sentence (graph_sentences). The row
 * of a pair is [u; v] or, with `match`, [u; v; u v; |u - v|] (ops.h). u and v are the concatenated
 * k rows of the first and the second sentence. */
struct value *pair_build(struct graph *graph, struct value *x, bool match, const char *path);

/* Cross-entropy with label smoothing. Writes for each row of the logits PATH.loss (smoothed) and
 * PATH.likelihood (plain), both real [rows]. Both become the losses of the list (graph->loss). In
 * training the gradient overwrites the logits, so no other node may read the logits. A list has at
 * most one loss. */
enum label_source {
    LABEL_TOKEN, /* the token of each row, which the decoder should predict */
    LABEL_GIVEN  /* the labels of the batch, one per row */
};
void loss_build(struct graph *graph, struct value *logits, enum label_source source,
                double smoothing, const char *path);
