/* Computes sentence vectors: the values of a frozen encoder at a path, pooled to one vector for
 * each sentence.
 *
 * Paths are those of encoder.h (encoder.output, encoder.2, encoder.group.1, ..) and `bag`. `bag` is
 * the source embeddings, scaled by sqrt(D) as in the encoder, without positions, so it has no
 * information about word order. The scale matters, because a new classifier learns little from
 * numbers near 0. A path may already have one vector for each sentence (pool of a pair classifier).
 * It is not pooled again. */
#pragma once

#include "core/config/location.h"
#include "probes/kept_rows.h"

#define VECTORS_BAG "bag"
/* Suffix of the name of a part whose vectors are computed with the initial parameters of the
 * training. */
#define VECTORS_START "@start"

/* How the rows of a sentence are pooled to one (struct pool). */
struct vectors_form {
    enum pooling pooling;
    bool end; /* include the row of <eos> */
};

/* Returns the rows at a path; NULL if the encoder has no rows at this path. For `bag`, adds a node
 * to the list. */
struct value *vectors_rows(struct graph *graph, const char *path);

/* Measures the loaded set. Returns for every path one row for each sentence of the split, in the
 * arena. Dies if the encoder lacks a path. */
struct kept_rows *vectors_measure(const struct frozen *frozen, const struct split *split,
                                  struct vectors_form form, const char *const *path, int paths,
                                  struct arena *arena);

/* Returns the paths for the word `layers`, NULL-terminated: encoder.1 to encoder.L. If the encoder
 * has a short-cut, also encoder.output, which is the sum and differs from the last layer's
 * output. */
#define VECTORS_LAYERS "layers"
const char *const *vectors_layers(const struct encoder_options *encoder, struct arena *arena);
/* True if `path` is the last layer of an encoder with a short-cut. Version 1 of encode measured
 * encoder.output in this case. */
bool vectors_is_own_last(const struct encoder_options *encoder, const char *path);

/* Returns the number of elements of a vector at a path. The encoder need not be trained. Dies at
 * `location`, with the nearest path, if the encoder lacks the path. */
int vectors_width(const struct translator_options *options, const char *path,
                  struct location location, const char *what);
