/* Decoding step by step: lists, caches and key indices. Beam search (core/decode/beam.h) and
 * check_steps choose the tokens.
 *
 * The encoder's list computes the sources of a batch once. The step list then computes one target
 * token per live row and step. It reads the encoder's outputs under the same paths. Row r of step t
 * stores its keys and values in row t * stride + r of every cache, where they stay. A row that
 * continues row p of the previous step has the keys of p and one more key. So rows can fork, be
 * reordered and end, while only indices are copied. */
#pragma once

#include "attention/attention.h"
#include "core/model/model.h"

struct stepper_size {
    int tokens, sentences, longest; /* capacity for the sources of a batch */
    int live;                       /* upper bound of the live rows of a sentence */
    int steps;                      /* upper bound of the target length */
};

struct live_row {
    int sentence;     /* index of the source sentence in the batch */
    int parent;       /* row of the previous step that is continued; ignored at step 0 */
    int32_t previous; /* previous token; -1 at step 0 */
};

struct stepper {
    struct stepper_size size;
    struct graph *encode, *step;
    struct value *logits; /* [rows, words] of the last step */
    int stride;           /* upper bound of the live rows of this batch */
    int64_t cache_rows;   /* rows of every cache */
    int next, steps;      /* next step, from 0; number of steps */
    int rows, *sentence;  /* live rows of the last step; their sentences */
    struct field source;  /* source of this batch */
    struct live live;     /* input of the step list */
    int32_t *word;        /* host [2 rows]: previous tokens, then positions */
    int32_t *word_device; /* copy of `word` */
    /* Key indices: the beginning of each row, the end of the last row, then cache rows. */
    int32_t *self[2], *cross; /* self: of even and odd steps; cross: rows of the encoder's output */
    int32_t *self_device, *cross_device;
};

/* Plans and places the two lists. Host memory is in the arena. The parameters of the model must be
 * placed. */
struct stepper *stepper_open(struct arena *arena, struct model *model, struct stepper_size size);
void stepper_close(struct stepper *s);
/* Returns the bytes of a stepper without allocating it. `cache_rows`: upper bound of rows times
 * steps of a batch. */
size_t stepper_bytes(struct model *model, struct stepper_size size, int64_t cache_rows);

/* Encodes the sources of a batch, which must live until the last step, and enlarges the caches for
 * `steps` steps. The caches are then empty. */
void stepper_begin(struct stepper *s, const struct batch *batch, int steps);
/* Computes the next step for at least one row, and sets `logits`. */
void stepper_step(struct stepper *s, const struct live_row *row, int rows);
