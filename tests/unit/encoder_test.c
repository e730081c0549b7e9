/* Tests that an encoder alone has the same output as the encoder of a translation model, bit for
 * bit. An encoder without layers is an embedding. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/model/encoder.h"
#include "tests/support/test_model.h"

enum { SEED = 5, SENTENCES = 5, LONGEST = 9 };

struct alone {
    const struct translator_options *options;
};

static void build(struct graph *graph, const void *spec)
{
    const struct translator_options *options = ((const struct alone *)spec)->options;
    const int D = options->model.width;
    encoder_bias(graph, &options->model);
    encoder_build(graph, &options->model, &options->encoder, FIELD_SOURCE,
                  parameter_get(graph->parameters, "source.embedding", CHECK_WORDS, D, START_NORMAL,
                                1 / sqrt((double)D)));
}

/* Returns the vectors of a batch's sentences, from a model that consists only of an encoder. */
static real *encode_alone(const struct translator_options *options, const struct batch *batch,
                          int64_t *parameters)
{
    const struct alone spec = {options};
    struct model *model = model_new(&arena, cpu_ops(), &options->model, build, &spec);
    struct graph *graph = model_list(model, &arena, GRAPH_INFER);
    struct value *output = graph_keep(graph, "encoder.output");
    struct batch only = {.field = {batch->field[FIELD_SOURCE]}};
    graph_plan(graph, (struct capacity){{CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST});
    model_place(model, false, SEED);
    graph_place(graph);
    graph_load(graph, &only);
    graph_forward(graph);
    real *rows = ARENA_ARRAY(&arena, real, output->rows->count * output->columns);
    graph_read(graph, output, rows);
    *parameters = model->parameters.total;
    /* Names of parameters must not change, because the random numbers of a parameter depend on its
     * name. */
    const bool pre = options->model.norm == NORM_PRE;
    assert_int_equal(parameter_find(&model->parameters, "encoder.norm.gain") != NULL, pre);
    graph_release(graph);
    model_release(model);
    return rows;
}

#define COMMON "model: {width: 16, heads: 2, feedforward: 24, source_bias: true"

static void alone_is_that_of_the_translator(void **state)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(), *state);
    const struct batch batch = test_batch(3, SENTENCES, LONGEST);
    const struct step step = check_step(1);
    struct graph *list = test_model_list(&m, GRAPH_INFER, "encoder.output");
    check_forward(list, &step, &batch);
    int64_t parameters;
    const real *inside = test_read(&m, list, "encoder.output");
    const real *alone = encode_alone(&m.options, &batch, &parameters);
    assert_memory_equal(alone, inside,
                        (size_t)(batch.field[FIELD_SOURCE].T * m.options.model.width) *
                            sizeof *alone);
    graph_release(list);
    check_close(&m);
}

/* Computes the embedding of a token at a position: sqrt(D) times its row of the table, plus bias,
 * plus sines and cosines. */
static void embedding_of(struct test_model *m, int32_t token, int position, double *row)
{
    const int D = m->options.model.width, half = D / 2;
    for (int c = 0; c < D; c++) {
        const double rate = pow(10000, -(double)(c % half) / (half - 1));
        const double wave = c < half ? sin(position * rate) : cos(position * rate);
        row[c] = test_get(m, "source.embedding", (int64_t)token * D + c) * sqrt((double)D) +
                 test_get(m, "encoder.bias", c) + wave;
    }
}

/* Without layers, the output is the embedding after the final normalization. With norm: post, there
 * is no final normalization. */
static void no_layers_are_an_embedding(void **state)
{
    const char *yaml = *state;
    const bool post = strstr(yaml, "post") != NULL;
    struct test_model m;
    test_model_open(&m, cpu_ops(), yaml);
    const struct batch batch = test_batch(3, SENTENCES, LONGEST);
    const struct field *field = &batch.field[FIELD_SOURCE];
    const int D = m.options.model.width;
    int64_t parameters;
    const real *got = encode_alone(&m.options, &batch, &parameters);
    assert_int_equal(parameters, CHECK_WORDS * D + D + (post ? 0 : 2 * D));
    for (int b = 0; b < field->B; b++)
        for (int t = field->start[b]; t < field->start[b + 1]; t++) {
            double row[64], mean = 0, square = 0;
            embedding_of(&m, field->token[t], t - field->start[b], row);
            for (int c = 0; c < D; c++) mean += row[c] / D;
            for (int c = 0; c < D; c++) square += (row[c] - mean) * (row[c] - mean) / D;
            for (int c = 0; c < D && !post; c++) row[c] = (row[c] - mean) / sqrt(square + 1e-6);
            for (int c = 0; c < D; c++) assert_float_equal(got[t * D + c], row[c], 1e-5);
        }
    check_close(&m);
}

