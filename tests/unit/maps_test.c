/* Tests probes/maps.h. For every branch, head and layer, attention weights of the kernel equal the
 * weights of the dense oracle, also with terms added to the logits. Each sentence is read alone.
 * The longest sentence has more pieces than a head has columns. */
#include "tests/support/test.h"

#include "probes/maps.h"
#include "tests/support/dense_block.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { D = 8, H = 2 };

static const char composed[] =
    "model: {width: 8, heads: 2, feedforward: 12}\n"
    "decoder: {layers: 1}\n"
    "encoder: {layers: 3, attention: [{layers: 1, branches: [global, forward, backward, {window: "
    "1}], fusion: {squeeze: 2}, terms: [localness]}, {layers: 3, terms: [{relpos: 3}, {gauss: "
    "{center: self, window: {fixed: 1.5}, hard_cut: true}}]}]}\n";

static struct translator_options options;

/* Returns the input of a layer's attention for one sentence. The input of layer 1 is the normalized
 * embedding. */
static const double *input_of(struct frozen *frozen, const struct split *split, int32_t sentence,
                              int layer, int *n)
{
    struct graph *graph = model_list(frozen->model, &arena, GRAPH_INFER);
    const char *path = arena_print(&arena, "encoder.%d.attention.qkv", layer);
    struct value *input = NULL;
    for (int i = 0; i < graph->nodes; i++)
        if (!strcmp(graph->node[i]->path, path)) input = graph->node[i]->in[0];
    assert_non_null(input);
    const real *x = rows_alone(frozen->model, split, sentence, input->path);
    const int64_t *start = split->side[SIDE_SOURCE].start + sentence;
    *n = (int)(start[1] - start[0]);
    double *wide = ARENA_ARRAY(&arena, double, *n *D);
    for (int i = 0; i < *n * D; i++) wide[i] = (double)x[i];
    return wide;
}

static void expect_map(struct frozen *frozen, const struct split *split, int32_t sentence,
                       int layer, const struct attention_map *map, const double *master)
{
    const struct attention_spec *spec = &options.encoder.attention.of_layer[layer - 1];
    struct dense dense = {.path = arena_print(&arena, "encoder.%d.attention", layer),
                          .spec = spec,
                          .H = H,
                          .d = D / H,
                          .parameters = &frozen->model->parameters,
                          .master = master,
                          .arena = &arena};
    dense.input = input_of(frozen, split, sentence, layer, &dense.n);
    dense.nk = dense.n;
    assert_int_equal(map->pieces, dense.n);
    assert_int_equal(map->branches, spec->branches);
    assert_int_equal(map->heads, H);
    const int n = dense.n;
    for (int r = 0; r < spec->branches; r++)
        for (int h = 0; h < H; h++) {
            const double *expected = dense_weights(&dense, r, h);
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++) {
                    const float got = map->weight[((r * H + h) * n + i) * n + j];
                    assert_float_equal(got, expected[i * n + j], 2e-5);
                    if (expected[i * n + j] == 0) assert_float_equal(got, 0, 0);
                    sum += (double)got;
                }
                assert_float_equal(sum, 1, 1e-5);
            }
        }
}

TEST(as_the_dense_oracle)
{
    made_put_all("abc b\nab abc c abcab b\na\n", "x\ny\nz\n");
    made_options.merges = 0;
    struct corpus *corpus = made_prepare();
    options = options_of(composed);
    struct frozen *frozen = frozen_start(corpus, &options, 5);
    const struct parameters *parameters = &frozen->model->parameters;
    double *master = ARENA_ARRAY(&arena, double, parameters->slab);
    for (int64_t i = 0; i < parameters->slab; i++) master[i] = (double)parameters->master[i];
    /* The sentences have 13, 5 and 2 pieces with <eos>. A head has 4 columns. */
    const int32_t sentence[] = {1, 0, 2};
    const int layer[] = {1, 2, 3};
    const struct split *split = &corpus->split[SPLIT_DEV];
    const struct attention_map *map = maps_measure(frozen, split, sentence, 3, layer, 3, &arena);
    assert_int_equal(map[0].branches, 4);
    for (int s = 0; s < 3; s++)
        for (int l = 0; l < 3; l++)
            expect_map(frozen, split, sentence[s], layer[l], &map[3 * s + l], master);
    const int none[] = {4};
    EXPECT_DIE("encoder.4.attention: the model has no attention at this path",
               maps_measure(frozen, split, sentence, 1, none, 1, &arena));
    frozen_close(frozen);
}

EACH_TEST(made_begin);
