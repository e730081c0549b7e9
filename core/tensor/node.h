/* What a list (graph.h) is made of: kinds of rows, numbers of the batch, values, nodes and their
 * types. Whoever writes a node reads this; the list knows no model: nodes say which rows, numbers
 * and losses there are. */
#pragma once

#include <string.h>

#include "core/corpus/batch.h"
#include "core/tensor/ops.h"
#include "core/tensor/parameter.h"

/* ---- rows, and numbers of the batch ---- */

/* What the rows of values are. A list declares the kinds that it has; a row is one of */
enum rows_of {
    ROWS_TOKENS,    /* the tokens of a field; in a step list the live rows */
    ROWS_SENTENCES, /* `each` rows for every sentence of a field */
    ROWS_PAIRS,     /* the pairs of neighboring sentences of a field: 0 and 1, 2 and 3, .. */
    ROWS_FIXED      /* `each` rows, whatever the batch holds */
};
enum { STEPS_MULTIPLE = 16 };
struct rows {
    enum rows_of of;
    enum field_name field;
    int each;       /* of ROWS_SENTENCES and ROWS_FIXED */
    int index;      /* among the kinds of the list: in first_row of struct step */
    bool idle;      /* all nodes with such rows were dropped: a batch need not have them */
    int room;       /* rows planned for, */
    int group_room; /* and groups */
    /* Of the loaded batch: rows; sentences (or pairs), of which group g has the rows start[g] ..
     * start[g+1]-1. */
    int count, groups;
    /* Rows and groups that ops are launched for, where the table has a row_multiple more than there
     * are (graph_whole_rows, graph_whole_groups): groups behind the last one have no rows. */
    int launched, launched_groups;
    int longest;    /* no group has more rows: where more are launched, a multiple of STEPS_MULTIPLE
                     * of stepped ones, else in steps of a factor of 2 */
    int32_t *start; /* device [launched_groups+1] */
    int32_t *counted; /* device [1]: `count`, where ops are launched for more; else NULL */
    /* Where nodes go through sentences token by token (graph_steps): on the host, how many of them
     * have more than s tokens, alive[0] .. alive[step_room], which is 0. Where more rows are
     * launched, so on the device, and how many rows all steps before s have; else NULL. */
    bool stepped;
    int step_room;
    int *alive;
    int32_t *step_alive, *step_begin; /* [step_room + 2] */
};

/* Whole numbers, one per row, that a node reads: made on the host when a batch is loaded. The
 * function writes to[0] .. to[rows->count - 1]; it is not asked where there are no rows. */
typedef void input_fill(const struct batch *batch, const struct rows *rows, int32_t *to);
struct input {
    const char *what; /* "a token" */
    input_fill *fill;
    const struct rows *rows;
    int least, below; /* every number is from `least` up to, but not, `below` */
    int32_t *data;    /* device [count of the rows] */
};

/* Numbers by position, [longest, columns], that a node reads: made when the list is placed, by a
 * function with a number of its own choice. */
typedef void positional_fill(int positions, int columns, double number, real *to);
struct positional {
    positional_fill *fill;
    int columns;
    double number;
    real *data; /* device */
};

/* Where the rows of a step list stand, filled by who steps (core/model/stepper.h); all arrays are
 * device memory. Row r extends a sentence by one token. */
struct live {
    int position;                 /* of that token in its sentence, from 0; the same for all rows */
    int cache_row;                /* row of the caches where row 0 of this step goes */
    const int32_t *previous;      /* [rows] the token before, -1 at a sentence's start */
    const int32_t *positions;     /* [rows] `position` */
    const int32_t *begin, *index; /* keys of its own sentence: [rows+1], cache rows by position */
    const int32_t *cross_begin, *cross_index; /* keys of the source: [rows+1], its token rows */
    int cross_longest;                        /* no row has more of them */
};

/* ---- values and nodes ---- */

/* A region of the planned memory, alive from tick `first` to tick `last`: forward of node i is tick
 * i, its backward tick 2N-1-i; first -1: it is not used. */
