/* Small translators of random weights on random batches, for tests of whole models. */
#pragma once

#include "core/check/check.h"
#include "core/decode/beam.h"
#include "core/train/step.h"
#include "tests/support/test.h"

#define test_model check_subject

/* The model of a YAML text with the sections model, encoder and decoder. */
void test_model_open(struct test_model *m, const struct ops *ops, const char *yaml);
/* A further list, which keeps the value of that path or (NULL) the losses; free: graph_release. */
struct graph *test_model_list(struct test_model *m, enum graph_mode mode, const char *keep);

/* One translation per sentence of the batch's source field. */
static inline struct translation *searcher_run(struct searcher *s, const struct batch *batch)
{
    struct translation *result = searcher_begin(s, batch, &arena);
    while (searcher_next(s)) {}
    return result;
}

/* A copy of a slab of parameters on the host, in the arena. */
real *test_slab(struct test_model *m, const real *device);
/* Changes a parameter: masters and operands. */
void test_set(struct test_model *m, const char *path, int64_t index, double value);
double test_get(struct test_model *m, const char *path, int64_t index);

/* B sentences of 1 to `longest` tokens a side, the first of 1; a function of the seed. */
struct batch test_batch(uint32_t seed, int B, int longest);
/* Sentences [from, to) as a batch that knows its place in the step. */
struct batch test_batch_part(const struct batch *batch, int from, int to);

/* Forward and backward; returns the sum of the losses. */
double test_backward(struct graph *graph, const struct step *step, const struct batch *batch,
                     bool accumulate);
/* Rows of a kept value, [rows, columns], in the arena. */
real *test_read(struct test_model *m, const struct graph *graph, const char *path);
