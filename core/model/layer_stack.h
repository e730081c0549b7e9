/* The option encoder.stack: the kinds of the encoder's layers, from the embedding upward (Hao et
 * al. 2019).
 *
 *   stack: [{onlstm: 3}, {san: 3}]
 *   stack: [{lstm: {layers: 2, direction: forward, projection: true}}, {san: 4}]
 *
 * By default all layers are attention. A stack with only attention layers is equivalent to the
 * option encoder.layers with their number. Layers are numbered through the stack, from 1. */
#pragma once

#include "core/config/option.h"

enum layer_kind {
    LAYER_SAN,   /* self-attention and a feed-forward network */
    LAYER_LSTM,  /* LSTM: core/layer/layer.h, struct recurrence */
    LAYER_ONLSTM /* ON-LSTM: LSTM with master gates */
};
enum { LAYERS_MOST = 64 };

/* Neighboring layers of one kind with the same options. */
struct layer_group {
    enum layer_kind kind;
    int layers;
    int direction;  /* enum layer_direction */
    int projection; /* enum layer_projection */
    int chunk;      /* onlstm: units that share a master gate */
    struct location location;
};
enum layer_direction { LAYER_BOTH, LAYER_FORWARD, LAYER_BACKWARD };
enum layer_projection { LAYER_PROJECT_AUTO, LAYER_PROJECT, LAYER_PROJECT_NOT };

struct layer_stack {
    int groups;
    struct layer_group *group; /* [groups] */
    struct location location;  /* location of the list; groups is 0 if the option is absent */
};
extern const struct option_custom layers_custom;

int layers_count(const struct layer_stack *stack);
/* Returns the number of attention layers. */
int layers_attending(const struct layer_stack *stack);
/* Returns the number of layers of an unparsed stack; 0 if it is invalid. */
int layers_written(const struct tree *stack);
/* Returns the group of layer l, from 1. */
const struct layer_group *layers_group(const struct layer_stack *stack, int l);
/* True if the layers of a group project their output to the width. By default (auto), they do this
 * only if they have both directions. */
bool layers_project(const struct layer_group *group);
/* Checks conditions between options: each chunk must divide the width, a shortcut needs several
 * groups, and encoder.layers must agree with the stack. `layers` is this option in the file (NULL:
 * absent), `most` its value or default. Normalizes the stack: equal neighbors become one group,
 * except with a shortcut. An absent stack becomes `most` layers of attention. */
void layers_resolve(struct layer_stack *stack, const struct tree *layers, int most, int width,
                    bool shortcut, struct location location, struct arena *arena);
void layers_help(FILE *out);
