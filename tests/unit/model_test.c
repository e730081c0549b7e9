/* Parameter counts to the unit (papers.md 0.1, 0.2, 0.3 and 1.9), and what holds of a model in
 * fp32. Its exact properties are tested in double, in tests/f64/model_test.c. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>

#include "core/cpu/cpu.h"
#include "tests/support/model.h"

#define SMALL(encoder)                                                                             \
    "model: {width: 256, heads: 4, feedforward: 1024}\n"                                           \
    "encoder: {layers: 2" encoder "}\ndecoder.layers: 2\n"
#define BASE(model) "model: {width: 512, heads: 8, feedforward: 2048" model "}\n"
#define THUMT ", source_bias: true"
#define BIG "model: {width: 1024, heads: 16, feedforward: 4096}\n"
#define UNBIASED "model.attention_bias: false\n"
#define E1(fusion)                                                                                 \
    "encoder.attention: [{layers: all, branches: [global, forward, backward, {window: 5}], "       \
    "fusion: " fusion                                                                              \
    "}]\ndecoder.attention: [{layers: all, branches: [global, {window: 5}], fusion: " fusion       \
    "}]\n"
#define SIX "encoder.layers: 6\ndecoder.layers: 6\n"
#define LAYER_1(attention) "encoder.attention: [{layers: 1, " attention "}]\n"
#define LAYERS_12(attention) "encoder.attention: [{layers: 1-2, " attention "}]\n"

static struct translator_options options_of(struct arena *arena, struct tree *tree)
{
    struct translator_options options;
    translator_options_read(&options, tree_merge(arena, NULL, tree), arena);
    return options;
}

static const struct body {
    const char *what, *yaml;
    int64_t count;
} bodies[] = {
    {"base", BASE(THUMT) SIX, 44141056},
    {"base without the source's vector", BASE("") SIX, 44141056 - 512},
    {"an encoder layer of base", BASE(THUMT) "encoder.layers: 7\ndecoder.layers: 6\n",
     44141056 + 3152384},
    {"a decoder layer of base", BASE(THUMT) "encoder.layers: 6\ndecoder.layers: 7\n",
     44141056 + 4204032},
    {"base with post-norm has no final norms", BASE(THUMT ", norm: post") SIX, 44141056 - 4 * 512},
    {"tables are not in the body", BASE(THUMT ", share: all") SIX, 44141056},
    {"nor is one of two", BASE(THUMT ", share: target") SIX, 44141056},
    {"big", "model: {width: 1024, heads: 16, feedforward: 4096, source_bias: true}\n" SIX,
     176362496},
    {"an encoder layer of big",
     "model: {width: 1024, heads: 16, feedforward: 4096, source_bias: true}\n"
     "encoder.layers: 5\ndecoder.layers: 6\n",
     176362496 - 12596224},
    {"a decoder layer of big",
     "model: {width: 1024, heads: 16, feedforward: 4096, source_bias: true}\n"
     "encoder.layers: 6\ndecoder.layers: 5\n",
     176362496 - 16796672},
    {"a window costs nothing", BASE(THUMT) SIX LAYERS_12("branches: [{window: 1}]"), 44141056},
    {"gate from queries, a layer",
     BASE(THUMT) SIX LAYER_1("branches: [global, {window: 1}], fusion: gate"), 44141056 + 4096},
    {"gate from queries, two layers",
     BASE(THUMT) SIX LAYERS_12("branches: [global, {window: 1}], fusion: gate"), 44141056 + 8192},
    {"gate from the input, two layers",
     BASE(THUMT) SIX LAYERS_12("branches: [global, {window: 1}], fusion: {gate: {source: input}}"),
     44141056 + 1024},
    {"one gate from queries",
     BASE(THUMT) SIX LAYER_1("branches: [global, {window: 1}], fusion: {gate: {heads: one}}"),
     44141056 + 512},
    {"eight gates from the input",
     BASE(THUMT) SIX LAYER_1(
         "branches: [global, {window: 1}], fusion: {gate: {source: input, heads: each}}"),
     44141056 + 4096},
    {"concat, a layer", BASE(THUMT) SIX LAYER_1("branches: [global, {window: 1}], fusion: concat"),
     44141056 + 262144},
    {"concat, two layers",
     BASE(THUMT) SIX LAYERS_12("branches: [global, {window: 1}], fusion: concat"),
     44141056 + 2 * 262144},
    {"concat of four branches",
     BASE(THUMT)
         SIX LAYER_1("branches: [global, {window: 1}, {window: 2}, {window: 5}], fusion: concat"),
     44141056 + 3 * 262144},
    {"a sum costs nothing",
     BASE(THUMT) SIX LAYERS_12("branches: [global, {window: 1}, {window: 5}], fusion: sum"),
     44141056},
    {"small", SMALL(""), 3681280 + 2 * (4 + 8) * 256},
    {"small without biases in attention (Song et al.)", SMALL("") UNBIASED, 3681280},
    {"base without biases in attention", BASE("") SIX UNBIASED, 44103680},
    {"big without biases in attention", BIG SIX UNBIASED, 176287744},
    /* Song et al.'s Table 2, e1: +524K and +32K, +6.29M and "+383K", +25.1M and +1.57M. */
    {"small, e1 with concat", SMALL("") UNBIASED E1("concat"), 3681280 + 524288},
    {"small, e1 with sum", SMALL("") UNBIASED E1("sum"), 3681280},
    {"small, e1 with squeeze", SMALL("") UNBIASED E1("squeeze"), 3681280 + 32768},
    {"small, e1 with r = 32", SMALL("") UNBIASED E1("{squeeze: 32}"), 3681280 + 16384},
    {"small, e1 with six gates a layer", SMALL("") UNBIASED E1("{squeeze: {share: branch}}"),
     3681280 + 3 * 32768},
    {"base, e1 with concat", BASE("") SIX UNBIASED E1("concat"), 44103680 + 6291456},
    {"base, e1 with squeeze", BASE("") SIX UNBIASED E1("squeeze"), 44103680 + 393216},
    {"big, e1 with concat", BIG SIX UNBIASED E1("concat"), 176287744 + 25165824},
    {"big, e1 with squeeze", BIG SIX UNBIASED E1("squeeze"), 176287744 + 1572864},
    {"small, concat of four branches in both layers",
     SMALL(", attention: [{layers: all, branches: [global, {window: 1}, {window: 2}, {window: 5}],"
           " fusion: concat}]"),
     3681280 + 2 * (4 + 8) * 256 + 2 * 3 * 256 * 256},
};

