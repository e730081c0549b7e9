/* Small translation models with random weights, and random batches, for tests of whole models. */
#pragma once

#include "core/check/model_check.h"
#include "core/decode/beam.h"
#include "core/train/step.h"
#include "tests/support/test.h"

#define test_model check_subject

/* Opens the model of a YAML text with the sections model, encoder and decoder. */
void test_model_open(struct test_model *m, const struct ops *ops, const char *yaml);
/* Returns another list, which keeps the value of the path `keep` or (NULL) the losses. Free it
 * with graph_release. */
struct graph *test_model_list(struct test_model *m, enum graph_mode mode, const char *keep);

/* Returns one translation per sentence of the batch's source field. */
static inline struct translation *searcher_run(struct searcher *s, const struct batch *batch)
{
    struct translation *result = searcher_begin(s, batch, &arena);
    while (searcher_next(s)) {}
    return result;
}

/* Returns a host copy of a slab of parameters, in the arena. */
real *test_slab(struct test_model *m, const real *device);
/* Changes an element of a parameter, both master and operand. */
void test_set(struct test_model *m, const char *path, int64_t index, double value);
double test_get(struct test_model *m, const char *path, int64_t index);

/* Returns B sentences of 1 to `longest` tokens per side, the first of length 1. A function of
 * the seed. */
struct batch test_batch(uint32_t seed, int B, int longest);
/* Returns sentences [from, to) as a batch, with the number of tokens and sentences that precede
 * it in the step. */
struct batch test_batch_part(const struct batch *batch, int from, int to);

/* Runs forward and backward. Returns the sum of the losses. */
double test_backward(struct graph *graph, const struct step *step, const struct batch *batch,
                     bool accumulate);
/* Returns the rows of a kept value, [rows, columns], in the arena. */
real *test_read(struct test_model *m, const struct graph *graph, const char *path);
