/* Decoding step by step, without the choice of words: the lists, the caches, and where live rows
 * find their keys. Beam search (core/decode/beam.h) and check_steps choose the rows.
 *
 * The encoder's list computes the sources of a batch once. The step list then computes one target
 * token per live row and step, and reads what the encoder's list has left under the same paths. Row
 * r of step t stores its keys and values in row t * stride + r of every cache, where they stay: a
 * row that continues row p of the step before finds its keys where p found them, and one more. So
 * rows fork, change places and leave, and nothing but indices is copied. */
#pragma once

#include "attention/attention.h"
#include "core/model/model.h"

struct stepper_size {
    int tokens, sentences, longest; /* of the sources of a batch */
    int live;                       /* most live rows of a sentence */
    int steps;                      /* of the longest target */
};

struct live_row {
    int sentence;     /* of the batch, whose source it looks at */
    int parent;       /* the row of the step before that it continues; not read at step 0 */
    int32_t previous; /* the token that it continues with; -1 at step 0 */
};

struct stepper {
    struct stepper_size size;
    struct graph *encode, *step;
    struct value *logits; /* [rows, words] of the latest step */
    int stride;           /* most live rows of this batch */
    int64_t cache_rows;   /* rows of every cache */
    int next, steps;      /* the step that comes next, from 0; how many may come */
    int rows, *sentence;  /* live rows of the latest step; whose they are */
    struct field source;  /* of this batch */
    struct live live;     /* what the step list reads */
    int32_t *word;        /* host [2 rows]: tokens before, positions; */
    int32_t *word_device; /* the same */
    /* For each row where its places begin, and where the last row's end; then the places. */
    int32_t *self[2], *cross; /* caches, of even and of odd steps; the encoder's rows */
    int32_t *self_device, *cross_device;
};

/* Plans and places the two lists; the rest lies in the arena. The model's parameters must be
 * placed. */
struct stepper *stepper_open(struct arena *arena, struct model *model, struct stepper_size size);
void stepper_close(struct stepper *s);
/* What one takes, without taking it. `cache_rows`: the most rows times steps that a batch has. */
size_t stepper_bytes(struct model *model, struct stepper_size size, int64_t cache_rows);

/* Encodes the batch's sources, which live until its last step, and makes room in the caches for
 * `steps` steps. The caches hold nothing of this batch yet. */
void stepper_begin(struct stepper *s, const struct batch *batch, int steps);
/* The next step, of at least one row; its logits are then in `logits`. */
void stepper_step(struct stepper *s, const struct live_row *row, int rows);
