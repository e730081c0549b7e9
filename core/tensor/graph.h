/* A model as a short static list of nodes of layer size, each with a hand-written forward and
 * backward; the backward pass is the list in reverse.
 *
 * One specification gives three lists that share parameters:
 *   GRAPH_TRAIN  forward, loss, backward
 *   GRAPH_INFER  no dropout, no gradients: validation, vectors, analyses; only what the kept paths
 *                need is left in the list
 *   GRAPH_STEP   one target token per live row, for beam search
 * Every output has a path name ("encoder.2.attention.gate"). The first writer of a gradient
 * assigns, later ones add: decided when the list is finished. Lists are planned for capacities;
 * counts travel with the batch. A planner lays all activations into one buffer by their lifetimes
 * (plan.c), and nothing is allocated afterwards. */
#ifndef CORE_TENSOR_GRAPH_H
#define CORE_TENSOR_GRAPH_H

#include "core/tensor/ops.h"
#include "core/tensor/parameter.h"
#include "core/text/batch.h"

enum graph_mode {
    GRAPH_TRAIN,
    GRAPH_INFER,
    GRAPH_STEP
};

/* What the rows of a value are. */
enum rows {
    ROWS_SOURCE, /* tokens of the source field */
    ROWS_TARGET, /* tokens of the target field; live rows in a step list */
    ROWS_KINDS
};

struct capacity {
    int rows[ROWS_KINDS];
    int sentences;
    int longest; /* positions that sinusoids are needed for */
};

struct extent { /* a stretch of the planned memory, alive from `first` to `last` */
    int64_t offset;
    size_t bytes;
    /* In ticks: forward node i is tick i, its backward is tick 2N-1-i; -1: not used. */
    int first, last;
};

struct value {
    const char *path;
    enum rows rows;
    int columns;
    bool real;             /* statistics: `real` instead of activations */
    struct value *parent;  /* of a view: columns [column, column + columns) of the parent */
    int column;
    bool viewed;           /* has views: only they are read */
    bool external;         /* memory is given by the caller (step lists) */
    bool in_place;         /* the gradient takes the place of the data */
    bool cache;            /* an external value that collects the rows of all steps */
    bool kept;             /* alive until the end of the run */
    bool written;          /* its gradient has a writer already (while the list is finished) */
    struct node *maker;
    struct extent data_buffer, gradient_buffer;
    void *data, *gradient; /* device pointers after graph_plan */
    int ld;                /* elements from row to row */
};

enum {
    NODE_INPUTS = 12, /* q, k, v and the rows of four terms */
    NODE_OUTPUTS = 6,
    NODE_PARAMETERS = 2 * ATTENTION_BRANCHES /* two matrices of a gate per branch */
};

struct graph;

struct node {
    const struct node_type *type;
    const char *path;
    struct value *in[NODE_INPUTS], *out[NODE_OUTPUTS];
    struct parameter *parameter[NODE_PARAMETERS];
    bool add_in[NODE_INPUTS];               /* gradient of in[i] has an earlier writer */
    bool add_parameter[NODE_PARAMETERS];    /* the same, within one backward pass */
    struct dropout dropout;
    /* Forward multiplies by parameter[0], as it is or transposed, and reads it in no other way. */
    bool multiplies, transposed;
    void *options; /* of the type's own struct */
};

#define READS_IN(i) (1u << (i))
#define READS_OUT(i) (1u << (16 + (i)))

struct node_type {
    const char *name;
    void (*forward)(struct graph *graph, struct node *node);
    void (*backward)(struct graph *graph, struct node *node);
    unsigned backward_reads; /* READS_IN, READS_OUT: whose data backward needs */
    /* Floating point operations of one forward pass with the counts of the loaded batch (a backward
     * pass of matrix products takes twice as many). NULL: not worth counting. */
    double (*flops)(const struct graph *graph, const struct node *node);
};

/* The loaded batch in device memory, per field. */
struct field_device {
    int T, B;
    int32_t *token;    /* [T] */
    int32_t *previous; /* [T] the token before, -1 at a sentence's start */
    int32_t *position; /* [T] within its sentence */
    int32_t *start;    /* [B+1] */
};

