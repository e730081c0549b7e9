/* A model as a short static list of nodes of layer size, each with a hand-written forward and
 * backward; the backward pass is the list in reverse.
 *
 *   build    graph_new, nodes by their functions (core/layer/layer.h, attention/attention.h),
 *            graph_keep for values that are read after a run: this header
 *   run      graph_plan, graph_place, graph_load, graph_forward ..: graph_run.h
 *
 * One specification gives three lists that share parameters: one for training, one that infers, and
 * one that decodes word by word. Every output has a path name ("encoder.2.attention.gate"). Lists
 * are planned for capacities; counts travel with the batch. */
#pragma once

#include "core/tensor/node.h"

enum graph_mode {
    GRAPH_TRAIN, /* forward, loss, backward */
    GRAPH_INFER, /* no dropout, no gradients; only what the kept paths need is left in the list */
    GRAPH_STEP   /* one target token per live row, for beam search (core/model/stepper.h) */
};

/* What a list is planned for. */
struct capacity {
    int tokens[FIELDS];
    int sentences; /* of a field; there are half as many pairs */
    int longest;   /* tokens of a sentence */
};

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
    struct graph_alias {
        const char *path;
        struct value *value;
    } * alias;
    int nodes, values, kinds, inputs, positionals, aliases;
    /* [T, 1] statistics of the list's loss: smoothed, as it is learned, and the plain negative
     * log-likelihood. NULL: it has none. */
    struct value *loss, *likelihood;

    /* What it is planned for, and takes. */
    bool finished;
    int async_first, async_end; /* their forward runs at the time of those before; none: both 0 */
    struct capacity capacity;
    size_t memory_bytes, fixed_bytes; /* planned; numbers of the batch and by position */

    /* Placed. What graph_load makes of a batch, and where it goes: the step, starts of groups and
     * numbers that nodes read, in one piece each, on the host and on the device. */
    char *memory; /* the planned buffer */
    char *host, *image;
    size_t image_bytes;
    struct step *step;       /* device, in the image */
    struct outcome *outcome; /* device */

    /* At work. Ticks of a pass in which there was a fork, [forks]; the first `joined` of them are
     * waited for; the last that wrote a gradient of a value is among the first `input_forks`. */
    int *fork_tick, forks, joined, input_forks, tick;
    bool accumulate; /* gradients of parameters are added to those of earlier micro-batches */
    /* What is put in the place of values (overwrite.h): [overwrites], in these rows or in all. */
    const struct overwrite *overwrite;
    int overwrites;
    const bool *overwritten;
    const struct live *live; /* of a step list */
};

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters);
/* A kind of rows; the same one when it is asked for again. */
struct rows *graph_tokens(struct graph *graph, enum field_name field);
struct rows *graph_sentences(struct graph *graph, enum field_name field, int each);
struct rows *graph_pairs(struct graph *graph, enum field_name field);
struct rows *graph_fixed(struct graph *graph, int rows);
/* Numbers that a node reads; the same ones when they are asked for again. */
struct input *graph_input(struct graph *graph, const struct rows *rows, input_fill *fill, int least,
                          int below, const char *what);
input_fill input_tokens; /* the tokens of a field */
input_fill input_groups; /* the group of each row */
/* The group of each row, and where tiles of attention begin, where the table wants them; else
 * NULL. */
struct input *graph_groups(struct graph *graph, const struct rows *rows);
struct input *graph_tiles(struct graph *graph, const struct rows *rows);
/* The packed rows in the order in which a recurrence goes through them: the first tokens of all
 * sentences, the second ones, ..; with `reverse` the last, the last but one, ..; each time the
 * longest sentence first, of equal ones the first. Step s has alive[s] rows. */
struct input *graph_steps(struct graph *graph, struct rows *rows, bool reverse);
/* For how many rows step s is launched: those that it has; where more are launched than there are,
 * as many as it may have. Behind the last step 0. */
int graph_step_rows(const struct rows *rows, int s);
/* The table [longest, columns] that `fill` makes with `number` when the list is placed. Equal
 * columns, fill and number give the same table; a list has at most GRAPH_POSITIONALS. */
struct positional *graph_positional(struct graph *graph, int columns, positional_fill *fill,
                                    double number);
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
/* Another path of an output. */
void graph_alias(struct graph *graph, const char *path, struct value *value);
/* NULL: no output has that path. */
struct value *graph_find(const struct graph *graph, const char *path);
/* The output of that path, kept to be read after a run. Dies when no output has that
 * path, and names the nearest one. */
struct value *graph_keep(struct graph *graph, const char *path);
void graph_keep_losses(struct graph *graph); /* a training list keeps them by itself */

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
/* What is issued between these two may run at the same time as what is issued later (on a GPU, on a
 * second stream). Forward: nodes async_first to async_end - 1, and those that are async_forward.
 * Backward: gradients of parameters, of nodes that are `async` or async_sums; FORK_LATE ticks later
 * they are waited for, before a node that is not async adds to them, and at the end. What
 * async_forward and async_input allow is waited for by who reads it. */
enum { FORK_LATE = 6 };
void graph_fork(struct graph *graph);
void graph_fork_end(struct graph *graph);
/* Dropout of a node in training; none in other lists. */
struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             const struct rows *rows);
