/* Keys that hard_cut removes: their weight is 0, unless no other key is left. */
#include "tests/support/test.h"

#include "tests/support/tested_block.h"

enum { D = BLOCK_WIDTH };

/* Returns the output of an entry's branches, with P = 0 if it is predicted. */
static real *compute_cut(struct test_model *m, const struct tested_block *block, const char *entry,
                         const struct batch *batch)
{
    block_open(m, block, entry);
    if (parameter_find(&m->model->parameters, block_below(m, block, "gauss.rows.weight"))) {
        block_fill(m, block, "gauss.rows.weight", 0);
        block_fill(m, block, "gauss.rows.bias", -1e3);
    }
    return block_compute(m, block_below(m, block, "branches"), batch);
}

/* In rows of queries from `alone` on (-1: more than 1 after the last key) no key is within 1 of
 * P. With a cut these rows are bitwise equal to rows without a cut. The row before them has exactly
 * one key, number `key` of its sentence (-1: the last), and equals its value. */
static void cut_of_all(const struct tested_block *block, const char *entry, const char *cut,
                       int alone, int key)
{
    struct test_model m, plain;
    const struct batch batch = test_batch(4, 6, 20);
    const struct field *query = &batch.field[block->queries];
    const struct field *keys = &batch.field[block->keys];
    const real *got = compute_cut(&m, block, cut, &batch);
    const real *without = compute_cut(&plain, block, entry, &batch);
    const real *value = block_compute(&m, block_below(&m, block, "value"), &batch);
    int met = 0;
    for (int b = 0; b < query->B; b++) {
        const int n = keys->start[b + 1] - keys->start[b];
        const int first = alone < 0 ? n + 1 : alone, last = key < 0 ? n - 1 : key;
        for (int i = first - 1; i < query->start[b + 1] - query->start[b]; i++) {
            const int64_t row = (int64_t)(query->start[b] + i) * D;
            if (i == first - 1)
                block_same(cut, got + row, value + (int64_t)(keys->start[b] + last) * D, D);
            else if (memcmp(got + row, without + row, D * sizeof *got))
                fail_msg("%s: [{%s}]: query %d of %d keys", block->key, cut, i, n);
            else
                met++;
        }
    }
    assert_true(met > 3);
    check_close(&m);
    check_close(&plain);
}

/* A window next to P, and target words after the last source word. */
TEST(a_cut_that_leaves_no_key_is_none)
{
#define WINDOW "branches: [{window: 2}], terms: [{gauss: {window: {fixed: 1}"
#define SELF "terms: [{gauss: {center: self, window: {fixed: 1}"
    cut_of_all(&block_encoder, WINDOW "}}]", WINDOW ", hard_cut: true}}]", 4, 1);
    cut_of_all(&block_decoder, WINDOW "}}]", WINDOW ", hard_cut: true}}]", 4, 1);
    cut_of_all(&block_cross, SELF "}}]", SELF ", hard_cut: true}}]", -1, -1);
}

/* A narrow Gaussian around the last key subtracts 200 (n - 2)^2 from key 1 and more from key 0:
 * less than a cut. */
TEST(what_is_cut_stays_cut)
{
    for (int s = 0; s < 3; s++) {
        const struct tested_block *block = block_all[s];
        struct test_model m;
        block_open(&m, block,
                   "terms: [{gauss: {window: {fixed: 1}, hard_cut: true}}, "
                   "{gauss: {window: {fixed: 0.1}}}]");
        block_fill(&m, block, "gauss.rows.weight", 0);
        block_fill(&m, block, "gauss.rows.bias", -1e3);
        block_fill(&m, block, "gauss2.rows.weight", 0);
        block_fill(&m, block, "gauss2.rows.bias", 1e3);
        block_one_key(&m, block, 1);
        check_close(&m);
    }
}

AT_START(omp_set_num_threads(1));