/* What is added to the embedding of position p: sine and cosine of D/2 angles, k from 0. */
enum sinusoid_kind {
    SINUSOID_NONE,
    SINUSOID_HALVES,      /* of p 10000^(-k / (D/2 - 1)), in channels k, D/2 + k: THUMT, T2T */
    SINUSOID_INTERLEAVED, /* of p 10000^(-2k / D), in channels 2k, 2k + 1: Song et al., eq. 5 */
    SINUSOID_KINDS
};

struct graph {
    enum graph_mode mode;
    const struct ops *ops;
    struct arena *arena;
    struct parameters *parameters;
    int nodes, node_room, values, value_room;
    struct node **node;
    struct value **value;
    bool finished;

    struct capacity capacity;
    int count[ROWS_KINDS];   /* rows of the loaded batch */
    struct field_device field[FIELDS];
    struct step *step;       /* device */
    struct step host_step;
    bool accumulate; /* gradients of parameters are added to those of earlier micro-batches */
    char *memory;            /* the planned buffer */
    size_t memory_bytes, fixed_bytes; /* planned; batch, sinusoids */
    bool wants_sinusoid[SINUSOID_KINDS];
    real *sinusoid[SINUSOID_KINDS]; /* [longest, width] or NULL */
    int sinusoid_width;
    /* [T, 1] statistics of the list's loss: smoothed, as it is learned, and the plain negative
     * log-likelihood. NULL: it has none. */
    struct value *loss, *likelihood;
    void *step_state; /* of a step list: the search's index arrays (struct attention_search) */
};

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters);
struct value *graph_value(struct graph *graph, enum rows rows, int columns, const char *path, ...)
    PRINTF(4, 5);
struct value *graph_statistics(struct graph *graph, enum rows rows, int columns, const char *path,
                               ...) PRINTF(4, 5);
struct value *graph_external(struct graph *graph, enum rows rows, int columns, const char *path,
                             ...) PRINTF(4, 5);
struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path, ...) PRINTF(5, 6);
/* A node at the end of the list; in and out are then set by the caller. The type's options are
 * copied. */
struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path, ...) PRINTF(5, 6);
/* NULL: no output has that path. */
struct value *graph_find(const struct graph *graph, const char *path);
/* The output of that path, kept to be read after a run. Dies with the nearest of another. */
struct value *graph_keep(struct graph *graph, const char *path);
void graph_keep_losses(struct graph *graph); /* a training list keeps them by itself */

/* Decides gradients' writers and lifetimes, drops what no kept value needs (GRAPH_INFER), and lays
 * out the memory. graph_plan counts the bytes only; graph_place takes them. */
void graph_plan(struct graph *graph, struct capacity capacity);
void graph_place(struct graph *graph);
/* Of a frozen model: every weight is packed once in the form that its node reads, until
 * parameters_refresh. Nothing where parameters have gradients: products pack what learns. */
void graph_pack(struct graph *graph);
void graph_release(struct graph *graph);

void graph_load(struct graph *graph, const struct batch *batch);
void graph_set_step(struct graph *graph, const struct step *step);
void graph_forward(struct graph *graph);
void graph_backward(struct graph *graph, bool accumulate);
/* Multiply-adds twice, of one forward pass with the loaded counts. */
double graph_flops(const struct graph *graph);
/* Sums over the rows of the two losses that the list has just computed and keeps. */
struct loss_sum {
    double loss, likelihood;
};
struct loss_sum graph_losses(const struct graph *graph);
/* Rows of a kept value to the host, as real. */
void graph_read(const struct graph *graph, const struct value *value, real *to);

/* What nodes use. */
static inline int graph_rows(const struct graph *graph, const struct value *value)
{
    return graph->count[value->rows];
}
static inline const struct act *graph_operand(const struct graph *graph, const struct parameter *p)
{
    return act_at(graph->ops, graph->parameters->operand, p->offset);
}
static inline const real *graph_master(const struct graph *graph, const struct parameter *p)
{
    return p ? graph->parameters->master + p->offset : NULL;
}
static inline real *graph_gradient(const struct graph *graph, const struct parameter *p)
{
    return p ? graph->parameters->gradient + p->offset : NULL;
}
static inline bool node_adds(const struct graph *graph, const struct node *node, int parameter)
{
    return graph->accumulate || node->add_parameter[parameter];
}
/* Dropout of a node in training; none in other lists. */
struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             enum rows rows);

#endif
