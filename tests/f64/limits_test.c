/* Limits in which two kinds of attention are equal. */
#include "tests/support/test.h"

#include <limits.h>

#include "tests/support/tested_block.h"

enum { D = BLOCK_WIDTH, HEADS = BLOCK_HEADS };

typedef void prepare(struct test_model *a, struct test_model *b, const struct tested_block *block);

/* Checks that two entries compute the same in the first layer, in sentences of at most `longest`
 * tokens. Parameters with the same path start with the same numbers; `ready` changes them
 * further. */
static void same_models(const struct tested_block *block, const char *a_entry, const char *b_entry,
                        prepare *ready, int longest)
{
    struct test_model a, b;
    block_open(&a, block, a_entry);
    block_open(&b, block, b_entry);
    if (ready) ready(&a, &b, block);
    const struct batch batch = test_batch(3, 6, longest);
    block_same(arena_print(&a.arena, "%s: [{%s}], and [{%s}]", block->key, a_entry, b_entry),
               block_compute(&a, block->output, &batch), block_compute(&b, block->output, &batch),
               (int64_t)batch.field[block->queries].T * D);
    check_close(&a);
    check_close(&b);
}

/* ---- branches ---- */

TEST(wide_window_is_global)
{
    same_models(&block_encoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&block_encoder, "branches: [{window: 4096}]", "", NULL, 20);
    same_models(&block_decoder, "branches: [{window: 19}]", "", NULL, 20);
    same_models(&block_decoder, "branches: [forward]", "", NULL, 20);
}

/* With one token every branch has one key, with weight 1: its output is the key's value. */
TEST(one_token_has_one_key)
{
    static const char *const branches[] = {"global", "forward", "backward", "{window: 0}",
                                           "{window: 3}"};
    for (size_t i = 0; i < COUNT_OF(branches); i++) {
        struct test_model m;
        char entry[64];
        snprintf(entry, sizeof entry, "branches: [%s]", branches[i]);
        block_open(&m, &block_encoder, entry);
        const struct batch batch = test_batch(3, 6, 1);
        const real *out = block_compute(&m, block_below(&m, &block_encoder, "branches"), &batch);
        const real *value = block_compute(&m, block_below(&m, &block_encoder, "value"), &batch);
        assert_memory_equal(out, value, 6 * D * sizeof *out);
        check_close(&m);
    }
}

/* The first token of a backward branch sees all tokens, and so does the last token of a forward
 * branch. In the other branch each of these tokens sees only itself. */
TEST(directions_end_at_the_ends)
{
    struct test_model global, forward, backward;
    block_open(&global, &block_encoder, "");
    block_open(&forward, &block_encoder, "branches: [forward]");
    block_open(&backward, &block_encoder, "branches: [backward]");
    const struct batch batch = test_batch(3, 6, 20);
    const struct field *source = &batch.field[FIELD_SOURCE];
    const char *branches = "encoder.1.attention.branches";
    const real *all = block_compute(&global, branches, &batch);
    const real *value = block_compute(&global, "encoder.1.attention.value", &batch);
    const real *back = block_compute(&forward, branches, &batch);
    const real *ahead = block_compute(&backward, branches, &batch);
    for (int b = 0; b < source->B; b++) {
        const int64_t first = (int64_t)source->start[b] * D;
        const int64_t last = (int64_t)(source->start[b + 1] - 1) * D;
        block_same("forward, last token", back + last, all + last, D);
        block_same("backward, first token", ahead + first, all + first, D);
        block_same("forward, first token", back + first, value + first, D);
        block_same("backward, last token", ahead + last, value + last, D);
    }
    check_close(&global);
    check_close(&forward);
    check_close(&backward);
}

TEST(a_window_matters)
{
    struct test_model a, b;
    block_open(&a, &block_encoder, "");
    block_open(&b, &block_encoder, "branches: [{window: 1}]");
    const struct batch batch = test_batch(3, 6, 20);
    const real *x = block_compute(&a, "encoder.output", &batch);
    const real *y = block_compute(&b, "encoder.output", &batch);
    double most = 0;
    for (int i = 0; i < batch.field[FIELD_SOURCE].T * D; i++)
        most = fmax(most, fabs((double)x[i] - (double)y[i]));
    assert_true(most > 1e-3);
    check_close(&a);
    check_close(&b);
}

/* ---- fusions ---- */

#define GLOBAL_AND_LOCAL "branches: [global, {window: 1}], fusion: "
#define LOCAL "branches: [{window: 1}]"

/* Makes every query mostly positive, so that weights of one sign saturate every gate. */
static void push_queries(struct test_model *m, const struct tested_block *block)
{
    for (int c = 0; c < D; c++) test_set(m, block_below(m, block, "qkv.bias"), c, 4);
}

static void query_closed(struct test_model *a, struct test_model *b,
                         const struct tested_block *block)
{
    push_queries(a, block);
    push_queries(b, block);
    block_fill(a, block, "gate.weight", -1e3);
}

static void query_open(struct test_model *a, struct test_model *b, const struct tested_block *block)
{
    query_closed(a, b, block);
    block_fill(a, block, "gate.weight", 1e3);
}

/* A normalized row has mean 0, so with an offset of 1 its sum is the width. */
static void input_closed(struct test_model *a, struct test_model *b,
                         const struct tested_block *block)
{
    block_fill(a, block, "norm.offset", 1);
    block_fill(b, block, "norm.offset", 1);
    block_fill(a, block, "gate.weight", -1e3);
}

static void input_open(struct test_model *a, struct test_model *b, const struct tested_block *block)
{
    input_closed(a, b, block);
    block_fill(a, block, "gate.weight", 1e3);
}

