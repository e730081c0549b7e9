/* encoder.stack: which kinds of layers an encoder has, from the embedding on (Hao et al. 2019).
 *
 *   stack: [{onlstm: 3}, {san: 3}]
 *   stack: [{lstm: {layers: 2, direction: forward, projection: true}}, {san: 4}]
 *
 * Without it all layers are attention, and a stack of nothing else is the same as its number of
 * layers. Layers are numbered through the stack, from 1. */
#pragma once

#include "core/config/option.h"

enum layer_kind {
    LAYER_SAN,   /* self-attention and a feed-forward network */
    LAYER_LSTM,  /* core/layer/layer.h, struct recurrence */
    LAYER_ONLSTM /* the same, with master gates */
};
enum { LAYERS_MOST = 64 };

/* Neighbors of one kind with the same options. */
struct layer_group {
    enum layer_kind kind;
    int layers;
    int direction;  /* enum layer_direction */
    int projection; /* enum layer_projection */
    int chunk;      /* of onlstm: units that share a master gate */
    struct place place;
};
enum layer_direction { LAYER_BOTH, LAYER_FORWARD, LAYER_BACKWARD };
enum layer_projection { LAYER_PROJECT_AUTO, LAYER_PROJECT, LAYER_PROJECT_NOT };

struct layer_stack {
    int groups;
    struct layer_group *group; /* [groups] */
    struct place place;        /* of the list; groups 0: it was not given */
};
extern const struct option_custom layers_custom;

int layers_count(const struct layer_stack *stack);
/* How many of them are attention. */
int layers_attending(const struct layer_stack *stack);
/* How many layers a stack has as it is written; 0 where it cannot be read. */
int layers_written(const struct tree *stack);
/* Of layer l, from 1. */
const struct layer_group *layers_group(const struct layer_stack *stack, int l);
/* Whether the layers of a group project their output to the width: both directions, or where it is
 * asked. */
bool layers_project(const struct layer_group *group);
/* Checks what no single entry can (chunks divide the width, `layers` says as many when it is given,
 * not NULL; a shortcut has several groups) and brings the stack into one spelling: neighbors that
 * are the same are one group, but with a shortcut. A stack that was not given has `most` layers of
 * attention. */
void layers_resolve(struct layer_stack *stack, const struct tree *layers, int most, int width,
                    bool shortcut, struct place place, struct arena *arena);
void layers_help(FILE *out);
