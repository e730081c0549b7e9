/* Attention of the first layers of a small model, at one of the three places, for tests of what it
 * computes there. */
#ifndef TESTS_SUPPORT_SPOT_H
#define TESTS_SUPPORT_SPOT_H

#include "tests/support/model.h"

enum { SPOT_WIDTH = 28, SPOT_HEADS = 4 };

/* Where attention is, and what it leads to. */
struct spot {
    const char *key, *path, *output;
    enum field_name queries;
    enum field_name keys;
};
extern const struct spot spot_encoder, spot_decoder, spot_cross;
extern const struct spot *const spot_all[3];

/* A model with one entry for its first layers there, as "branches: [{window: 1}]"; "" for plain
 * attention. */
void spot_open(struct test_model *m, const struct spot *spot, const char *entry);
/* The path of what is called `name` there, in the model's arena. */
const char *spot_below(struct test_model *m, const struct spot *spot, const char *name);
/* Sets every element of a parameter there. */
void spot_fill(struct test_model *m, const struct spot *spot, const char *name, double value);
/* Rows of the value of that path in the batch, without dropout, in the model's arena. */
real *spot_compute(struct test_model *m, const char *path, const struct batch *batch);
/* Fails the test unless the numbers are equal up to rounding. */
void spot_same(const char *what, const real *got, const real *expected, int64_t count);
/* Fails the test unless every query there gets the value of one key alone: the nth that it sees,
 * from 0, or the last where there are fewer. */
void spot_one_key(struct test_model *m, const struct spot *spot, int nth);

#endif