/* Normalizes each row to mean 0 and standard deviation 1. */
static void normalize(const real *from, int rows, int D, double *to)
{
    for (int t = 0; t < rows; t++) {
        const real *x = from + t * D;
        double mean = 0, square = 0;
        for (int c = 0; c < D; c++) mean += (double)x[c] / D;
        for (int c = 0; c < D; c++) square += ((double)x[c] - mean) * ((double)x[c] - mean) / D;
        for (int c = 0; c < D; c++) to[t * D + c] = ((double)x[c] - mean) / sqrt(square + 1e-6);
    }
}

/* model.zero_bias applies to recurrent layers, as it does to attention. */
TEST(biases_start_at_zero_where_all_do)
{
    for (int zero = 0; zero < 2; zero++) {
        struct test_model m;
        test_model_open(&m, cpu_ops(),
                        zero ? COMMON ", zero_bias: true}\nencoder.stack: [{lstm: 1}]\n"
                             : COMMON "}\nencoder.stack: [{lstm: 1}]\n");
        const struct parameter *bias =
            parameter_find(&m.model->parameters, "encoder.1.recurrence.input.bias");
        const real *at = m.model->parameters.master + bias->offset;
        const double most = zero ? 0 : 1 / sqrt(m.options.model.width);
        bool any = false;
        for (int i = 0; i < bias->columns; i++) {
            assert_true(fabs((double)at[i]) <= most);
            any |= at[i] != 0;
        }
        assert_true(any == !zero);
        check_close(&m);
    }
}

/* Changes one token at a time. Forward layers must not change the outputs of earlier tokens, and
 * backward layers must not change the outputs of later tokens. */
TEST(recurrences_have_directions)
{
    static const char *const directions[] = {"forward", "backward", "both"};
    for (int i = 0; i < 6; i++) {
        struct test_model m;
        const int d = i / 2;
        test_model_open(&m, cpu_ops(),
                        arena_print(&arena,
                                    COMMON "}\nencoder.stack: [{%s: {direction: %s}}]\n"
                                           "decoder.layers: 1\n",
                                    i % 2 ? "onlstm" : "lstm", directions[d]));
        struct batch batch = test_batch(3, SENTENCES, LONGEST);
        const struct step step = check_step(1);
        struct field *field = &batch.field[FIELD_SOURCE];
        const int D = m.options.model.width;
        const size_t row = (size_t)D * sizeof(real);
        struct graph *list = test_model_list(&m, GRAPH_INFER, "encoder.output");
        check_forward(list, &step, &batch);
        const real *before = test_read(&m, list, "encoder.output");
        int32_t *token = ARENA_ARRAY(&m.arena, int32_t, field->T);
        memcpy(token, field->token, (size_t)field->T * sizeof *token);
        field->token = token;
        for (int b = 0; b < field->B; b++)
            for (int t = field->start[b]; t < field->start[b + 1]; t++) {
                token[t] = (token[t] + 1) % CHECK_WORDS;
                check_forward(list, &step, &batch);
                const real *after = test_read(&m, list, "encoder.output");
                for (int k = field->start[b]; k < field->start[b + 1]; k++) {
                    const bool reached = k == t || (k > t ? d != 1 : d != 0);
                    assert_true(!memcmp(before + k * D, after + k * D, row) == !reached);
                }
                token[t] = (token[t] + CHECK_WORDS - 1) % CHECK_WORDS;
            }
        graph_release(list);
        check_close(&m);
        arena_free(&arena);
    }
}

/* The shortcut adds the raw outputs of the groups. encoder.group.1 is such an output after a
 * normalization without parameters. Before training, gains are 1 and offsets 0, so encoder.2, which
 * the next group reads, has the same values. */
TEST(groups_have_paths)
{
    static const char *const paths[] = {
        "encoder.group.1.raw", "encoder.group.2.raw", "encoder.group.1",        "encoder.group.2",
        "encoder.2",           "encoder.3",           "encoder.1.master_forget"};
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    COMMON "}\nencoder: {stack: [{onlstm: 2}, {san: 1}], shortcut: "
                           "true}\ndecoder.layers: 1\n");
    const int D = m.options.model.width;
    const struct batch batch = test_batch(3, SENTENCES, LONGEST);
    const struct step step = check_step(1);
    const int T = batch.field[FIELD_SOURCE].T;
    struct graph *list = model_list(m.model, &m.arena, GRAPH_INFER);
    struct value *kept[COUNT_OF(paths)], *output = graph_keep(list, "encoder.output");
    for (size_t i = 0; i < COUNT_OF(paths); i++) kept[i] = graph_keep(list, paths[i]);
    graph_plan(list, (struct capacity){{CHECK_ROWS, CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST});
    graph_place(list);
    check_forward(list, &step, &batch);
    real *read[COUNT_OF(paths)], *final = ARENA_ARRAY(&m.arena, real, T * D);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        read[i] = ARENA_ARRAY(&m.arena, real, kept[i]->rows->count * kept[i]->columns);
        graph_read(list, kept[i], read[i]);
    }
    graph_read(list, output, final);
    double *expected = ARENA_ARRAY(&m.arena, double, T *D);
    for (int g = 0; g < 2; g++) {
        normalize(read[g], T, D, expected);
        for (int i = 0; i < T * D; i++) assert_float_equal(read[2 + g][i], expected[i], 1e-4);
        for (int i = 0; i < T * D && !g; i++) assert_float_equal(read[4][i], expected[i], 1e-4);
    }
    for (int i = 0; i < T * D; i++) read[0][i] += read[1][i];
    normalize(read[0], T, D, expected);
    for (int i = 0; i < T * D; i++) assert_float_equal(final[i], expected[i], 1e-4);
    /* encoder.3 is the output of the last layer, not the sum. */
    assert_memory_equal(read[5], read[3], (size_t)(T * D) * sizeof *final);
    assert_memory_not_equal(read[5], final, (size_t)(T * D) * sizeof *final);
    assert_int_equal(kept[6]->columns, 2 * D);
    const real *forget = read[6]; /* cumulative sum that ends at 1, in each direction */
    for (int i = 1; i < D; i++) assert_true(forget[i] >= forget[i - 1]);
    assert_float_equal(forget[D - 1], 1, 1e-5);
    EXPECT_DIE("this model has no output \"encoder.group.3\"; nearest is \"encoder.group.1\"",
               graph_keep(model_list(m.model, &m.arena, GRAPH_INFER), "encoder.group.3"));
    graph_release(list);
    check_close(&m);
}

