/* The op table: everything that is computed on a device, as a struct of functions that a backend
 * fills (ggml's idea at the size of a layer's parts instead of single operators).
 *
 * Two types of numbers. `struct act` is incomplete: activations and the operands of matrix products
 * live in a format that only a backend can look into. `real` is what masters, gradients of
 * parameters, statistics and losses are kept in: float, or double in the build for finite
 * differences. A precision is another filled table, never a switch in a node.
 *
 * Ops never allocate, never know nodes, and write disjoint parts by fixed blocks, so that the
 * number of threads does not change a bit. Values that change per step live in `struct step`, in
 * device memory. Shapes: T packed tokens, B sentences, D model width, H heads, d = D/H, V
 * vocabulary, R branches. All matrices are row-major; ld is the distance of two rows in elements.
 *
 * T is what an op is launched for. Where a recorded step is replayed with other batches, that is
 * more than there are: then `rows`, in device memory, says how many there are, and what stands
 * behind them is neither read nor, but for zeros, written: with `zeros` it is made zero up to T in
 * all that the op writes of activations. NULL: T is exact. */
#pragma once

#include "core/base/base.h"
#include "core/base/random.h"
#include "core/tensor/real.h"
#include "core/tensor/recurrent.h"

/* Before functions that kernels call, too. */
#ifdef __CUDACC__
#define ON_DEVICE __host__ __device__
#else
#define ON_DEVICE
#endif

/* What activations and operands are in; a table for each. tf32: products of floats may round their
 * operands to ten bits behind the point. */
enum precision { PRECISION_FP32, PRECISION_TF32, PRECISION_BF16, PRECISIONS };
#define PRECISION_WORDS "fp32|tf32|bf16"

enum { ROWS_KINDS = 8 }; /* kinds of rows that a list may have (core/tensor/graph.h) */

/* What changes from step to step, in device memory, so that a recorded step can be replayed. */
struct step {
    uint32_t seed;
    uint32_t number; /* optimizer step from 0: the step word of every random counter */
    int64_t first_row[ROWS_KINDS]; /* by kind of rows: those of the step's earlier micro-batches */
    double normalizer;             /* rows of the whole step's loss, which is a mean over them */
    double rate;                   /* learning rate of this step */
    double correction1, correction2; /* 1 - beta1^t, 1 - beta2^t (Kingma and Ba 2015, Alg. 1) */
};

/* What a step comes to, in device memory: the host reads nothing of a step before its end. */
struct outcome {
    double loss, likelihood; /* sums over rows (op `sum`); `settle` divides the loss */
    double squares;          /* of the gradient (op `sum_of_squares`) */
    double norm;             /* of the gradient, before clipping and L2 */
    double gradient_scale;   /* 1, or what clipping leaves of the gradient */
    int32_t finite;          /* loss and norm are; else `adam` changes nothing */
};

/* Dropout of one node: nothing is dropped when threshold is 0 (random.h has the rule). */
struct dropout {
    uint32_t stream;
    uint32_t threshold;
    int rows; /* the kind of rows whose first_row counts */
};

/* What it multiplies by what is kept: 1 / (1 - p). */
ON_DEVICE static inline real dropout_raise(struct dropout dropout)
{
    return (real)65536 / (real)(65536 - dropout.threshold);
}

#include "core/tensor/attend.h"

/* C = op(A) op(B) (+ C when add) (+ bias by column); C is M x N, the sum runs over K. The CPU's
 * core/cpu/gemm.c says to the bit what that is. Several products of one shape are one call (a
 * strided batch): the operands of each are `stride` elements behind those of the one before. */
struct gemm {
    bool transpose_a, transpose_b;
    int M, N, K;
    const int32_t *rows; /* [1] M is rows[0] * each; NULL: M is exact */
    int each;            /* 0 means 1 */
    int products;        /* 0 means 1 */
    int64_t stride_a, stride_b, stride_c, stride_packed;
    const struct act *a; /* [M, K], or [K, M] when transposed */
    int lda;
    const struct act *b; /* [K, N], or [N, K] when transposed */
    int ldb;
    const struct act *packed; /* the same B from `pack`, which is then not read; or NULL */
    struct act *c;            /* [M, N] */
    int ldc;
    bool add;
    const struct act *bias; /* [N] or NULL */
    /* [M, N / 32] as relu_dropout leaves it, N as it says there, or NULL. Where a bit is 0 C is 0,
     * in all M rows; one product, without `add` and bias. */
    const uint32_t *mask;
    real scale; /* of the product; 1 as a rule */
};

/* B of products that are done again and again, once in the order in which a backend reads it. */
struct pack {
    bool transpose_b;
    int N, K;
    const struct act *b; /* [K, N], or [N, K] when transposed */
    int ldb;
    struct act *packed; /* as many as ops_packed says */
};