TEST(shut_gate_is_one_branch)
{
    const struct tested_block *const spots[] = {&block_encoder, &block_decoder};
    for (int i = 0; i < 2; i++) {
        same_models(spots[i], GLOBAL_AND_LOCAL "gate", "", query_closed, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "gate", LOCAL, query_open, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "{gate: {source: input}}", "", input_closed, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "{gate: {source: input}}", LOCAL, input_open, 20);
    }
}

/* Copies the projection of one half from the other model; sets the projection of the other half to
 * zero. */
static void keep_half(struct test_model *concat, struct test_model *other,
                      const struct tested_block *block, int half)
{
    const char *path = block_below(other, block, "output.weight");
    for (int64_t i = 0; i < D * D; i++) {
        test_set(concat, path, half * D * D + i, test_get(other, path, i));
        test_set(concat, path, (1 - half) * D * D + i, 0);
    }
}

static void keep_first(struct test_model *a, struct test_model *b, const struct tested_block *block)
{
    keep_half(a, b, block, 0);
}

static void keep_second(struct test_model *a, struct test_model *b,
                        const struct tested_block *block)
{
    keep_half(a, b, block, 1);
}

TEST(half_of_concat_is_one_branch)
{
    const struct tested_block *const spots[] = {&block_encoder, &block_decoder};
    for (int i = 0; i < 2; i++) {
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", "", keep_first, 20);
        same_models(spots[i], GLOBAL_AND_LOCAL "concat", LOCAL, keep_second, 20);
    }
}

/* Multiplies the output projection of `other` by `times`. */
static void project(struct test_model *other, const struct tested_block *block, double times)
{
    const char *path = block_below(other, block, "output.weight");
    for (int64_t i = 0; i < D * D; i++) test_set(other, path, i, times * test_get(other, path, i));
}

static void four_times(struct test_model *a, struct test_model *b, const struct tested_block *block)
{
    project(b, block, 4);
}

/* sigmoid(relu(x W) 0) = 1/2 for every branch. */
static void gates_of_a_half(struct test_model *a, struct test_model *b,
                            const struct tested_block *block)
{
    block_fill(a, block, "squeeze.outer.weight", 0);
    project(b, block, 2);
}

/* HySAN e1 with windows that cover all tokens: four equal branches. */
TEST(sum_of_wide_windows_is_a_multiple)
{
    static const char *const entry =
        "branches: [global, {window: 19}, {window: 20}, {window: 4096}], fusion: ";
    const struct tested_block *const spots[] = {&block_encoder, &block_decoder};
    for (int i = 0; i < 2; i++) {
        char text[160];
        snprintf(text, sizeof text, "%ssum", entry);
        same_models(spots[i], text, "", four_times, 20);
        snprintf(text, sizeof text, "%s{squeeze: 7}", entry);
        same_models(spots[i], text, "", gates_of_a_half, 20);
    }
}

/* ---- terms ---- */

static void sigma_without_end(struct test_model *a, struct test_model *b,
                              const struct tested_block *block)
{
    block_fill(a, block, "gauss.head.weight", 1e6);
}

TEST(huge_window_is_global)
{
    for (int i = 0; i < 3; i++) {
        same_models(block_all[i], "terms: [{gauss: {center: query, window: sigma}}]", "",
                    sigma_without_end, 20);
        same_models(block_all[i], "terms: [neighbor_sigma]", "", sigma_without_end, 20);
    }
}

/* With D = 0.1 the next key has e^-200 times the weight of the key at P. */
TEST(tiny_window_picks_a_key)
{
    for (int i = 0; i < 3; i++)
        for (int end = -1; end <= 1; end += 2) {
            const struct tested_block *block = block_all[i];
            struct test_model m;
            block_open(&m, block, "terms: [localness]");
            block_fill(&m, block, "gauss.rows.weight", 0);
            block_fill(&m, block, "gauss.rows.bias", -1e3); /* D = I sigmoid + 0.1 */
            /* P = 0 or I - 1 */
            for (int h = 0; h < HEADS; h++)
                test_set(&m, block_below(&m, block, "gauss.rows.bias"), h, end * 1e3);
            block_one_key(&m, block, end < 0 ? 0 : INT_MAX);
            check_close(&m);
        }
}

static void empty_tables(struct test_model *a, struct test_model *b,
                         const struct tested_block *block)
{
    block_fill(a, block, "relpos.keys.weight", 0);
    block_fill(a, block, "relpos.values.weight", 0);
}

TEST(relpos_of_nothing_is_nothing)
{
    for (int i = 0; i < 3; i++)
        same_models(block_all[i], "terms: [{relpos: 2}]", "", empty_tables, 20);
}

/* Fills the rows of tables for distances that no two words of a short sentence have. */
static void far_rows(struct test_model *a, struct test_model *b, const struct tested_block *block)
{
    static const char *const tables[] = {"relpos.keys.weight", "relpos.values.weight"};
    for (int i = 0; i < 2; i++)
        for (int row = 0; row < 2 * 8 + 1; row++)
            for (int c = 0; c < D / HEADS; c++)
                if (row <= 8 - 4 || row >= 8 + 4)
                    test_set(a, block_below(a, block, tables[i]), row * (D / HEADS) + c, 100);
}

TEST(relpos_of_far_words_waits_for_them)
{
    same_models(&block_encoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
    same_models(&block_decoder, "terms: [{relpos: 8}]", "terms: [{relpos: 8}]", far_rows, 4);
}

AT_START(omp_set_num_threads(1));