static void bodies_count_as_in_the_papers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        struct arena arena = {0};
        const struct translator_options options =
            options_of(&arena, tree_parse(&arena, bodies[i].what, bodies[i].yaml));
        const int64_t count = translator_count_body(&options);
        if (count != bodies[i].count)
            fail_msg("%s: %lld parameters, expected %lld", bodies[i].what, (long long)count,
                     (long long)bodies[i].count);
        arena_free(&arena);
    }
}

/* Parameters of one layer with its biases (papers.md 0.1), and of the two final norms. */
static int64_t body(int64_t d, int64_t f, int encoder, int decoder)
{
    return encoder * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d) +
           decoder * (8 * (d * d + d) + 2 * d * f + f + d + 6 * d) + 4 * d;
}

static void presets_count(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t count;
    } presets[] = {{"base", 44141056}, {"big", 176362496},
                   {"small", 3687424}, {"small6", 6 * 198272 + 2 * 264576 + 4 * 128},
                   {"tiny", 0},        {"tiny-big", 0}};
    for (size_t i = 0; i < COUNT_OF(presets); i++) {
        struct arena arena = {0};
        const char *path = arena_print(&arena, "experiments/models/%s.yaml", presets[i].name);
        const struct translator_options options = options_of(&arena, tree_read(&arena, path));
        const struct model_options *model = &options.model;
        const int64_t count = translator_count_body(&options);
        assert_int_equal(count, body(model->width, model->feedforward, options.encoder.layers,
                                     options.decoder.layers) +
                                    (model->source_bias ? model->width : 0));
        if (presets[i].count) assert_int_equal(count, presets[i].count);
        arena_free(&arena);
    }
}

static void tables_count(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct translator_options options =
        options_of(&arena, tree_parse(&arena, "base", BASE(THUMT) SIX));
    assert_int_equal(translator_count(&options, 25520, 30100), 88029696); /* 85,720 rows in all */
    options.model.share = SHARE_TARGET;
    assert_int_equal(translator_count(&options, 25520, 30100), 44141056 + 512 * (25520 + 30100));
    options.model.share = SHARE_ALL;
    assert_int_equal(translator_count(&options, 30100, 30100), 44141056 + 512 * 30100);
    struct translator_options big =
        options_of(&arena, tree_parse(&arena, "big",
                                      "model: {width: 1024, heads: 16, feedforward: 4096,"
                                      " source_bias: true}\n" SIX));
    assert_int_equal(translator_count(&big, 25520, 30100), 264139776);
    arena_free(&arena);
}

