/* Declares the op table: a struct of function pointers, one for each computation on a device. Each
 * backend fills its own table. The idea is from ggml, but an op computes a part of a layer instead
 * of a single operator.
 *
 * Number types. `struct act` is an incomplete type, for activations and operands of matrix
 * products. Only a backend can read its format. `real` is the type of masters (parameters in full
 * precision), gradients of parameters, statistics and losses. It is float, or double in the build
 * for finite differences. Each precision has its own table, so the code of nodes is the same for
 * all precisions.
 *
 * Ops do not allocate and are independent of nodes. Threads write disjoint blocks of fixed size, so
 * the results do not depend on the number of threads. Values that change per step are in `struct
 * step`, in device memory. Shapes: T packed tokens, B sentences, D model width, H heads, d = D/H, V
 * vocabulary, R branches. All matrices are row-major; ld is the distance between the starts of two
 * rows, in elements.
 *
 * An op is launched for T rows. If a recorded step is replayed with another batch, this batch may
 * have fewer rows. `rows` points to the actual number in device memory; NULL means that T is exact.
 * The rows from the actual number to T - 1 are trailing rows. The op does not read trailing rows.
 * If `zeros` is true, the op sets the trailing rows of all activations that it writes to zero.
 * Otherwise it does not write trailing rows. */
#pragma once

#include "core/base/base.h"
#include "core/base/random.h"
#include "core/tensor/real.h"
#include "core/tensor/recurrent.h"

/* Prefix of functions that GPU kernels also call. */
#ifdef __CUDACC__
#define ON_DEVICE __host__ __device__
#else
#define ON_DEVICE
#endif

/* Precision of activations and of operands of products. Each precision has its own op table. tf32:
 * activations and operands are floats, but products may round operands to ten mantissa bits. */
enum precision { PRECISION_FP32, PRECISION_TF32, PRECISION_BF16, PRECISIONS };
#define PRECISION_WORDS "fp32|tf32|bf16"

enum { ROWS_KINDS = 8 }; /* maximum number of kinds of rows of a list (core/tensor/graph.h) */

/* Values that change from step to step, in device memory, so that a recorded step can be
 * replayed. */
struct step {
    uint32_t seed;
    uint32_t number; /* optimizer step, from 0; the step in every random counter (random.h) */
    /* Number of rows in earlier micro-batches of the step, for each kind of rows. */
    int64_t first_row[ROWS_KINDS];
    double normalizer;               /* divisor of the summed loss (train_normalizer) */
    double rate;                     /* learning rate */
    double correction1, correction2; /* 1 - beta1^t, 1 - beta2^t (Kingma and Ba 2015, Alg. 1) */
};

/* Results of a step, in device memory. The host reads them only at the end of a step. */
struct outcome {
    double loss, likelihood; /* sums over rows (op `sum`); `settle` divides the loss */
    double squares;          /* sum of squares of the gradient (op `sum_of_squares`) */
    double norm;             /* norm of the gradient, before clipping and L2 */
    double gradient_scale; /* factor of the gradient; below 1 if the gradient is clipped, else 1 */
    int32_t finite;        /* true if loss and norm are finite; else `adam` changes nothing */
};

/* Dropout of one node (random.h defines the masks). Threshold 0: no dropout. */
struct dropout {
    uint32_t stream;
    uint32_t threshold;
    int rows; /* index of the kind of rows whose first_row offsets the random counter */
};

/* Factor of the values that are kept: 1 / (1 - p). */
ON_DEVICE static inline real dropout_raise(struct dropout dropout)
{
    return (real)65536 / (real)(65536 - dropout.threshold);
}

#include "core/tensor/attend.h"

/* C = scale op(A) op(B) (+ C if `add`) (+ bias, added to each row). op(A) is A or, with
 * transpose_a, its transpose. C is [M, N]; the sum runs over K. core/cpu/gemm.c defines the order
 * of the sum on the CPU. One call can compute several products of the same shape (a strided batch).
 * A, B and C of a product begin stride_a, stride_b and stride_c elements after A, B and C of the
 * previous product. */
