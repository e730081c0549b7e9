/* Defines the parts of a list (graph.h): kinds of rows, inputs from the batch, values, nodes and
 * node types. The definitions do not depend on a model: the nodes of a model declare their rows,
 * inputs and losses. */
#pragma once

#include <string.h>

#include "core/corpus/batch.h"
#include "core/tensor/ops.h"
#include "core/tensor/parameter.h"

/* ---- rows and inputs ---- */

/* Kinds of rows of a value. A list declares the kinds that it uses. */
enum rows_of {
    ROWS_TOKENS,    /* the tokens of a field; in a step list, the live rows */
    ROWS_SENTENCES, /* `each` rows per sentence of a field */
    ROWS_PAIRS,     /* the pairs of neighboring sentences of a field: 0 and 1, 2 and 3, .. */
    ROWS_FIXED      /* `each` rows, independent of the batch */
};
enum { STEPS_MULTIPLE = 16 };
struct rows {
    enum rows_of of;
    enum field_name field;
    int each;           /* for ROWS_SENTENCES and ROWS_FIXED */
    int index;          /* index among the kinds of the list and in first_row of struct step */
    bool idle;          /* all nodes with these rows were pruned, so a batch may lack the rows */
    int capacity;       /* capacity in rows */
    int group_capacity; /* capacity in groups */
    /* Numbers of rows and of groups (sentences or pairs) in the loaded batch. Group g has the rows
     * start[g] .. start[g+1]-1. */
    int count, groups;
    /* Numbers of rows and groups for which ops are launched. If the row_multiple of the op table is
     * above 1, both numbers are rounded up (graph_whole_rows, whole_groups). The additional groups
     * are empty. */
    int launched, launched_groups;
    /* Number of rows of the longest group. If row_multiple is above 1, this number is rounded up.
     * It is then a multiple of STEPS_MULTIPLE for stepped rows, else a power of two (at least
     * 64). */
    int longest;
    int32_t *start;   /* device [launched_groups+1] */
    int32_t *counted; /* device [1]: copy of `count`; NULL if `launched` is always exact */
    /* `stepped` is true if a node processes these rows token by token (graph_steps). alive[s], on
     * the host, is the number of sentences with more than s tokens, for s = 0 .. step_room;
     * alive[step_room] is 0. step_alive is a copy of `alive` on the device. step_begin[s], on the
     * device, is the number of rows of all steps before s. step_alive and step_begin are NULL if
     * `counted` is NULL. */
    bool stepped;
    int step_room;
    int *alive;
    int32_t *step_alive, *step_begin; /* [step_room + 2] */
};

/* An input: integers that a node reads, one per row. When a batch is loaded, input_fill computes
 * the integers on the host: it writes to[0] .. to[rows->count - 1]. It is not called if the batch
 * has none of these rows. */
typedef void input_fill(const struct batch *batch, const struct rows *rows, int32_t *to);
struct input {
    const char *what; /* name of an integer, for messages: "a token" */
    input_fill *fill;
    const struct rows *rows;
    int least, below; /* every integer n satisfies least <= n < below */
    int32_t *data;    /* device [capacity of the rows] */
};

/* A table [longest, columns], with one row for each position in a sentence. `fill` computes the
 * table when the list is placed, with `number` as an argument. */
typedef void positional_fill(int positions, int columns, double number, real *to);
struct positional {
    positional_fill *fill;
    int columns;
    double number;
    real *data; /* device */
};

/* State of the rows of a step list, filled by the stepper (core/model/stepper.h). Row r extends a
 * sentence by one token. All arrays are device memory. */
struct live {
    /* Position of the token in its sentence, from 0; equal for all rows. */
    int position;
    int cache_row;            /* row of the caches to which row 0 of this step is written */
    const int32_t *previous;  /* [rows] previous token; -1 at the start of a sentence */
    const int32_t *positions; /* [rows] `position` */
    /* Self-attention: row r attends to the cache rows index[begin[r]] .. index[begin[r+1]-1], in
     * the order of their positions. begin has rows+1 elements. */
    const int32_t *begin, *index;
    /* Cross-attention: the same for the tokens of the row's source sentence. */
    const int32_t *cross_begin, *cross_index;
    int cross_longest; /* upper bound of the number of source tokens of a row */
};

/* ---- values and nodes ---- */

/* A region of the planned memory, alive from tick `first` to tick `last`. In a list of N nodes, the
 * forward pass of node i is tick i; its backward pass is tick 2N-1-i. first is -1 if the region is
 * unused. */
struct region {
    const char *path; /* path of the value */
    int first, last;
    size_t bytes;
    int64_t offset;
};

struct value {
    const char *path;
    struct rows *rows;
    int columns, ld; /* ld: distance between the starts of two rows, in elements */
    struct node *maker;
    /* Views only: the view is columns [column, column + columns) of the parent. */
    struct value *parent;
    int column;