struct region {
    const char *path; /* of the value */
    int first, last;
    size_t bytes;
    int64_t offset;
};

struct value {
    const char *path;
    struct rows *rows;
    int columns, ld; /* ld: elements from row to row */
    struct node *maker;
    struct value *parent; /* of a view: columns [column, column + columns) of the parent */
    int column;

    bool real;     /* statistics: `real` instead of activations */
    bool viewed;   /* has views: of a training list only they are read */
    bool external; /* memory is given by the caller (step lists) */
    bool in_place; /* the gradient takes the place of the data */
    bool cache;    /* an external value that collects the rows of all steps */
    bool kept;     /* alive until the end of the run */
    bool written;  /* its gradient has a writer already (while the list is planned) */

    struct region data_region, gradient_region;
    void *data, *gradient; /* device pointers after graph_place */
};

enum {
    NODE_INPUTS = 12, /* q, k, v and the rows of four terms */
    NODE_OUTPUTS = 10,
    NODE_READS = 4,
    ZEROS_IN = 3,
    NODE_PARAMETERS = 2 * ATTENTION_BRANCHES /* two matrices of a gate per branch */
};

struct graph;

struct node {
    const struct node_type *type;
    const char *path;
    void *options; /* of the type's own struct */
    /* Filled from 0 without gaps; an output is no view and has this one maker. */
    struct value *in[NODE_INPUTS], *out[NODE_OUTPUTS];
    const struct input *read[NODE_READS]; /* what graph_input gave */
    struct parameter *parameter[NODE_PARAMETERS];
    bool add_in[NODE_INPUTS];            /* gradient of in[i] has an earlier writer */
    bool add_parameter[NODE_PARAMETERS]; /* the same, within one backward pass */
    struct dropout dropout;
    /* Forward multiplies by parameter[0], as it is or transposed, and reads it in no other way. */
    bool multiplies, transposed;
    /* Gradients of its parameters may be computed asynchronously (graph_fork): they read the data
     * of in[0], if there is one, and the gradient of out[0]. */
    bool async;
    /* Only their last sums may be: of what backward leaves in the place of out[0]'s gradient. */
    bool async_sums;
    /* So may be forward, because the next node does not read it; or the gradient of in[0], which
     * the next node does not read and only async nodes write. */
    bool async_forward, async_input;
    bool waits_forward, waits_backward; /* reads what one of these has written */
    /* The gradient of out[0] is that of in[0]: whoever writes it does what backward would do. */
    bool passes;
    /* Rows behind the count are zero in the data of in[0] and in the gradient of out[0]. */
    bool zeros;
    double slower; /* its operations take so much longer than those of large products; 0: not so */
};

#define READS_IN(i) (1u << (i))
#define READS_OUT(i) (1u << (16 + (i)))
#define SOLE_READER (1u << 31)
#define LEAVES_ZEROS (1u << 30)

/* forward writes all outputs. backward writes the gradient of every in[] that is not `real`, or
 * adds to it where add_in, and of every parameter (node_adds); the gradient of an output that
 * nobody reads is NULL. Rows are ld apart. Only ops look into data; nothing is allocated. */
struct node_type {
    const char *name;
    void (*forward)(struct graph *graph, struct node *node);
    void (*backward)(struct graph *graph, struct node *node);
    /* READS_IN, READS_OUT: whose data backward needs. SOLE_READER: backward cannot add to gradients
     * of inputs, so no other node may read them. LEAVES_ZEROS: of a training list, rows behind the
     * count are zero in outputs and, behind backward, in gradients of in[0] to in[ZEROS_IN - 1]. */
    unsigned backward_reads;
    /* Floating point operations of one forward pass with the counts of the loaded batch (a backward
     * pass of matrix products takes twice as many). NULL: not worth counting. */
    double (*flops)(const struct node *node);
};

/* OP_forward and OP_backward of a type that is one op each way: `fill` is a call that fills
 * `arguments`, the same both ways, from graph and node. Recorded arguments may be compared byte by
 * byte, so what is not filled is zero, and gaps are, too. */
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