/* dW = A^T B (+ dW when add), in reals. A [T, M], B [T, N], dW [M, N]; products in their order. */
struct gemm_weight {
    int T, M, N;
    const int32_t *rows; /* [1] T is rows[0] * each; NULL: T is exact */
    int each;            /* 0 means 1 */
    int products;        /* 0 means 1 */
    int64_t stride_a, stride_b;
    const struct act *a;
    int lda;
    const struct act *b;
    int ldb;
    bool zeros; /* what stands behind `rows` is zero; else the op may make it so, in A and B */
    real *c;
    bool add;
    real scale;
    real *bias; /* [N] B's columns summed over its rows; NULL: not wanted. One product, `each` 1 */
    bool add_bias;
};

/* out[t] = dropout(table[token[t]] * scale + bias + position[t]); token -1 has a row of zeros.
 * Backward: gradient of the table (every row is written unless add) and of the bias. */
struct embed {
    const struct step *step;
    int T, D, V;
    const int32_t *rows;     /* [1] of T; NULL: T is exact */
    const int32_t *token;    /* [T], -1: no token */
    const int32_t *order;    /* [T] rows by token, of one token in their order (OPS_ORDER) */
    const int32_t *position; /* [T] or NULL: no sinusoids */
    const real *table;       /* [V, D] */
    const real *sinusoid;    /* [positions, D] */
    const real *bias;        /* [D] or NULL */
    real scale;
    struct dropout dropout;
    struct act *out;                /* [T, D] */
    const struct act *out_gradient; /* [T, D] */
    real *table_gradient, *bias_gradient;
    bool add_table, add_bias;
};

/* sum = x + dropout(s); out = (sum - mean) / sqrt(variance + 1e-6) * gain + offset, per row.
 * s may be NULL (plain normalization; then sum is x itself and is not written); out may be NULL (a
 * plain residual sum); gain and offset may be NULL (1 and 0). Backward: total = sum_gradient + (the
 * normalization's part); it goes to x_gradient as it is and to s_gradient through the dropout. With
 * `parts`, gradients of gain and offset are there behind residual_norm_sums alone. */
struct residual_norm {
    const struct step *step;
    int T, D;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    bool zeros;
    const struct act *x, *s; /* [T, D] */
    const real *gain, *offset;
    struct dropout dropout;
    struct act *sum, *out; /* [T, D]; sum holds x + dropout(s) in backward too */
    real *statistics;      /* [T, 2]: mean, 1 / sqrt(variance + 1e-6) */
    const struct act *sum_gradient, *out_gradient; /* either may be NULL */
    struct act *x_gradient, *s_gradient;           /* either may be NULL */
    bool add_x, add_s;
    real *gain_gradient, *offset_gradient;
    bool add_gain, add_offset;
    /* What backward leaves for residual_norm_sums, of out_gradient's size and maybe in its place;
     * NULL: backward does all. */
    void *parts;
};

/* out = dropout(max(x, 0)) in place or not; backward needs only out: x > 0 and kept iff out > 0.
 * The product that makes out_gradient may do what backward does, times 1 / (1 - p), with a mask of
 * that: column j is bit j % 32 of word j / 32 of its row. */