    bool real;     /* the elements are reals (statistics), not activations */
    bool viewed;   /* has views; nodes of a training list read only the views */
    bool external; /* the caller provides the memory (step lists) */
    bool in_place; /* the gradient overwrites the data */
    bool cache;    /* an external value that collects the rows of all steps */
    bool kept;     /* its data stays in memory until the end of the run */
    bool written;  /* for graph_plan: a writer of the gradient is already found */

    struct region data_region, gradient_region;
    void *data, *gradient; /* device pointers after graph_place */
};

enum {
    NODE_INPUTS = 12, /* q, k, v, and the arrays of four attention terms */
    NODE_OUTPUTS = 10,
    NODE_READS = 4,
    ZEROS_IN = 3,
    NODE_PARAMETERS = 2 * ATTENTION_BRANCHES /* two matrices per branch of a gate */
};

struct graph;

struct node {
    const struct node_type *type;
    const char *path;
    void *options; /* options struct of the type */
    /* in[] and out[] are filled from index 0 without gaps. An output is not a view, and this node
     * is its only maker. */
    struct value *in[NODE_INPUTS], *out[NODE_OUTPUTS];
    const struct input *read[NODE_READS]; /* inputs from the batch (graph_input) */
    struct parameter *parameter[NODE_PARAMETERS];
    bool add_in[NODE_INPUTS]; /* an earlier node of the backward pass writes this gradient */
    /* An earlier node of the same backward pass writes the gradient of this parameter. */
    bool add_parameter[NODE_PARAMETERS];
    struct dropout dropout;
    /* multiplies: forward reads parameter[0] only in a matrix product, so graph_pack may pack it.
     * transposed: the product reads the transposed parameter. */
    bool multiplies, transposed;
    /* The gradients of the parameters may be computed asynchronously (graph_fork). Their ops read
     * the data of in[0], if the node has inputs, and the gradient of out[0]. */
    bool async;
    /* Only the sums over rows at the end of backward may be computed asynchronously. These sums
     * read the data that backward stores in the memory of the gradient of out[0]. */
    bool async_sums;
    /* async_forward: forward may be asynchronous, because the next node does not read the result.
     * async_input: the gradient of in[0] may be asynchronous. The next node does not read this
     * gradient, and only async nodes write it. */
    bool async_forward, async_input;
    /* forward or backward must first wait for asynchronous results that it needs */
    bool waits_forward, waits_backward;
    /* out[0] and in[0] share the memory of one gradient. The only reader of out[0] directly
     * computes the gradient of in[0], so backward does nothing. */
    bool passes;
    /* Trailing rows (rows count .. launched-1) are zero in the data of in[0] and in the gradient of
     * out[0]. */
    bool zeros;
    double slower; /* time per operation relative to large products; 0 means 1 */
};

#define READS_IN(i) (1u << (i))
#define READS_OUT(i) (1u << (16 + (i)))
#define SOLE_READER (1u << 31)
#define LEAVES_ZEROS (1u << 30)

/* forward writes all outputs. backward writes the gradient of every in[] that is not `real`, or
 * adds to it if add_in is set. backward also writes the gradient of every parameter (node_adds). If
 * no node reads an output, the output's gradient is NULL. The starts of rows are ld elements apart.
 * Only ops may access the data, which is in device memory. Nodes allocate no memory. */
struct node_type {
    const char *name;
    void (*forward)(struct graph *graph, struct node *node);
    void (*backward)(struct graph *graph, struct node *node);
    /* READS_IN, READS_OUT: backward reads the data of this input or output. SOLE_READER: backward
     * cannot add to gradients of inputs, so no other node may read the inputs. LEAVES_ZEROS: in a
     * training list, trailing rows are zero in outputs and, after backward, in the gradients of
     * in[0] to in[ZEROS_IN - 1]. */
    unsigned backward_reads;
    /* Floating point operations of one forward pass with the counts of the loaded batch. The
     * backward pass of a matrix product takes twice as many. NULL: negligible. */
    double (*flops)(const struct node *node);
};

/* Defines OP_forward and OP_backward, the functions of a node type whose forward and backward
 * passes are one op each. `fill` is a call that sets `arguments` from graph and node, for both
 * directions. All other members and the padding are zero, because recorded arguments may be
 * compared byte by byte. */
#define NODE_OP(op, type, fill)                                                                    \
    static void op##_forward(struct graph *graph, struct node *node)                               \
    {                                                                                              \
        type arguments;                                                                            \
        memset(&arguments, 0, sizeof arguments);                                                   \
        fill;                                                                                      \
        graph->ops->op(&arguments);                                                                \
    }                                                                                              \
    static void op##_backward(struct graph *graph, struct node *node)                              \
    {                                                                                              \
        type arguments;                                                                            \
        memset(&arguments, 0, sizeof arguments);                                                   \
        fill;                                                                                      \
        graph->ops->op##_backward(&arguments);                                                     \
    }
