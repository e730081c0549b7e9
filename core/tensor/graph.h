/* A model as a short static list of nodes of layer size, each with a hand-written forward and
 * backward; the backward pass is the list in reverse.
 *
 *   build    graph_new, nodes by their functions (core/layer/layer.h, attention/attention.h),
 *            graph_keep for values that are read after a run
 *   plan     graph_plan lays all values into one buffer by their lifetimes (plan.c); graph_place
 *            takes the memory, and nothing is allocated afterwards
 *   run      graph_load a batch, then graph_forward and graph_losses or graph_read; a training
 *            step is graph_learn
 *   end      graph_release
 *
 * One specification gives three lists that share parameters: one for training, one that infers, and
 * one that decodes word by word. Every output has a path name ("encoder.2.attention.gate"). Lists
 * are planned for capacities; counts travel with the batch. The list knows no model: nodes say
 * which rows, numbers of the batch and losses there are. */
#ifndef CORE_TENSOR_GRAPH_H
#define CORE_TENSOR_GRAPH_H

#include <string.h>

#include "core/corpus/batch.h"
#include "core/tensor/ops.h"
#include "core/tensor/parameter.h"

enum graph_mode {
    GRAPH_TRAIN, /* forward, loss, backward */
    GRAPH_INFER, /* no dropout, no gradients; only what the kept paths need is left in the list */
    GRAPH_STEP   /* one target token per live row, for beam search (core/model/stepper.h) */
};

/* ---- rows, and numbers of the batch ---- */

/* What the rows of values are. A list declares the kinds that it has; a row is one of */
enum rows_of {
    ROWS_TOKENS,    /* the tokens of a field; in a step list the live rows */
    ROWS_SENTENCES, /* `each` rows for every sentence of a field */
    ROWS_PAIRS      /* the pairs of neighboring sentences of a field: 0 and 1, 2 and 3, .. */
};
struct rows {
    enum rows_of of;
    enum field_name field;
    int each;       /* of ROWS_SENTENCES */
    int index;      /* among the kinds of the list: in first_row of struct step */
    int room;       /* rows planned for, */
    int group_room; /* and groups */
    /* Of the loaded batch: rows; sentences (or pairs), of which group g has the rows start[g] ..
     * start[g+1]-1. */
    int count, groups;
    int launched;   /* rows that ops are launched for: `count` up to the table's row_multiple */
    int longest;    /* no group has more rows: where more are launched, in steps of a factor of 2 */
    int32_t *start; /* device [groups+1] */
    int32_t *counted; /* device [1]: `count`, where ops are launched for more; else NULL */
};

/* What a list is planned for. */
struct capacity {
    int tokens[FIELDS];
    int sentences; /* of a field; there are half as many pairs */
    int longest;   /* tokens of a sentence */
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

/* Numbers by position, [longest, columns], that a node reads: made when the list is placed. */
typedef void positional_fill(int positions, int columns, real *to);
struct positional {
    positional_fill *fill;
    int columns;
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
    NODE_OUTPUTS = 6,
    NODE_READS = 4,
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
};

#define READS_IN(i) (1u << (i))
#define READS_OUT(i) (1u << (16 + (i)))
#define SOLE_READER (1u << 31)

/* forward writes all outputs. backward writes the gradient of every in[] that is not `real`, or
 * adds to it where add_in, and of every parameter (node_adds); the gradient of an output that
 * nobody reads is NULL. Rows are ld apart. Only ops look into data; nothing is allocated. */
struct node_type {
    const char *name;
    void (*forward)(struct graph *graph, struct node *node);
    void (*backward)(struct graph *graph, struct node *node);
    /* READS_IN, READS_OUT: whose data backward needs. SOLE_READER: backward cannot add to gradients
     * of inputs, so no other node may read them. */
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

/* ---- the list ---- */

enum { GRAPH_INPUTS = 16, GRAPH_POSITIONALS = 2 }; /* at most */

struct graph {
    enum graph_mode mode;
    const struct ops *ops;
    struct arena *arena;
    struct parameters *parameters;

    /* What it is made of. */
    struct node **node;
    struct value **value;
    struct rows *rows[ROWS_KINDS];
    struct input *input[GRAPH_INPUTS];
    struct positional *positional[GRAPH_POSITIONALS];
    int nodes, values, kinds, inputs, positionals;
    /* [T, 1] statistics of the list's loss: smoothed, as it is learned, and the plain negative
     * log-likelihood. NULL: it has none. */
    struct value *loss, *likelihood;

    /* What it is planned for, and takes. */
    bool finished;
    struct capacity capacity;
    size_t memory_bytes, fixed_bytes; /* planned; numbers of the batch and by position */

    /* Placed. What graph_load makes of a batch, and where it goes: the step, starts of groups and
     * numbers that nodes read, in one piece each, on the host and on the device. */
    char *memory; /* the planned buffer */
    char *host, *image;
    size_t image_bytes;
    struct step *step;       /* device, in the image */
    struct outcome *outcome; /* device */

