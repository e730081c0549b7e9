/* Computes the logits of decoding, step by step. Has the lists, the caches and the indices of keys.
 * The caller, for example beam search (core/decode/beam.h), chooses the tokens.
 *
 * The encoder's list encodes the sources of a batch once. In each step, the step list then computes
 * one target position of every live row. It reads outputs of the encoder's list, which have the
 * same paths in both lists. Row r of step t stores its keys and values in row t * stride + r of
 * every cache, where they stay. A row that continues row p of the previous step has the keys of p
 * and one more key. So the caller can duplicate, reorder and drop rows, and only indices are
 * copied. */
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
    /* Key indices: rows+1 values of `begin` (struct live), then the values of `index`. */
    int32_t *self[2], *cross; /* self[t % 2]: of step t; cross: rows of the encoder's output */
    int32_t *self_device, *cross_device;
};

/* Plans and places the two lists. Host memory is in the arena. The parameters of the model must be
 * placed. */
struct stepper *stepper_open(struct arena *arena, struct model *model, struct stepper_size size);
void stepper_close(struct stepper *s);
/* Returns the bytes of a stepper without allocating it. `cache_rows`: upper bound of rows times
 * steps of a batch. */
size_t stepper_bytes(struct model *model, struct stepper_size size, int64_t cache_rows);

/* Encodes the sources of a batch, and enlarges the caches for `steps` steps if needed. The caches
 * are then empty. The batch must exist until the last step. */
void stepper_begin(struct stepper *s, const struct batch *batch, int steps);
/* Computes the next step for at least one row, and sets `logits`. */
void stepper_step(struct stepper *s, const struct live_row *row, int rows);