struct relu_dropout {
    const struct step *step;
    int T, N;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    bool zeros;
    const struct act *x;
    struct act *out;
    uint32_t *mask; /* [T, N / 32], N a whole number of mask_multiple; or NULL */
    struct dropout dropout;
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* out = tanh(x); backward needs only out: dx = dy (1 - out^2). */
struct tanh {
    int T, N;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    const struct act *x;
    struct act *out;
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* out = sigmoid(dropout(x)), so that a dropped value is 1/2, in place or not. Several blocks of
 * [T, N] are one call: each is `next` elements behind the one before, and all meet one mask.
 * Backward needs out and the mask: dx = dropout(dy) out (1 - out), in dy's place or not. */
struct dropout_sigmoid {
    const struct step *step;
    int T, N;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    int blocks;          /* 0 means 1 */
    int64_t next;
    const struct act *x;
    struct act *out;
    struct dropout dropout;
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* out[b] = mean, maximum by column or last of the rows of sentence b, without its last row where
 * `end` is false; 0 where that leaves none. Backward: the mean's gradient to all of them in equal
 * parts, the others to the row they were taken from (the first of equal ones); 0 to other rows. */
enum pooling { POOL_MEAN, POOL_MAX, POOL_LAST };
struct pool {
    int B, D;
    const int32_t *rows; /* [1] of B; NULL: B is exact */
    enum pooling kind;
    bool end;
    const int32_t *start; /* [B+1] */
    const struct act *x;  /* [T, D] */
    int ld;               /* of x and its gradient */
    struct act *out;      /* [B, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
    bool add_x;
};

/* Of neighboring rows u = x[2p], v = x[2p+1]: out[p] = [u; v], with `match` [u; v; u v; |u - v|]
 * (Mou et al. 2016). Backward needs x with `match` alone; |u - v| is flat where both are equal. */
struct pair_features {
    int P, N;            /* pairs, columns of a side */
    const int32_t *rows; /* [1] of P; NULL: P is exact */
    bool match, add_x;
    const struct act *x, *out_gradient; /* [2P, N]; as out */
    struct act *out, *x_gradient;       /* [P, 2N or 4N]; as x */
};

/* Label smoothing (Vaswani et al. 2017, section 5.4; as THUMT does it): 1-e on the gold token,
 * e/(V-1) on every other one, minus the constant that makes the perfect loss 0. Writes per
 * row the smoothed loss and the plain negative log-likelihood; with `gradient`, logits become
 * their gradient divided by step->normalizer. */
struct cross_entropy {
    const struct step *step;
    int T, V, ld;
    const int32_t *rows;  /* [1] of T; NULL: T is exact */
    bool zeros;           /* of the gradient */
    struct act *logits;   /* [T, V] */
    const int32_t *label; /* [T] */
    double smoothing;
    bool gradient;
    real *loss, *likelihood; /* [T] */
};

/* out = x_0 + .. + x_{R-1}, in this order (Song et al. 2018, eq. 13). Backward: to every branch. */
struct sum_branches {
    int T, D, R;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    const struct act *x; /* [T, R*D] */
    struct act *out;     /* [T, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* Squeeze gate (Song et al. 2018, eqs. 13-14): out = sum_r x_r * sigmoid(relu(x_r W1) W2), element
 * by element; one pair of weights for all branches (gates = 1), or one for each (gates = R). */
struct squeeze {
    int T, D, R, N;      /* N = D / r: what a row is squeezed to */
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    int gates;
    const struct act *x;                         /* [T, R*D] */
    const struct act *inner[ATTENTION_BRANCHES]; /* W1 [D, N] */
    const struct act *outer[ATTENTION_BRANCHES]; /* W2 [N, D] */
    struct act *hidden; /* [T, R, N]: relu(x_r W1), for the backward pass; NULL: not wanted */
    struct act *out;    /* [T, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
    real *inner_gradient[ATTENTION_BRANCHES], *outer_gradient[ATTENTION_BRANCHES];
    bool add_inner[ATTENTION_BRANCHES], add_outer[ATTENTION_BRANCHES];
};

/* Hybrid gate (Xu et al. 2019, eqs. 4-5): g = sigmoid(z); out = (1 - g) x_0 + g x_1 per head; z
 * has H columns or one that serves all heads. Backward needs x and g. */
struct gate {
    int T, H, d, columns;
    const int32_t *rows; /* [1] of T; NULL: T is exact */
    const struct act *z; /* [T, columns] */
    struct act *gate;    /* [T, columns] g */
    const struct act *x; /* [T, 2*D] */
    struct act *out;     /* [T, D] */
    const struct act *out_gradient;
    struct act *z_gradient, *x_gradient;
};

/* loss /= step->normalizer; norm = sqrt(squares); finite; gradient_scale = clip / norm where clip
 * is above 0 and the norm above it, else 1. */
struct settle {
    const struct step *step;
    double clip;
    struct outcome *outcome;
};

/* Adam with coupled L2: g = gradient * gradient_scale + l2 * master. Operands are what `write_act`
 * makes of the new masters. */
struct adam {
    const struct step *step;
    const struct outcome *outcome;
    int64_t count;
    real *master, *m, *v;
    struct act *operand; /* may be the masters themselves */
    const real *gradient;
    double beta1, beta2, epsilon, l2;
};

/* The k best tokens of every row by log-probability (ties: the lower id). */
struct top_tokens {
    int rows, V, k, ld;
    const struct act *logits; /* [rows, V] */
    real *score;              /* [rows, k] log-probabilities, best first */
    int32_t *token;           /* [rows, k] */
};

/* What a recorded step is recorded under: everything that decides which ops are issued and with
 * which arguments. Compared byte by byte. */
struct run_key {
    const void *list;          /* the list of nodes */
    int launched[ROWS_KINDS];  /* rows of every kind, */
    int groups[ROWS_KINDS];    /* and groups, */
    int longest[ROWS_KINDS];   /* and rows of the longest one */
    bool accumulate, finishes; /* the step has begun before; it ends with this run */
};

/* Lists of a batch that a table may want, so that its ops need not look for them. */
enum ops_list {
    OPS_ORDER = 1,  /* rows by their token: struct embed */
    OPS_GROUPS = 2, /* the sentence of each row: struct visible, attention_args */
    OPS_TILES = 4   /* where tiles of attention begin: struct attention_args */
};

enum { OPS_MARKS = 2048, OPS_SENT = 4 };

/* Rows that ops are launched for are a multiple of a table's row_multiple, of more than so many
 * rows of OPS_COARSER times that. */
enum { OPS_COARSER = 4 };
ON_DEVICE static inline int ops_few_rows(int row_multiple)
{
    return 16 * row_multiple;
}

struct ops {
    const char *name; /* "cpu-v4" */
    size_t act_bytes; /* of one activation */
    int panel;        /* columns that `pack` fills up; 0: the table does not pack */
    /* Rows that ops are launched for are a multiple of this (graph_whole_rows), and then have their
     * `rows`; 1: they are exact. */
    int row_multiple;
    int ld_multiple;   /* of the distance of rows that products like to have (graph_widen) */
    int mask_multiple; /* of columns that masks of rectifiers have; 0: the table has no masks */
    unsigned lists;    /* bits of enum ops_list; of others ops get NULL */
    void *(*alloc)(size_t bytes); /* device memory, zeroed, aligned to 64 bytes */
    void (*release)(void *memory, size_t bytes);
    /* Bytes of memory that the device has in all; NULL: the host's, which others use, too. */
    size_t (*memory)(void);
    /* Notes under a number below OPS_MARKS when all that was issued is done; seconds between two
     * notes, which are waited for. NULL: ops are done when they return. */
    void (*mark)(int number);
    double (*elapsed)(int from, int to);
    /* A download that is waited for alone, while what was issued behind it goes on: `send` issues
     * it and returns its number, `receive` waits for that one, once. At most OPS_SENT are in
     * flight. NULL, both: there is only `download`, which waits for everything. */
    int (*send)(const void *from, size_t bytes);
    void (*receive)(int number, void *to);
    /* Text that names all that can change the last bits of a result (device, libraries, kernels).
     * A training resumes only under an equal text. */
    const char *(*numerics)(void);
    /* What else people want to know of the device, parted by "; ". NULL: nothing. */
    const char *(*facts)(void);
    /* Has `issue` issue ops, or replays what it issued under an equal key before. NULL: nothing is
     * recorded, and ops are issued as they come. */
    void (*run)(const struct run_key *key, void (*issue)(void *context), void *context);
    /* Has `issue` issue ops for the largest batch of a list, and does none of them: what memory
     * they need beside their arguments is there then. NULL: they need none that is planned. */
    void (*reserve)(void (*issue)(void *context), void *context);
    /* A list of nodes goes: so does what was recorded under it. NULL: nothing is. */
    void (*forget)(const void *list);
    /* What is issued between `fork` and `fork_end` is done in its order, maybe at the same time as
     * what is issued after. After `join` it is done, but for that of the last `late` forks. NULL,
     * all three: everything is done in its order. */
    void (*fork)(void);
    void (*fork_end)(void);
    void (*join)(int late);
    /* Of the step that was run last, in words: launches, and how many of them are one behind the
     * other. NULL: nobody counts them. */
    const char *(*launches)(void);
    /* The ops. Those without a struct of arguments:
     *   upload          host to device; `from` may change when it returns
     *   download        device to host; waits for all that was issued before
     *   clear           makes device memory zero
     *   read_act        activations of the device to reals of the host; waits as `download` does
     *   write_act       reals of the host to activations of the device; `from` may change when it
     *                   returns. In both, device rows are `ld` apart and host rows have no gaps
     *   sync            returns when all that was issued is done
     *   sum_columns     sum[j] = x[0, j] + x[1, j] + .., j < N; with `add` sum[j] increases by that
     *   sum             *result, in device memory, = x[0] + x[1] + ..; with `add` it increases by
     *                   that
     *   sum_of_squares  *result, in device memory, = x[0]^2 + x[1]^2 + ..
     *   average         mean += (x - mean) / nth: after nth = 1, 2, .., n the mean of n arrays
     *   store_rows      copies `rows` rows of `width` activations: those of `from` are `ld` apart,
     *                   those of `to` have no gaps */
#define OP(name, parameters, arguments) void(*name) parameters;
#include "core/tensor/ops.def"
#undef OP
};

/* How many of the rows that an op was launched for there are; for backends, and their kernels. */
ON_DEVICE static inline int op_rows(int launched, const int32_t *rows)
{
    return rows ? *rows : launched;
}

/* Element `count` of an activation: pointer arithmetic without looking in. */
static inline struct act *act_at(const struct ops *ops, const struct act *x, int64_t count)
{
    return (struct act *)((const char *)x + count * (int64_t)ops->act_bytes);
}

/* Elements of a packed B [K, N], of a table that packs. */
static inline int64_t ops_packed(const struct ops *ops, int K, int N)
{
    return (int64_t)K * ((N + ops->panel - 1) / ops->panel * ops->panel);
}
