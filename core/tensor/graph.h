/* A model as a short static list of nodes. A node is a part of a layer, with hand-written forward
 * and backward functions. The backward pass is the list in reverse.
 *
 *   build    graph_new, nodes by their functions (core/layer/layer.h, attention/attention.h),
 *            graph_keep for values that are read after a run: this header
 *   run      graph_plan, graph_place, graph_load, graph_forward ..: graph_run.h
 *
 * One specification gives three lists that share parameters: for training, for inference, and for
 * decoding word by word. Every output has a path ("encoder.2.attention.gate"). A list is planned
 * for capacities; each batch has its own counts. */
#pragma once

#include "core/tensor/node.h"

enum graph_mode {
    GRAPH_TRAIN, /* forward, loss, backward */
    GRAPH_INFER, /* no dropout, no gradients; only the nodes that kept paths need */
    GRAPH_STEP   /* one target token per live row, for beam search (core/model/stepper.h) */
};

/* Upper bounds of a batch. A list is planned for them. */
struct capacity {
    int tokens[FIELDS];
    int sentences; /* sentences of a field; pairs are half of this number */
    int longest;   /* tokens of the longest sentence */
};

enum { GRAPH_INPUTS = 16, GRAPH_POSITIONALS = 2 }; /* upper bounds */

struct graph {
    enum graph_mode mode;
    const struct ops *ops;
    struct arena *arena;
    struct parameters *parameters;

    /* Contents of the list. */
    struct node **node;
    struct value **value;
    struct rows *rows[ROWS_KINDS];
    struct input *input[GRAPH_INPUTS];
    struct positional *positional[GRAPH_POSITIONALS];
    struct graph_alias {
        const char *path;
        struct value *value;
    } * alias;
    int nodes, values, kinds, inputs, positionals, aliases;
    /* [T, 1] statistics of the loss: the smoothed loss that is minimized, and the plain negative
     * log-likelihood. NULL if the list has no loss. */
    struct value *loss, *likelihood;

    /* Set by graph_plan. */
    bool finished;
    /* The forward pass of nodes async_first .. async_end-1 runs in parallel with the nodes before
     * them; both 0: none. */
    int async_first, async_end;
    struct capacity capacity;
    /* memory_bytes: planned buffer; fixed_bytes: inputs of the batch and tables by position */
    size_t memory_bytes, fixed_bytes;

    /* Set by graph_place. The image contains the step, the starts of groups and the inputs of
     * nodes. graph_load fills it on the host and copies it to the device in one piece. */
    char *memory; /* the planned buffer */
    char *host, *image;
    size_t image_bytes;
    struct step *step;       /* device, within the image */
    struct outcome *outcome; /* device */

    /* State of a pass. fork_tick[forks]: ticks with a fork. The first `joined` forks have been
     * joined. The last fork that wrote a gradient of a value is among the first `input_forks`. */
    int *fork_tick, forks, joined, input_forks, tick;
    bool accumulate; /* gradients of parameters are added to those of earlier micro-batches */
    /* Replacements of values (overwrite.h), [overwrites], and the rows that they change; NULL: all
     * rows. */
    const struct overwrite *overwrite;
    int overwrites;
    const bool *overwritten;
    const struct live *live; /* step lists only */
};

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters);
/* Return a kind of rows. Equal arguments return the same kind. */
struct rows *graph_tokens(struct graph *graph, enum field_name field);
struct rows *graph_sentences(struct graph *graph, enum field_name field, int each);
struct rows *graph_pairs(struct graph *graph, enum field_name field);
struct rows *graph_fixed(struct graph *graph, int rows);
/* Returns the integers that a node reads. Equal arguments return the same input. */
struct input *graph_input(struct graph *graph, const struct rows *rows, input_fill *fill, int least,
                          int below, const char *what);
input_fill input_tokens; /* tokens of a field */
/* Return the group index of each row, and the first rows of attention tiles. NULL if the op table
 * does not need them. */
struct input *graph_groups(struct graph *graph, const struct rows *rows);
struct input *graph_tiles(struct graph *graph, const struct rows *rows);
/* Returns the packed rows in the order of a recurrence: the first tokens of all sentences, then the
 * second tokens, and so on. `reverse` begins with the last tokens and goes back. Within a step the
 * longest sentence comes first; ties keep the order of the batch. Step s has alive[s] rows. */
struct input *graph_steps(struct graph *graph, struct rows *rows, bool reverse);
/* Returns the number of rows for which step s is launched; 0 after the last step. The result is an
 * upper bound if ops are launched for more rows than exist, else exact. */
int graph_step_rows(const struct rows *rows, int s);
/* Returns the table [longest, columns] that `fill` computes with `number` when the list is placed.
 * Equal columns, fill and number return the same table. A list has at most GRAPH_POSITIONALS
 * tables. */
struct positional *graph_positional(struct graph *graph, int columns, positional_fill *fill,
                                    double number);
/* Add a value to the list; struct value describes the kinds. The path must live as long as the
 * list. */
struct value *graph_value(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_statistics(struct graph *graph, struct rows *rows, int columns,
                               const char *path);
struct value *graph_external(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path);
/* Rounds ld up to the multiple that is best for products of the table. The padding between rows is
 * undefined. Use it for values as wide as a vocabulary. The value must have no views. */
void graph_widen(struct graph *graph, struct value *value);
/* Appends a node to the list. The caller then sets in and out. The options of the type are
 * copied. */
struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path);
/* Adds another path for an output. */
void graph_alias(struct graph *graph, const char *path, struct value *value);
/* Returns the value with this path; NULL if there is none. */
struct value *graph_find(const struct graph *graph, const char *path);
/* Returns the output with this path, and keeps it readable after a run. Dies if no output has the
 * path; the message names the nearest path. */
struct value *graph_keep(struct graph *graph, const char *path);
void graph_keep_losses(struct graph *graph); /* training lists do this by default */

/* ---- helpers for nodes ---- */

/* The number of rows for which an op is launched, and the op's argument `rows`. */
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
/* Ops issued between the two calls may run in parallel with ops issued later (on a GPU, on a second
 * stream).
 *   - Forward: nodes async_first to async_end - 1, and nodes with async_forward.
 *   - Backward: gradients of parameters, of nodes with `async` or async_sums.
 * The list waits for these gradients FORK_LATE ticks later, and at the end of the pass. A node that
 * is not async waits before it adds to them. A node that reads a result of async_forward or
 * async_input waits for the result. */
enum { FORK_LATE = 6 };
void graph_fork(struct graph *graph);
void graph_fork_end(struct graph *graph);
/* Returns the dropout of a node. Only training lists have dropout. */
struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             const struct rows *rows);