struct gemm {
    bool transpose_a, transpose_b;
    int M, N, K;
    const int32_t *rows; /* [1] actual M: rows[0] * each; NULL: M is exact */
    int each;            /* 0 means 1 */
    int products;        /* 0 means 1 */
    int64_t stride_a, stride_b, stride_c, stride_packed;
    const struct act *a; /* [M, K], or [K, M] when transposed */
    int lda;
    const struct act *b; /* [K, N], or [N, K] when transposed */
    int ldb;
    const struct act *packed; /* B, packed by `pack`, read instead of b; NULL: b is read */
    struct act *c;            /* [M, N] */
    int ldc;
    bool add;
    const struct act *bias; /* [N] or NULL */
    /* Mask [M, N / 32] written by relu_dropout, or NULL. C is 0 where the bit is 0, in all M rows.
     * Requires one product, without `add` and bias. */
    const uint32_t *mask;
    real scale; /* factor of the product; usually 1 */
};

/* Packs an operand B that several products read, in the order in which the backend reads B. */
struct pack {
    bool transpose_b;
    int N, K;
    const struct act *b; /* [K, N], or [N, K] when transposed */
    int ldb;
    struct act *packed; /* number of elements: ops_packed */
};

/* dW = scale A^T B (+ dW if `add`), in reals. A is [T, M], B is [T, N], dW (member c) is [M, N]. If
 * `products` is above 1, dW is the sum of all products, added in order. */
struct gemm_weight {
    int T, M, N;
    const int32_t *rows; /* [1] actual T: rows[0] * each; NULL: T is exact */
    int each;            /* 0 means 1 */
    int products;        /* 0 means 1 */
    int64_t stride_a, stride_b;
    const struct act *a;
    int lda;
    const struct act *b;
    int ldb;
    /* true: trailing rows of A and B are zero; false: the op may set them to zero */
    bool zeros;
    real *c;
    bool add;
    real scale;
    real *bias; /* [N] column sums of B; NULL: not needed. Requires one product and `each` 1 */
    bool add_bias;
};

/* out[t] = dropout(table[token[t]] * scale + bias + sinusoid[position[t]]). For token -1, the row
 * of the table is replaced by zeros. Backward computes the gradients of the table and of the bias.
 * Without add_table, it writes every row of the table's gradient. */
