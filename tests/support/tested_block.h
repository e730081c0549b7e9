/* Tests of the attention of a small model's first layer, in the encoder, in the decoder or
 * between them. */
#pragma once

#include "tests/support/test_model.h"

enum { BLOCK_WIDTH = 28, BLOCK_HEADS = 4 };

/* A place of attention, with its paths in the model. */
struct tested_block {
    const char *key, *path, *output;
    enum field_name queries;
    enum field_name keys;
};
extern const struct tested_block block_encoder, block_decoder, block_cross;
extern const struct tested_block *const block_all[3];

/* Opens a model with one entry for the first layers of that block, for example "branches:
 * [{window: 1}]"; "" for plain attention. */
void block_open(struct test_model *m, const struct tested_block *block, const char *entry);
/* Returns the path of `name` below the block, in the model's arena. */
const char *block_below(struct test_model *m, const struct tested_block *block, const char *name);
/* Sets every element of a parameter of the block. */
void block_fill(struct test_model *m, const struct tested_block *block, const char *name,
                double value);
/* Returns the rows of the value with that path for the batch, without dropout, in the model's
 * arena. */
real *block_compute(struct test_model *m, const char *path, const struct batch *batch);
/* Fails the test unless the numbers are equal up to rounding. */
void block_same(const char *what, const real *got, const real *expected, int64_t count);
/* Fails the test unless every query of the block gets the value of exactly one key. It is the nth
 * visible key, from 0, or the last visible key if there are fewer. */
void block_one_key(struct test_model *m, const struct tested_block *block, int nth);