/* Without a final normalization, encoder.2 is the raw output of the second group, and the output of
 * the encoder is the sum of both groups. */
static void the_last_layer_is_not_the_sum(void **state)
{
    static const char *const paths[] = {"encoder.1", "encoder.2", "encoder.group.2.raw",
                                        "encoder.output"};
    struct test_model m;
    test_model_open(&m, cpu_ops(), *state);
    const struct batch batch = test_batch(3, SENTENCES, LONGEST);
    const struct step step = check_step(1);
    const int all = batch.field[FIELD_SOURCE].T * m.options.model.width;
    struct graph *list = model_list(m.model, &m.arena, GRAPH_INFER);
    struct value *kept[COUNT_OF(paths)];
    real *read[COUNT_OF(paths)];
    for (size_t i = 0; i < COUNT_OF(paths); i++) kept[i] = graph_keep(list, paths[i]);
    graph_plan(list, (struct capacity){{CHECK_ROWS, CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST});
    graph_place(list);
    check_forward(list, &step, &batch);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        read[i] = ARENA_ARRAY(&m.arena, real, kept[i]->rows->count * kept[i]->columns);
        graph_read(list, kept[i], read[i]);
    }
    assert_memory_equal(read[1], read[2], (size_t)all * sizeof(real));
    for (int i = 0; i < all; i++)
        assert_float_equal(read[3][i], (double)read[0][i] + (double)read[1][i], 1e-5);
    graph_release(list);
    check_close(&m);
}

TEST(attention_has_no_layer_there)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    COMMON "}\nencoder: {layers: 0, attention: [{layers: all, branches: "
                           "[{window: 1}]}]}\ndecoder.layers: 1\n");
    check_close(&m);
    EXPECT_DIE("layers: 1 is beyond the last layer of the stack, 0",
               test_model_open(&m, cpu_ops(),
                               COMMON "}\nencoder: {layers: 0, attention: [{layers: 1, "
                                      "branches: [{window: 1}]}]}\n"));
}

int main(void)
{
    static char plain[] = COMMON "}\nencoder.layers: 2\ndecoder.layers: 1\n";
    static char post[] = COMMON ", norm: post}\nencoder: {layers: 2, attention: "
                                "[{layers: 2, branches: [global, {window: 1}], terms: [localness], "
                                "fusion: gate}]}\ndecoder.layers: 1\n";
    static char none[] = COMMON "}\nencoder.layers: 0\ndecoder.layers: 1\n";
    static char none_post[] = COMMON ", norm: post}\nencoder.layers: 0\ndecoder.layers: 1\n";
    static char stack[] = COMMON "}\nencoder: {stack: [{onlstm: {layers: 1, chunk: 4}}, {lstm: "
                                 "{layers: 1, direction: backward}}, {san: 1}], shortcut: true}\n"
                                 "decoder.layers: 1\n";
    static char stack_post[] = COMMON ", norm: post}\nencoder: {stack: [{lstm: 1}, {san: 1}], "
                                      "shortcut: true}\ndecoder.layers: 1\n";
    test_add(0, alone_is_that_of_the_translator, stack, "alone: stack");
    test_add(0, alone_is_that_of_the_translator, stack_post, "alone: stack, post");
    test_add(0, the_last_layer_is_not_the_sum, stack_post, "the_last_layer_is_not_the_sum");
    test_add(0, alone_is_that_of_the_translator, plain, "alone: plain");
    test_add(0, alone_is_that_of_the_translator, none, "alone: none");
    test_add(0, no_layers_are_an_embedding, none, "no_layers");
    test_add(0, no_layers_are_an_embedding, none_post, "no_layers: post");
    test_add(0, alone_is_that_of_the_translator, post, "alone: post");
    return tests_run();
}