struct embed {
    const struct step *step;
    int T, D, V;
    const int32_t *rows;     /* [1] actual T; NULL: T is exact */
    const int32_t *token;    /* [T], -1: no token */
    const int32_t *order;    /* [T] rows sorted by token, ties by index (OPS_ORDER) */
    const int32_t *position; /* [T] or NULL: no positional encoding */
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

/* Residual sum and layer normalization per row: sum = x + dropout(s); out = (sum - mean) /
 * sqrt(variance + 1e-6) * gain + offset.
 *   - s may be NULL: plain normalization; sum is x and is not written.
 *   - out may be NULL: plain residual sum.
 *   - gain and offset may be NULL: 1 and 0.
 * Backward: total = sum_gradient + (the gradient through the normalization). x_gradient is total;
 * s_gradient is dropout(total), with the same mask. With `parts`, residual_norm_sums computes the
 * gradients of gain and offset. */
struct residual_norm {
    const struct step *step;
    int T, D;
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    bool zeros;
    const struct act *x, *s; /* [T, D] */
    const real *gain, *offset;
    struct dropout dropout;
    struct act *sum, *out;                         /* [T, D]; backward reads the sum of forward */
    real *statistics;                              /* [T, 2]: mean, 1 / sqrt(variance + 1e-6) */
    const struct act *sum_gradient, *out_gradient; /* either may be NULL */
    struct act *x_gradient, *s_gradient;           /* either may be NULL */
    bool add_x, add_s;
    real *gain_gradient, *offset_gradient;
    bool add_gain, add_offset;
    /* Buffer that backward fills and residual_norm_sums reads. It has the size of out_gradient, and
     * may be the same memory. NULL: backward also computes the gradients of gain and offset. */
    void *parts;
};

/* out = dropout(max(x, 0)), optionally in place. Backward reads only out, because out > 0 if and
 * only if x > 0 and x was not dropped. Backward is not needed if the product that computes
 * out_gradient multiplies by 1 / (1 - p) and applies the mask (struct gemm). Bit j % 32 of element
 * j / 32 of a row of the mask is 1 if out > 0 in column j. */
struct relu_dropout {
    const struct step *step;
    int T, N;
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    bool zeros;
    const struct act *x;
    struct act *out;
    uint32_t *mask; /* [T, N / 32]; N is a multiple of mask_multiple; NULL: no mask */
    struct dropout dropout;
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* out = tanh(dropout(x)) if `tanh` is true, else sigmoid(dropout(x)). So a dropped value becomes 0
 * or 1/2. out may overwrite x. One call can compute several blocks of [T, N]. A block begins `next`
 * elements after the previous block. All blocks have the same dropout mask. Backward does not read
 * x: dx = dropout(dy) (1 - out^2) or dropout(dy) out (1 - out). dx may overwrite dy. */
struct squash {
    const struct step *step;
    int T, N;
    bool tanh;
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    int blocks;          /* 0 means 1 */
    int64_t next;
    const struct act *x;
    struct act *out;
    struct dropout dropout;
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* Pooling: out[b] is the mean, the maximum of each column, or the last of the rows of sentence b.
 * If `end` is false, the last row of the sentence is excluded. If no row remains, out[b] is 0.
 * Backward: the gradient of a mean is divided equally among the rows. The gradient of a maximum or
 * last row goes to the selected row (ties: the first). Other rows get 0. */
enum pooling { POOL_MEAN, POOL_MAX, POOL_LAST };
struct pool {
    int B, D;
    const int32_t *rows; /* [1] actual B; NULL: B is exact */
    enum pooling kind;
    bool end;
    const int32_t *start; /* [B+1] */
    const struct act *x;  /* [T, D] */
    int ld;               /* ld of x and its gradient */
    struct act *out;      /* [B, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
    bool add_x;
};

/* Features of pairs of neighboring rows u = x[2p], v = x[2p+1] (Mou et al. 2016). Without `match`,
 * out[p] = [u; v]. With `match`, out[p] = [u; v; u v; |u - v|], where u v and |u - v| are
 * element by element. Backward reads x only with `match`; the gradient of |u - v| is 0 where
 * u = v. */
struct pair_features {
    int P, N;            /* pairs; columns of u */
    const int32_t *rows; /* [1] actual P; NULL: P is exact */
    bool match, add_x;
    const struct act *x, *out_gradient; /* [2P, N]; out_gradient has the shape of out */
    struct act *out, *x_gradient;       /* [P, 2N or 4N]; x_gradient has the shape of x */
};

/* Cross-entropy with label smoothing (Vaswani et al. 2017, section 5.4; variant of THUMT). The
 * target distribution is 1-e for the gold token and e/(V-1) for every other token; e is
 * `smoothing`. A constant is subtracted so that the minimum of the loss is 0. Writes the smoothed
 * loss and the plain negative log-likelihood of each row. If `gradient` is true, the gradient of
 * the smoothed loss, divided by step->normalizer, overwrites the logits. */
struct cross_entropy {
    const struct step *step;
    int T, V, ld;
    const int32_t *rows;  /* [1] actual T; NULL: T is exact */
    bool zeros;           /* sets trailing rows of the gradient to zero */
    struct act *logits;   /* [T, V] */
    const int32_t *label; /* [T] */
    double smoothing;
    bool gradient;
    real *loss, *likelihood; /* [T] */
};

/* out = x_0 + .. + x_{R-1}, in this order (Song et al. 2018, eq. 13). Backward copies the gradient
 * to every branch. */
struct sum_branches {
    int T, D, R;
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    const struct act *x; /* [T, R*D] */
    struct act *out;     /* [T, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
};

/* Squeeze gate (Song et al. 2018, eqs. 13-14): out = sum_r x_r * sigmoid(relu(x_r W1) W2), element
 * by element. gates = 1: all branches share one pair of weights; gates = R: one pair per branch. */
struct squeeze {
    int T, D, R, N;      /* N = D / r: width of the squeezed row */
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    int gates;
    const struct act *x;                         /* [T, R*D] */
    const struct act *inner[ATTENTION_BRANCHES]; /* W1 [D, N] */
    const struct act *outer[ATTENTION_BRANCHES]; /* W2 [N, D] */
    struct act *hidden; /* [T, R, N]: relu(x_r W1), for the backward pass; NULL: not needed */
    struct act *out;    /* [T, D] */
    const struct act *out_gradient;
    struct act *x_gradient;
    real *inner_gradient[ATTENTION_BRANCHES], *outer_gradient[ATTENTION_BRANCHES];
    bool add_inner[ATTENTION_BRANCHES], add_outer[ATTENTION_BRANCHES];
};

/* Hybrid gate (Xu et al. 2019, eqs. 4-5): g = sigmoid(z); out = (1 - g) x_0 + g x_1 per head. z has
 * H columns, or one column shared by all heads. Backward reads x and g. */
struct gate {
    int T, H, d, columns;
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    const struct act *z; /* [T, columns] */
    struct act *gate;    /* [T, columns] g */
    const struct act *x; /* [T, 2*D] */
    struct act *out;     /* [T, D] */
    const struct act *out_gradient;
    struct act *z_gradient, *x_gradient;
};

/* Rotates pairs of columns of each head (attention/term/rope.c). For column c < width of a head:
 *
 *   y[t, c] (+)= x[t, c] own[c] + x[t, c'] other[c]
 *
 * own and other are the two halves of row position[t] of the table. c' is c + 1 for even c and
 * c - 1 for odd c. With `halves`, it is c + width / 2 in the lower half of the columns, and
 * c - width / 2 in the upper half. `back` subtracts the second product instead: this is the inverse
 * rotation, and so the backward pass. The columns of a head from `width` on are copied. */
struct rotate {
    int T, H, d;         /* x and y are [T, H*d] */
    const int32_t *rows; /* [1] actual T; NULL: T is exact */
    int width;           /* even, at most d */
    bool halves, back, add;
    bool zeros;
    const int32_t *position; /* [T] */
    const real *table;       /* [positions, 2 * width] */
    const struct act *x;
    struct act *y; /* must not overlap x */
    int ldx, ldy;
};

/* Completes the outcome after the sums. Divides the loss by step->normalizer and sets norm =
 * sqrt(squares), `finite`, and gradient_scale = clip / norm if 0 < clip < norm, else 1. */
struct settle {
    const struct step *step;
    double clip;
    struct outcome *outcome;
};

/* One step of Adam. L2 is a part of the gradient: g = gradient * gradient_scale + l2 * master.
 * Weight decay is not (Loshchilov and Hutter 2019): it subtracts rate * decay * master from the
 * master before Adam's update. The new masters are also written to the operands, rounded as by
 * `write_act`. */
struct adam {
    const struct step *step;
    const struct outcome *outcome;
    int64_t count;
    real *master, *m, *v;
    struct act *operand; /* may be equal to master */
    const real *gradient;
    double beta1, beta2, epsilon, l2, decay;
};

/* Finds the k best tokens of every row by log-probability (ties: the lower id). */
struct top_tokens {
    int rows, V, k, ld;
    const struct act *logits; /* [rows, V] */
    real *score;              /* [rows, k] log-probabilities, best first */
    int32_t *token;           /* [rows, k] */
};

/* Key of a recorded step: all values on which the issued ops and their arguments depend. Keys are
 * compared byte by byte. */
struct run_key {
    const void *list;         /* list of nodes */
    int launched[ROWS_KINDS]; /* launched rows of each kind */
    int groups[ROWS_KINDS];   /* launched groups of each kind */
    int longest[ROWS_KINDS];  /* `longest` of each kind (struct rows) */
    /* accumulate: the step has earlier micro-batches. finishes: this is the last micro-batch, so
     * the ops that end the step (graph_learn: finish) follow. */
    bool accumulate, finishes;
};

/* Lists of integers that depend on the batch. Some op tables need them. */
enum ops_list {
    OPS_ORDER = 1,  /* rows sorted by token: struct embed */
    OPS_GROUPS = 2, /* sentence of each row: struct visible, attention_args */
    OPS_TILES = 4   /* first rows of attention tiles: struct attention_args */
};

enum { OPS_MARKS = 2048, OPS_SENT = 4 };

/* Factor of row_multiple for batches of more than ops_few_rows rows: ops are launched for multiples
 * of OPS_COARSER * row_multiple rows. */
enum { OPS_COARSER = 4 };
ON_DEVICE static inline int ops_few_rows(int row_multiple)
{
    return 16 * row_multiple;
}

struct ops {
    const char *name; /* "cpu-v4" */
    size_t act_bytes; /* bytes per activation */
    int panel;        /* `pack` pads columns to a multiple of this; 0: the table does not pack */
    /* Ops are launched for a multiple of this number of rows (graph_whole_rows) and read the actual
     * number from `rows`. 1: ops are launched for the actual number. */
    int row_multiple;
    int ld_multiple;   /* preferred multiple of ld for products (graph_widen) */
    int mask_multiple; /* multiple of the columns of a mask of relu_dropout; 0: no masks */
    unsigned lists;    /* the lists that ops read, bits of enum ops_list; others may be NULL */
    void *(*alloc)(size_t bytes); /* device memory, zeroed, aligned to 64 bytes */
    void (*release)(void *memory, size_t bytes);
    /* Returns the total bytes of device memory. NULL: the device uses the memory of the host,
     * shared with other programs. */
    size_t (*memory)(void);
    /* `mark` records the time at which the ops issued before it end; `number`, below OPS_MARKS,
     * identifies this time. `elapsed` waits for two marks and returns the seconds between them.
     * Both NULL: each op is done when it returns. */
    void (*mark)(int number);
    double (*elapsed)(int from, int to);
    /* A download that does not wait for later ops. `send` issues the download and returns its
     * number. `receive` waits for the download with this number and copies its data to `to`; call
     * it once per number. At most OPS_SENT downloads are in flight. Both NULL: only `download`
     * exists, which waits for all ops. */
    int (*send)(const void *from, size_t bytes);
    void (*receive)(int number, void *to);
    /* Returns a text that names everything that can change the last bits of a result: device,
     * libraries, kernels. A training can be resumed only if the text is unchanged. */
    const char *(*numerics)(void);
    /* Returns further facts about the device, separated by "; ". NULL: none. */
    const char *(*facts)(void);
    /* Calls `issue`, which issues ops, or replays the ops recorded in an earlier call with an equal
     * key. NULL: the table cannot record ops. */
    void (*run)(const struct run_key *key, void (*issue)(void *context), void *context);
    /* Calls `issue` to find out which ops a list issues for its largest batch, but does not run
     * these ops. Allocates the temporary memory that the ops need. NULL: ops need no temporary
     * memory. */
    void (*reserve)(void (*issue)(void *context), void *context);
    /* Discards the recordings of a list, before the list is freed. NULL: there are none. */
    void (*forget)(const void *list);
    /* Ops issued between `fork` and `fork_end` run in order, possibly in parallel with ops issued
     * later. `join` waits for all forks except the last `late` forks. All three NULL: all ops run
     * in order. */
    void (*fork)(void);
    void (*fork_end)(void);
    void (*join)(int late);
    /* Returns a text about the last step: the number of kernel launches, and the number on the
     * longest chain of dependent launches. NULL: launches are not counted. */
    const char *(*launches)(void);
    /* The ops. The following ops have no struct of arguments:
     *   upload          host to device; the caller may change `from` after return
     *   download        device to host; waits for all ops issued before
     *   clear           sets device memory to zero
     *   read_act        activations of the device to reals of the host; waits as `download` does
     *   write_act       reals of the host to activations of the device; the caller may change
     *                   `from` after return. Rows on the device are `ld` elements apart, and rows
     *                   on the host are contiguous, in read_act and write_act
     *   sync            returns when all issued ops are done
     *   sum_columns     sum[j] = x[0, j] + x[1, j] + .., j < N; with `add` this is added to sum[j]
     *   sum             *result = x[0] + x[1] + ..; with `add` this is added to *result
     *   sum_of_squares  *result = x[0]^2 + x[1]^2 + ..; `result` is in device memory, as in `sum`
     *   average         mean += (x - mean) / nth, for arrays of `count` reals. The calls with nth =
     *                   1, 2, .., n set `mean` to the mean of n arrays
     *   store_rows      copies `rows` rows of `width` activations. Rows of `from` are `ld` elements
     *                   apart, rows of `to` are contiguous */
#define OP(name, parameters, arguments) void(*name) parameters;
#include "core/tensor/ops.def"
#undef OP
};

/* Returns the actual number of rows of an op; for backends and their kernels. */
ON_DEVICE static inline int op_rows(int launched, const int32_t *rows)
{
    return rows ? *rows : launched;
}

/* Returns the address of element `count`, without access to the contents. */
static inline struct act *act_at(const struct ops *ops, const struct act *x, int64_t count)
{
    return (struct act *)((const char *)x + count * (int64_t)ops->act_bytes);
}

/* Returns the number of elements of a packed B [K, N], for a table that packs. */
static inline int64_t ops_packed(const struct ops *ops, int K, int N)
{
    return (int64_t)K * ((N + ops->panel - 1) / ops->panel * ops->panel);
}
