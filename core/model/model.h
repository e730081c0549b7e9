/* A model: parameters, the op table of its device, and lists that share the parameters.
 *
 * A kind of model (core/model/translator.h) provides a function that builds its list of nodes in
 * any mode. model_new creates the parameters once, in the order of a training list; this order is
 * the layout of the slabs. */
#pragma once

#include "core/model/model_options.h"
#include "core/tensor/graph_run.h"

struct model {
    struct arena *arena;
    const struct ops *ops; /* NULL: lists are only counted, not planned */
    struct parameters parameters;
    int width; /* D; the learning rate of Vaswani et al. depends on D */
    void (*build)(struct graph *graph, const void *spec); /* must not keep pointers into the list */
    const void *spec; /* specification of the model; must outlive the model */
};

/* Creates a model, without allocating memory on the device. Reads the width and the initialization
 * from the options. */
struct model *model_new(struct arena *arena, const struct ops *ops,
                        const struct model_options *options,
                        void (*build)(struct graph *graph, const void *spec), const void *spec);

/* Returns a new list of the model, in the given arena. The caller may append nodes (without
 * parameters if the model is placed). The caller keeps values, plans, places and releases the
 * list. */
struct graph *model_list(struct model *model, struct arena *arena, enum graph_mode mode);

/* Allocates the slabs for inference or training, and sets the masters to their initial values. */
void model_place(struct model *model, bool train, uint32_t seed);
void model_release(struct model *model); /* frees the slabs, if they were placed */