/* The count is that of the slabs which a model takes. */
static void counts_are_those_of_the_model(void **state)
{
    (void)state;
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    "model: {width: 12, heads: 2, feedforward: 7}\n"
                    "encoder: {layers: 2, attention: [{layers: 2, branches: [global, {window: 1}],"
                    " fusion: gate}]}\ndecoder.layers: 1\n");
    int64_t sum = 0;
    const struct parameters *parameters = &m.model->parameters;
    for (int i = 0; i < parameters->count; i++)
        sum += (int64_t)parameters->item[i]->rows * parameters->item[i]->columns;
    assert_int_equal(sum, parameters->total);
    assert_int_equal(sum, translator_count(&m.options, TEST_SOURCE, TEST_TARGET));
    assert_int_equal(translator_count_body(&m.options), body(12, 7, 2, 1) + 2 * 12);
    test_model_close(&m);
}

static void widths_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *width, *fusion, *said;
    } cases[] = {
        {"100", "squeeze",
         "2:21: fusion squeeze: r: expected a divisor of the width 100, as 10 or 20, got 16"},
        {"14", "squeeze", "expected a divisor of the width 14, as 14, got 16"},
        {"12", "{squeeze: {r: 7}}", "expected a divisor of the width 12, as 6 or 12, got 7"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};
        struct tree *tree =
            tree_parse(&arena, "t",
                       arena_print(&arena,
                                   "model: {width: %s, heads: 2}\nencoder.attention: [{layers: 1, "
                                   "branches: [global, {window: 1}], fusion: %s}]\n",
                                   cases[i].width, cases[i].fusion));
        EXPECT_DIE(cases[i].said, options_of(&arena, tree));
        arena_free(&arena);
    }
}

#define ONE_LAYER "encoder.layers: 1\ndecoder.layers: 1\n"

/* model.zero_bias moves the start of biases and of nothing else. */
static void biases_start_at_zero(void **state)
{
    (void)state;
    struct test_model drawn, zero;
    test_model_open(&drawn, cpu_ops(),
                    "model: {width: 12, heads: 2, source_bias: true}\n" ONE_LAYER);
    test_model_open(&zero, cpu_ops(),
                    "model: {width: 12, heads: 2, source_bias: true, zero_bias: true}\n" ONE_LAYER);
    const struct parameters *parameters = &drawn.model->parameters;
    const real *x = test_slab(&drawn, parameters->master);
    const real *y = test_slab(&zero, zero.model->parameters.master);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *one = parameters->item[p];
        const size_t length = strlen(one->path);
        const bool bias = length > 5 && !strcmp(one->path + length - 5, ".bias");
        for (int64_t i = one->offset; i < one->offset + (int64_t)one->rows * one->columns; i++) {
            const real expected = bias ? 0 : x[i];
            assert_memory_equal(&y[i], &expected, sizeof expected);
            assert_true(!bias || fabs((double)x[i]) > 0);
        }
    }
    test_model_close(&drawn);
    test_model_close(&zero);
}

static void alone_as_in_a_batch(void **state)
{
    (void)state;
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    "model: {width: 40, heads: 4, feedforward: 50}\n"
                    "encoder:\n  layers: 3\n  attention:\n"
                    "  - {layers: 1, branches: [global, {window: 1}], fusion: gate}\n"
                    "  - {layers: 2, branches: [global, {window: 2}], fusion: concat}\n"
                    "decoder.layers: 2\n");
    struct graph *list = test_model_list(&m, GRAPH_INFER, "encoder.output");
    const struct step step = test_step(1);
    const struct batch batch = test_batch(&m.arena, 7, 8, 14);
    test_loss(list, &step, &batch);
    const real *together = test_read(&m, list, "encoder.output");
    for (int b = 0; b < 8; b++) {
        const struct batch one = test_batch_part(&m.arena, &batch, b, b + 1);
        test_poison(list);
        test_loss(list, &step, &one);
        const real *alone = test_read(&m, list, "encoder.output");
        const real *expected = together + (int64_t)batch.field[FIELD_SOURCE].start[b] * 40;
        for (int i = 0; i < one.field[FIELD_SOURCE].T * 40; i++)
            assert_true(fabs((double)alone[i] - (double)expected[i]) <= 1e-5);
    }
    graph_release(list);
    test_model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_count_as_in_the_papers),
        cmocka_unit_test(presets_count),
        cmocka_unit_test(tables_count),
        cmocka_unit_test(counts_are_those_of_the_model),
        cmocka_unit_test(widths_are_refused),
        cmocka_unit_test(biases_start_at_zero),
        cmocka_unit_test(alone_as_in_a_batch),
    };
    omp_set_num_threads(1); /* too small to share */
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
