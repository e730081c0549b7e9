/* A model: parameters, the device that computes it, and the lists that share them.
 *
 * Whoever makes a kind of model (core/model/translator.h) gives a function that builds its list of
 * nodes in any mode. Its parameters are made once, by model_new, in the order of a training list;
 * that order is the layout of the slabs. */
#pragma once

#include "core/tensor/graph_run.h"

struct model {
    struct arena *arena;
    const struct ops *ops; /* NULL: only counted, never planned */
    struct parameters parameters;
    int width; /* D, which the learning rate of Vaswani et al. depends on */
    void (*build)(struct graph *graph, const void *spec); /* keeps no pointer into the list */
    const void *spec; /* of the kind of model; lives as long as the model */
};

/* Nothing is allocated on the device yet. zero_bias: biases start at 0 (struct parameters). */
struct model *model_new(struct arena *arena, const struct ops *ops, int width, bool zero_bias,
                        void (*build)(struct graph *graph, const void *spec), const void *spec);

/* A new list of the model, in an arena of its own choice. The caller may add nodes behind it
 * (without parameters, once the model is placed), keeps values, plans, places and releases it. */
struct graph *model_list(struct model *model, struct arena *arena, enum graph_mode mode);

/* Slabs of a model that only infers, or all of one that trains; masters are started. */
void model_place(struct model *model, bool train, uint32_t seed);
void model_release(struct model *model); /* the slabs; nothing where none were placed */
