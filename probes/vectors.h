/* One vector a sentence: what a frozen encoder makes of its tokens at a path, pooled.
 *
 * Paths are those of encoder.h (encoder.output, encoder.2, encoder.group.1, ..) and `bag`: rows of
 * the source table, scaled as the encoder reads them (sqrt(D)), without positions: they know words
 * and nothing of their order. A path whose model makes a vector of each sentence itself (pool of a
 * pair classifier) is not pooled again. A classifier that starts anew learns little from numbers
 * near 0. */
#pragma once

#include "core/config/place.h"
#include "probes/kept_rows.h"

#define VECTORS_BAG "bag"
/* Behind the name of a part: with the parameters that the training began with. */
#define VECTORS_START "@start"

/* How a sentence's rows become one (struct pool). */
struct vectors_form {
    enum pooling pooling;
    bool end; /* with the row of <eos> */
};

/* A row for each sentence of a split, for every path, in the arena: of the loaded set. Dies where
 * the encoder has no such path. */
struct kept_rows *vectors_measure(const struct frozen *frozen, const struct split *split,
                                  struct vectors_form form, const char *const *path, int paths,
                                  struct arena *arena);

/* The paths that the word `layers` means, NULL-terminated: encoder.1 to encoder.L, and with a
 * short-cut also encoder.output, which is the sum and not the last layer's. */
#define VECTORS_LAYERS "layers"
const char *const *vectors_layers(const struct encoder_options *encoder, struct arena *arena);
/* True for the last layer's path of an encoder with a short-cut. Version 1 of encode took
 * encoder.output for it. */
bool vectors_is_own_last(const struct encoder_options *encoder, const char *path);

/* Numbers of a vector at a path, of an encoder that need not be trained. Dies at the place where
 * it has no such path, with the nearest one. */
int vectors_width(const struct translator_options *options, const char *path, struct place place,
                  const char *what);
