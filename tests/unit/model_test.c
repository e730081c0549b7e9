/* Tests properties of a model in fp32. tests/f64/model_exact_test.c tests exact properties in
 * double. counts_test.c tests more parameter counts. tests/cli/check.sh compares a sentence alone
 * with the same sentence in a batch. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/model/device_choice.h"
#include "tests/support/test_model.h"

static struct translator_options options_of(struct tree *tree)
{
    struct translator_options options;
    translator_options_read(&options, tree_merge(&arena, NULL, tree), &arena);
    return options;
}

/* Returns the number of parameters in these numbers of layers, with biases (Vaswani et al. 2017,
 * section 3), and in the two final norms. */
static int64_t body(int64_t d, int64_t f, int encoder, int decoder)
{
    return encoder * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d) +
           decoder * (8 * (d * d + d) + 2 * d * f + f + d + 6 * d) + 4 * d;
}

TEST(presets_count)
{
    static const struct {
        const char *name;
        int64_t count;
    } presets[] = {{"base", 44141056}, {"big", 176362496},
                   {"small", 3687424}, {"small6", 6 * 198272 + 2 * 264576 + 4 * 128},
                   {"tiny", 0},        {"tiny-big", 0}};
    for (size_t i = 0; i < COUNT_OF(presets); i++) {
        const char *path = arena_print(&arena, "experiments/models/%s.yaml", presets[i].name);
        const struct translator_options options = options_of(tree_read(&arena, path));
        const struct model_options *model = &options.model;
        const int64_t count = translator_count_body(&options);
        assert_int_equal(count, body(model->width, model->feedforward, options.encoder.layers,
                                     options.decoder.layers) +
                                    (model->source_bias ? model->width : 0));
        if (presets[i].count) assert_int_equal(count, presets[i].count);
        arena_free(&arena);
    }
}

/* The number of parameters that is computed from options equals the number that a model has. */
TEST(counts_are_those_of_the_model)
{
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
    assert_int_equal(sum, translator_count(&m.options, CHECK_WORDS, CHECK_WORDS));
    assert_int_equal(translator_count_body(&m.options), body(12, 7, 2, 1) + 2 * 12);
    check_close(&m);
}

static void expect_refused(const char *width, const char *fusion, const char *said)
{
    struct tree *tree =
        tree_parse(&arena, "t",
                   arena_print(&arena,
                               "model: {width: %s, heads: 2}\nencoder.attention: [{layers: 1, "
                               "branches: [global, {window: 1}], fusion: %s}]\n",
                               width, fusion));
    EXPECT_DIE(said, options_of(tree));
}

TEST(widths_are_refused)
{
    expect_refused(
        "100", "squeeze",
        "2:21: fusion squeeze: r: expected a divisor of the width 100, as 10 or 20, got 16");
    expect_refused("14", "squeeze", "expected a divisor of the width 14, as 14, got 16");
    expect_refused("12", "{squeeze: {r: 7}}",
                   "expected a divisor of the width 12, as 6 or 12, got 7");
}

TEST(heads_and_waves_fit_the_width)
{
    EXPECT_DIE("t:2:8: heads: 4 does not divide the width 30",
               options_of(tree_parse(&arena, "t", "model: {width: 30,\nheads: 4}\n")));
    EXPECT_DIE("t:1:16: width: expected an even number",
               options_of(tree_parse(&arena, "t", "model: {width: 33, heads: 3}\n")));
}

#define ONE_LAYER                                                                                  \
    "encoder: {layers: 1, attention: [{layers: 1, terms: [{gauss: {window: head}}]}]}\n"           \
    "decoder.layers: 1\n"

/* model.zero_bias changes only the start values of biases. */
TEST(biases_start_at_zero)
{
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
    check_close(&drawn);
    check_close(&zero);
}

/* model.start limits the start values of every parameter. Canonical options have model.start only
 * if it is set. */
TEST(all_start_within_a_limit)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    "model: {width: 12, heads: 2, start: {uniform: 0.01}}\n" ONE_LAYER);
    const struct parameters *parameters = &m.model->parameters;
    const real *x = test_slab(&m, parameters->master);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *one = parameters->item[p];
        double most = 0;
        for (int64_t i = 0; i < (int64_t)one->rows * one->columns; i++)
            most = fmax(most, fabs((double)x[one->offset + i]));
        assert_true(most > 0 && most <= 0.01);
    }
    check_close(&m);

    static const char *const yaml[] = {"{}", "{model.start: {uniform: 0.01}}"};
    for (int i = 0; i < 2; i++) {
        const struct translator_options options = options_of(tree_parse(&arena, "t", yaml[i]));
        const char *said =
            strstr(PRINTED(section_canonical(&model_section, &options.model, out)), "model.start");
        if (i)
            assert_memory_equal(said, "model.start=uniform 0.01\n", 25);
        else
            assert_null(said);
    }
}

/* Some parameters of terms start at a constant. */
TEST(terms_start_where_they_say)
{
    static const struct {
        const char *path;
        double value;
    } starts[] = {{"encoder.1.attention.gauss.head.weight", 3},
                  {"encoder.1.attention.alibi.weight", 0.70710678118654752}};
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    "model: {width: 12, heads: 2}\ndecoder.layers: 1\nencoder: {layers: 1, "
                    "attention: [{layers: 1, terms: [neighbor_sigma, {alibi: learned}]}]}\n");
    model_release(m.model);
    model_place(m.model, true, 1);
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        for (int h = 0; h < 2; h++)
            assert_float_equal(test_get(&m, starts[i].path, h), starts[i].value, 1e-6);
    check_close(&m);
}

/* Weights of the hybrid gate start normally distributed with mean 0 and standard deviation 0.1, as
 * in the released code. */
TEST(gates_start_small)
{
    struct test_model m;
    test_model_open(
        &m, cpu_ops(),
        "model: {width: 64, heads: 8}\ndecoder.layers: 1\nencoder: {layers: 1, attention: "
        "[{layers: 1, branches: [global, {window: 1}], fusion: gate}]}\n");
    model_release(m.model);
    model_place(m.model, true, 1);
    double squares = 0;
    for (int i = 0; i < 64 * 8; i++)
        squares += pow(test_get(&m, "encoder.1.attention.gate.weight", i), 2);
    assert_float_equal(sqrt(squares / (64 * 8)), 0.1, 0.015);
    check_close(&m);
}

TEST(devices_have_names)
{
    assert_ptr_equal(device_ops("cpu"), cpu_ops());
    EXPECT_DIE("device: expected auto, cpu, cuda, cuda:N or emu, got \"cpi\"; nearest is \"cpu\"",
               device_ops("cpi"));
}

AT_START(omp_set_num_threads(1)); /* the models are too small for several threads */
