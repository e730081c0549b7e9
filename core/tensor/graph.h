/* Represents a model as a static list of nodes. A node is a part of a layer, with hand-written
 * forward and backward functions. The backward pass visits the nodes in reverse order.
 *
 *   build    this header: graph_new, then functions that add nodes (core/layer/layer.h,
 *            attention/attention.h), then graph_keep for each value that is read after a run
 *   run      graph_run.h: graph_plan, graph_place, graph_load, graph_forward, ..
 *
 * One specification gives three lists that share parameters: for training, for inference, and for
 * decoding token by token. Every output has a path, for example "encoder.2.attention.gate". Memory
 * is planned for the largest batch (struct capacity). Each loaded batch has its own number of
 * rows. */
#pragma once

#include "core/tensor/node.h"

enum graph_mode {
    GRAPH_TRAIN, /* forward, loss, backward */
    GRAPH_INFER, /* no dropout, no gradients; graph_plan removes unneeded nodes */
    GRAPH_STEP   /* one target token per live row, for beam search (core/model/stepper.h) */
};

/* Upper bounds of the sizes of a batch. graph_plan plans memory for these sizes. */
struct capacity {
    int tokens[FIELDS];
    int sentences; /* sentences in each field, twice the number of pairs */
    int longest;   /* tokens of the longest sentence */
};

enum { GRAPH_INPUTS = 16 }; /* most inputs of a list */

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
    struct positional **positional;
    struct graph_alias {
        const char *path;
        struct value *value;
    } * alias;
    int nodes, values, kinds, inputs, positionals, aliases;
    /* Statistics [T, 1]. `loss` is the loss with label smoothing, which training minimizes.
     * `likelihood` is the negative log-likelihood without smoothing. Both are NULL if the list has
     * no loss. */
    struct value *loss, *likelihood;

    /* Set by graph_plan. */
    bool finished;
    /* The forward pass of nodes async_first .. async_end-1 runs in parallel with the nodes before
     * them. Both are 0 if there are no such nodes. */
    int async_first, async_end;
    struct capacity capacity;
    /* Bytes of device memory. memory_bytes: the planned buffer. fixed_bytes: image, outcome and
     * tables by position. */
    size_t memory_bytes, fixed_bytes;

    /* Set by graph_place. The image contains struct step, the starts of groups, the row counts and
     * the inputs of nodes. graph_load fills the copy in host memory (`host`) and uploads it to
     * `image` in one piece. */
    char *memory; /* the planned buffer */
    char *host, *image;
    size_t image_bytes;
    struct step *step;       /* device, within the image */
    struct outcome *outcome; /* device */

    /* State of a pass. `tick` is the current tick (struct region). fork_tick[i] is the tick at
     * which fork i began (graph_fork), i < forks. The pass has waited for the first `joined` forks.
     * In the backward pass, only the first `input_forks` forks may have written gradients of
     * values; later forks wrote only gradients of parameters. */
    int *fork_tick, forks, joined, input_forks, tick;
    bool accumulate; /* gradients of parameters are added to those of earlier micro-batches */
    /* Replacements of values, [overwrites] (overwrite.h). overwritten[row] is true for the rows
     * that the replacements change; NULL: all rows. */
    const struct overwrite *overwrite;
    int overwrites;
    const bool *overwritten;
    const struct live *live; /* step lists only */
};

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters);
/* Return a kind of rows (struct rows). Equal arguments return the same kind. */
struct rows *graph_tokens(struct graph *graph, enum field_name field);
struct rows *graph_sentences(struct graph *graph, enum field_name field, int each);
struct rows *graph_pairs(struct graph *graph, enum field_name field);
struct rows *graph_fixed(struct graph *graph, int rows);
/* Returns an input: one integer per row, which `fill` computes when a batch is loaded (struct
 * input). Equal arguments return the same input; `what` is not compared. */
struct input *graph_input(struct graph *graph, const struct rows *rows, input_fill *fill, int least,
                          int below, const char *what);
input_fill input_tokens;    /* writes the tokens of a field */
input_fill input_positions; /* writes the position of each token in its sentence, from 0 */
/* graph_groups returns the input with the group index of each row. graph_tiles returns the input
 * with the first row of each attention tile. Both return NULL if the op table does not need the
 * input. */
struct input *graph_groups(struct graph *graph, const struct rows *rows);
struct input *graph_tiles(struct graph *graph, const struct rows *rows);
/* Returns an input with the row indices in the order in which a recurrence reads them. Step 0 is
 * the first token of every sentence, step 1 the second token, and so on. With `reverse`, step 0 is
 * the last token of every sentence, step 1 the token before it, and so on. Within a step, longer
 * sentences come first; sentences of equal length keep the order of the batch. Step s has alive[s]
 * rows. */
struct input *graph_steps(struct graph *graph, struct rows *rows, bool reverse);
/* Returns the number of rows for which the ops of step s are launched; 0 after the last step. If
 * launched rows are rounded up (struct rows), the result is an upper bound, else the exact
 * number. */
int graph_step_rows(const struct rows *rows, int s);
/* Returns the table [longest, columns] that `fill` computes with `number` when the list is placed.
 * Equal columns, fill and number return the same table. */
struct positional *graph_positional(struct graph *graph, int columns, positional_fill *fill,
                                    double number);
/* Add a value to the list: activations, or statistics (reals). An external value is in memory of
 * the caller. A view has the columns [column, column + columns) of another value. The path must
 * live as long as the list. */
struct value *graph_value(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_statistics(struct graph *graph, struct rows *rows, int columns,
                               const char *path);
struct value *graph_external(struct graph *graph, struct rows *rows, int columns, const char *path);
struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path);
/* Rounds ld up to a multiple of the op table's ld_multiple, for faster products. The padding at the
 * end of each row is undefined. Use it for values as wide as a vocabulary. The value must have no
 * views. */
void graph_widen(struct graph *graph, struct value *value);
/* Appends a node to the list, with a copy of `options`, the options struct of the type. The caller
 * then sets in[] and out[]. */
struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path);
/* Adds another path for an output. */
void graph_alias(struct graph *graph, const char *path, struct value *value);
/* Returns the value with this path; NULL if there is none. */
struct value *graph_find(const struct graph *graph, const char *path);
/* Returns the output with this path, and keeps it readable after a run. Dies if no output has the
 * path; the message names the nearest path. */
struct value *graph_keep(struct graph *graph, const char *path);
void graph_keep_losses(struct graph *graph); /* graph_plan calls it for training lists */

/* ---- helpers for nodes ---- */

/* graph_rows returns the number of rows for which an op is launched. graph_counted returns the op's
 * argument `rows` (ops.h). */
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
/* A fork: ops issued between graph_fork and graph_fork_end may run in parallel with ops issued
 * later (on a GPU: on a second stream). The following ops are issued in forks:
 *   - Forward: nodes async_first to async_end - 1, and nodes with async_forward.
 *   - Backward: the sums of the losses, the gradients of parameters of nodes with `async` or
 *     async_sums, and the gradients of in[0] of nodes with async_input.
 * The backward pass waits for a fork when more than FORK_LATE ticks have passed, and at the end. A
 * node that is not async waits for all forks before it adds to the gradient of a parameter. A node
 * that reads a result of async_forward or async_input waits for the result. */
enum { FORK_LATE = 6 };
void graph_fork(struct graph *graph);
void graph_fork_end(struct graph *graph);
/* Returns the dropout of a node. Only training lists have dropout. */
struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             const struct rows *rows);
