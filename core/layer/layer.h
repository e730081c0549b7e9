/* Declares functions that add the nodes of a layer to a list and return the layer's output. Shapes:
 * T rows of the value (usually packed tokens), D columns (width). The paths of outputs and
 * parameters begin with `path`, here PATH. */
#pragma once

#include "core/tensor/graph.h"

/* Token embedding: dropout(table[token] * scale + bias + positional encoding), [T, D]. Bias and
 * positional encoding are optional.
 *   - shifted (decoder input): row t has the embedding of the previous token. In the first
 *     row of a sentence, the embedding is a zero vector.
 *   - sinusoid: sine and cosine of D/2 angles of position p. Angle k, from 0, is given below.
 *   - Rows of sentences (graph_sentences) have no tokens: row i of each sentence has row i of the
 *     table. */
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

/* y = x W + b. The parameters W, PATH.weight [K, N], and b, PATH.bias [N], are created if they do
 * not exist. */
struct value *linear_build(struct graph *graph, struct value *x, int columns, bool bias,
                           const char *path);
/* y = scale * (x W) + b with given parameters; bias may be NULL. If `transposed` is true, the
 * weight is W transposed, [N, K] (a softmax table). */
struct value *linear_build_with(struct graph *graph, struct value *x, struct parameter *weight,
                                struct parameter *bias, bool transposed, double scale,
                                const char *path);

/* Feed-forward network: W2 dropout(relu(W1 x + b1)) + b2, with a hidden layer of `inner` columns.
 * Returns PATH.outer; the nodes before it are PATH.inner and PATH.hidden. */
struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path);

/* Returns dropout(max(x, 0)), with path PATH. x must be a whole value, not a view; no later node
 * may read x. */
struct value *relu_build(struct graph *graph, struct value *x, double dropout, const char *path);

/* Returns tanh(x), with path PATH. x must be a whole value, not a view; no later node may read
 * x. */
struct value *tanh_build(struct graph *graph, struct value *x, const char *path);

/* sum = x + dropout(s), normed = LN(sum) with NORM.gain and NORM.offset. If s is NULL, sum = x. */
struct residual {
    struct value *sum, *normed;
};
struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm);

/* Layer normalization without parameters: returns (x - mean) / deviation of each row, with path
 * PATH. */
struct value *plain_norm_build(struct graph *graph, struct value *x, const char *path);

/* Returns x + dropout(s), with path PATH. */
struct value *residual_sum_build(struct graph *graph, struct value *x, struct value *s,
                                 double dropout, const char *path);

/* A recurrent layer of width D, which reads the tokens of each sentence and begins with a zero
 * state. It is an ON-LSTM if `chunk` is above 0, else an LSTM (papers: struct recurrent).
 *
 * Output: PATH.hidden [T, E*D]. Parameters: PATH.input.weight [D, E*G], PATH.input.bias and
 * PATH.state.weight [E*D, G], one matrix [D, G] for each of the E directions. All start as U(+-1 /
 * sqrt(D)); with zero_bias, the bias starts at 0. ON-LSTM has two more outputs, OWNER.master_input
 * and OWNER.master_forget, [T, E*D/chunk]. */
struct recurrence {
    int chunk;                /* ON-LSTM: units per master gate, divides D; 0: LSTM */
    bool forward, backward;   /* directions; E is their number */
    const char *path, *owner; /* "encoder.2.recurrence", "encoder.2" */
};
struct value *recurrence_build(struct graph *graph, struct value *x, const struct recurrence *of);
/* Additional time per gate unit, as a number of multiply-adds (measured). It covers the cell and
 * the low efficiency of small products. The product of a gate unit takes D multiply-adds. Estimates
 * of training time use this number (docs/speed.md, "What a step of a recurrence takes"). */
enum { RECURRENCE_CELL = 64 };

/* Pools x [T, D] to one row per sentence, [B, D]: the mean, the maximum or the last of the
 * sentence's rows (ops.h). `end` includes the last row of a sentence, which is <eos>. */
struct value *pool_build(struct graph *graph, struct value *x, enum pooling pooling, bool end,
                         const char *path);

/* Features of pairs of neighboring sentences. x has k rows per sentence (graph_sentences). The row
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
