/* Attention of the first layers of a small model, at one of the three places, for tests of what it
 * computes there. */
#pragma once

#include "tests/support/model.h"

enum { BLOCK_WIDTH = 28, BLOCK_HEADS = 4 };

/* Where attention is, and what it leads to. */
struct tested_block {
    const char *key, *path, *output;
    enum field_name queries;
    enum field_name keys;
};
extern const struct tested_block block_encoder, block_decoder, block_cross;
extern const struct tested_block *const block_all[3];

/* A model with one entry for its first layers there, as "branches: [{window: 1}]"; "" for plain
 * attention. */
void block_open(struct test_model *m, const struct tested_block *block, const char *entry);
/* The path of what is called `name` there, in the model's arena. */
const char *block_below(struct test_model *m, const struct tested_block *block, const char *name);
/* Sets every element of a parameter there. */
void block_fill(struct test_model *m, const struct tested_block *block, const char *name,
                double value);
/* Rows of the value of that path in the batch, without dropout, in the model's arena. */
real *block_compute(struct test_model *m, const char *path, const struct batch *batch);
/* Fails the test unless the numbers are equal up to rounding. */
void block_same(const char *what, const real *got, const real *expected, int64_t count);
/* Fails the test unless every query there gets the value of one key alone: the nth that it sees,
 * from 0, or the last where there are fewer. */
void block_one_key(struct test_model *m, const struct tested_block *block, int nth);
