/* An encoder alone is that of the translator, bit for bit; one without layers is an embedding. */
#include "tests/support/test.h"

#include <math.h>

#include "core/cpu/cpu.h"
#include "core/model/encoder.h"
#include "tests/support/model.h"

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

/* Vectors of the sentences of a batch, by a model that is an encoder and nothing else. */
static real *encode_alone(struct arena *arena, const struct translator_options *options,
                          const struct batch *batch, int64_t *parameters)
{
    const struct alone spec = {options};
    struct model *model =
        model_new(arena, cpu_ops(), options->model.width, options->model.zero_bias, build, &spec);
    struct graph *graph = model_list(model, arena, GRAPH_INFER);
    struct value *output = graph_keep(graph, "encoder.output");
    struct batch only = {.field = {batch->field[FIELD_SOURCE]}};
    graph_plan(graph, (struct capacity){{CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST});
    model_place(model, false, SEED);
    graph_place(graph);
    graph_load(graph, &only);
    graph_forward(graph);
    real *rows = ARENA_ARRAY(arena, real, output->rows->count * output->columns);
    graph_read(graph, output, rows);
    *parameters = model->parameters.total;
    /* Names are data: they key random numbers. */
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
    const struct batch batch = test_batch(&m.arena, 3, SENTENCES, LONGEST);
    const struct step step = test_step(1);
    struct graph *list = test_model_list(&m, GRAPH_INFER, "encoder.output");
    test_loss(list, &step, &batch);
    int64_t parameters;
    const real *inside = test_read(&m, list, "encoder.output");
    const real *alone = encode_alone(&m.arena, &m.options, &batch, &parameters);
    assert_memory_equal(alone, inside,
                        (size_t)(batch.field[FIELD_SOURCE].T * m.options.model.width) *
                            sizeof *alone);
    graph_release(list);
    test_model_close(&m);
}

/* Row t of the plain embedding: sqrt(D) times the table's row, the bias, sines and cosines. */
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

/* No layers: the embedding with its final normalization, or (post) the embedding alone. */
static void no_layers_are_an_embedding(void **state)
{
    const char *yaml = *state;
    const bool post = strstr(yaml, "post") != NULL;
    struct test_model m;
    test_model_open(&m, cpu_ops(), yaml);
    const struct batch batch = test_batch(&m.arena, 3, SENTENCES, LONGEST);
    const struct field *field = &batch.field[FIELD_SOURCE];
    const int D = m.options.model.width;
    int64_t parameters;
    const real *got = encode_alone(&m.arena, &m.options, &batch, &parameters);
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
    test_model_close(&m);
}

static void attention_has_no_layer_there(void **state)
{
    (void)state;
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    COMMON "}\nencoder: {layers: 0, attention: [{layers: all, branches: "
                           "[{window: 1}]}]}\ndecoder.layers: 1\n");
    test_model_close(&m);
    EXPECT_DIE("layers: 1 leaves the stack, whose last layer is 0",
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(alone_is_that_of_the_translator, plain),
        {"alone: none", alone_is_that_of_the_translator, NULL, NULL, none},
        cmocka_unit_test_prestate(no_layers_are_an_embedding, none),
        {"no_layers: post", no_layers_are_an_embedding, NULL, NULL, none_post},
        {"alone: post", alone_is_that_of_the_translator, NULL, NULL, post},
        cmocka_unit_test(attention_has_no_layer_there),
    };
    return cmocka_run_group_tests_name("encoder", tests, NULL, NULL);
}