    /* At work. */
    bool accumulate; /* gradients of parameters are added to those of earlier micro-batches */
    const struct live *live; /* of a step list */
};

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters);
/* A kind of rows; the same one when it is asked for again. */
struct rows *graph_tokens(struct graph *graph, enum field_name field);
struct rows *graph_sentences(struct graph *graph, enum field_name field, int each);
struct rows *graph_pairs(struct graph *graph, enum field_name field);
/* Numbers that a node reads; the same ones when they are asked for again. */
struct input *graph_input(struct graph *graph, const struct rows *rows, input_fill *fill, int least,
                          int below, const char *what);
input_fill input_tokens; /* the tokens of a field */
input_fill input_groups; /* the group of each row */
/* The group of each row, and where tiles of attention begin, where the table wants them; else
 * NULL. */
struct input *graph_groups(struct graph *graph, const struct rows *rows);
struct input *graph_tiles(struct graph *graph, const struct rows *rows);
struct positional *graph_positional(struct graph *graph, int columns, positional_fill *fill);
/* Values by what they hold, as struct value says. Paths live as long as the list. */
struct value *graph_value(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_statistics(struct graph *graph, struct rows *rows, int columns,
                               const char *path);
struct value *graph_external(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path);
/* Rows of a value that is not read by views are so far apart as the table's products like it; what
 * stands between them means nothing. For values as wide as a vocabulary. */
void graph_widen(struct graph *graph, struct value *value);
/* A node at the end of the list; in and out are then set by the caller. The type's options are
 * copied. */
struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path);
/* NULL: no output has that path. */
struct value *graph_find(const struct graph *graph, const char *path);
/* The output of that path, kept to be read after a run. Dies when no output has that
 * path, and names the nearest one. */
struct value *graph_keep(struct graph *graph, const char *path);
void graph_keep_losses(struct graph *graph); /* a training list keeps them by itself */

/* ---- plan ---- */

/* Decides gradients' writers and lifetimes, drops what no kept value needs (GRAPH_INFER), and lays
 * out the memory. Every node of a training list with a loss leads to it. graph_plan counts the
 * bytes only; graph_place takes them, once. */
void graph_plan(struct graph *graph, struct capacity capacity);
void graph_place(struct graph *graph);
/* Has the table plan what ops need for the largest batch (struct ops: reserve), as graph_place does
 * in the end. Of step lists nothing is recorded, and nothing planned. */
void graph_reserve(struct graph *graph);
/* Of a frozen model: every weight is packed once in the form that its node reads, until
 * parameters_refresh. Nothing where parameters have gradients: products pack what learns. */
void graph_pack(struct graph *graph);
void graph_release(struct graph *graph);

/* ---- run ---- */

/* So many rows, up to what the table launches: a multiple of its row_multiple. */
int graph_whole_rows(const struct graph *graph, int rows);
/* Rows of a batch, without loading it: T and B of its fields are read. */
void graph_count(struct graph *graph, const struct batch *batch);
/* A batch that keeps to the capacities, with every number that nodes read of it; a token or label
 * that a table lacks is a CHECK, as are labels that a loss wants and does not get. first_row of the
 * step is that of the batch. */
void graph_load(struct graph *graph, const struct batch *batch);
/* Everything of the step but first_row, from the next graph_load on; only training reads it. */
void graph_set_step(struct graph *graph, const struct step *step);
/* A step list's rows, in the place of a batch. */
void graph_set_live(struct graph *graph, const struct live *live, int rows);
void graph_forward(struct graph *graph);
void graph_backward(struct graph *graph, bool accumulate);
/* Forward, sums of the losses, backward of the loaded batch, as one run of the table. `accumulate`:
 * behind another micro-batch of the step. */
void graph_learn(struct graph *graph, bool accumulate);
/* Multiply-adds twice, of one forward pass with the loaded counts. */
double graph_flops(const struct graph *graph);
/* What the outcome is: waits for all that was issued. */
struct outcome graph_outcome(const struct graph *graph);
/* The outcome of the loaded batch alone: sums over the rows of the two losses that the list has
 * just computed and keeps. */
struct outcome graph_losses(const struct graph *graph);
/* Rows of a kept value to the host, as real. */
void graph_read(const struct graph *graph, const struct value *value, real *to);

/* ---- what nodes use ---- */

/* The rows that an op is launched for, and its `rows`. */
static inline int graph_rows(const struct value *value)
{
    return value->rows->launched;
}
static inline const int32_t *graph_counted(const struct value *value)
{
    return value->rows->counted;
}
static inline const struct act *graph_operand(const struct graph *graph, const struct parameter *p)
{
    return p ? act_at(graph->ops, graph->parameters->operand, p->offset) : NULL;
}
static inline const real *graph_master(const struct graph *graph, const struct parameter *p)
{
    return p ? graph->parameters->master + p->offset : NULL;
}
static inline real *graph_gradient(const struct graph *graph, const struct parameter *p)
{
    return p && graph->parameters->gradient ? graph->parameters->gradient + p->offset : NULL;
}
static inline bool node_adds(const struct graph *graph, const struct node *node, int parameter)
{
    return graph->accumulate || node->add_parameter[parameter];
}
/* Dropout of a node in training; none in other lists. */
struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             const struct rows *rows);

#endif
