/* Tests probes/gates. Mean gates over all positions of a split equal the means that are computed
 * here from queries and weights. The models are single or averaged checkpoints. Models without
 * gates are refused. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"
#include "probes/gates.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

static const char hybrid[] =
    "model: {width: 8, heads: 2, feedforward: 12}\n"
    "decoder: {layers: 1}\n"
    "encoder: {layers: 3, attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate}, "
    "{layers: 3, branches: [global, {window: 2}], fusion: {gate: {source: input}}}]}\n";

static struct model *build(const struct translator_options *options, const struct corpus *corpus,
                           uint32_t seed)
{
    struct model *model = translator_of(&arena, cpu_ops(), options, corpus, 0);
    model_place(model, true, seed);
    return model;
}

/* Computes all gates of layer 1 in a head, sentence by sentence. A gate is the sigmoid of the
 * scaled query times a column of the weight. */
static struct moments by_hand(struct model *model, const struct corpus *corpus, int head)
{
    const struct split *split = &corpus->split[SPLIT_DEV];
    const int64_t *start = split->side[SIDE_SOURCE].start;
    const int D = model->width, H = 2;
    const struct parameter *weight =
        parameter_find(&model->parameters, "encoder.1.attention.gate.weight");
    assert_non_null(weight);
    const real *w = model->parameters.master + weight->offset;
    struct moments moments = {0};
    for (int32_t s = 0; s < split->sentences; s++) {
        const real *query = rows_alone(model, split, s, "encoder.1.attention.query");
        for (int t = 0; t < start[s + 1] - start[s]; t++) {
            double z = 0;
            for (int k = 0; k < D; k++)
                z += (double)query[t * D + k] / sqrt((double)D / H) * (double)w[k * H + head];
            const double g = 1 / (1 + exp(-z));
            moments = moments_join(moments, (struct moments){1, g, g * g});
        }
    }
    return moments;
}

static struct gates measure(const struct frozen_job *job)
{
    struct frozen *frozen = frozen_open(&arena, job);
    const struct gates gates = gates_measure(frozen, &job->corpus->split[SPLIT_DEV], NULL, &arena);
    frozen_close(frozen);
    return gates;
}

TEST(measured_as_by_hand)
{
    struct corpus *corpus = made_prepare();
    const struct translator_options options = options_of(hybrid);
    const char *folder = test_folder("gates_train");
    struct moments expected[2][2], all = {0};
    int64_t positions = 0;
    for (int i = 0; i < 2; i++) {
        struct model *model = build(&options, corpus, (uint32_t)i + 1);
        for (int head = 0; head < 2; head++) expected[i][head] = by_hand(model, corpus, head);
        const char *text = i ? "{\"step\": 2, \"best\": [[2, 1.5], [1, 1.75]], \"recent\": [1, 2]}"
                             : "{\"step\": 1, \"best\": [[1, 1.75]], \"recent\": [1]}";
        checkpoint_save(folder, i + 1, &model->parameters, NULL, text);
        model_release(model);
    }
    const struct split *split = &corpus->split[SPLIT_DEV];
    positions = split->side[SIDE_SOURCE].start[split->sentences];
    struct frozen_job job = {.ops = cpu_ops(),
                             .corpus = corpus,
                             .options = &options,
                             .train_folder = folder,
                             .checkpoint = "mean_of_best(2)"};
    struct gates gates = measure(&job); /* the best set is the first */
    assert_int_equal(gates.sets, 2);
    assert_int_equal(gates.layers, 2);
    assert_int_equal(gates.layer[0], 1);
    assert_int_equal(gates.layer[1], 3);
    assert_int_equal(gates.heads[0], 2);
    assert_int_equal(gates.heads[1], 1); /* one gate for all heads */
    for (int set = 0; set < 2; set++)
        for (int head = 0; head < 2; head++) {
            const struct moments got = gates_over(&gates, set, 0, head);
            const struct moments *want = &expected[1 - set][head];
            assert_int_equal(got.n, positions);
            assert_int_equal(got.n, want->n);
            assert_float_equal(moments_mean(&got), moments_mean(want), 1e-5);
            assert_float_equal(moments_deviation(&got), moments_deviation(want), 1e-5);
            all = moments_join(all, *want);
        }
    const struct moments layer = gates_over(&gates, -1, 0, -1);
    assert_int_equal(layer.n, 4 * positions);
    assert_float_equal(moments_mean(&layer), moments_mean(&all), 1e-5);
    assert_float_equal(moments_deviation(&layer), moments_deviation(&all), 1e-5);
    const struct moments last = gates_over(&gates, -1, 1, -1);
    assert_int_equal(last.n, 2 * positions);
    assert_true(moments_mean(&last) > 0.2 && moments_mean(&last) < 0.8); /* untrained: near 0.5 */

    /* `best` has only the first set. average(2) is one model, the mean of two checkpoints. */
    job.checkpoint = "best";
    gates = measure(&job);
    assert_int_equal(gates.sets, 1);
    const struct moments best = gates_over(&gates, -1, 0, 1);
    assert_float_equal(moments_mean(&best), moments_mean(&expected[1][1]), 1e-5);
    job.checkpoint = "average(2)";
    gates = measure(&job);
    assert_int_equal(gates.sets, 1);
    assert_int_equal(gates_over(&gates, -1, 0, 0).n, positions);
    /* The model of the first checkpoint is untrained, so it equals the model `start` with the same
     * seed. */
    job.checkpoint = "start";
    job.seed = 1;
    gates = measure(&job);
    assert_int_equal(gates.sets, 1);
    const struct moments start = gates_over(&gates, -1, 0, 1);
    assert_float_equal(moments_mean(&start), moments_mean(&expected[0][1]), 1e-5);

    const struct translator_options plain =
        options_of("model: {width: 8, heads: 2, feedforward: 12}\n");
    job.options = &plain;
    EXPECT_DIE("no layer of the encoder has a fusion with gates", measure(&job));
    job.options = &options;
    struct corpus silent = *corpus;
    silent.split[SPLIT_DEV].sentences = 0;
    job.corpus = &silent;
    EXPECT_CHECK("gates of no sentence", measure(&job));
}

/* Returns the weight of a branch in the fusion squeeze at one position (Song et al. 2018, eq. 13).
 * x [8]: output of the branch; inner [8, 4] and outer [4, 8]: weights. */
static double squeezed(const real *x, const real *inner, const real *outer)
{
    double sum = 0;
    for (int c = 0; c < 8; c++) {
        double z = 0;
        for (int k = 0; k < 4; k++) {
            double hidden = 0;
            for (int i = 0; i < 8; i++) hidden += (double)x[i] * (double)inner[4 * i + k];
            z += (hidden > 0 ? hidden : 0) * (double)outer[8 * k + c];
        }
        sum += 1 / (1 + exp(-z)) / 8;
    }
    return sum;
}

static const real *values_of(const struct model *model, const char *path)
{
    const struct parameter *parameter = parameter_find(&model->parameters, path);
    assert_non_null(parameter);
    return model->parameters.master + parameter->offset;
}

/* In layer 1, three branches share one gate network. In layer 2, each of two branches has its
 * own. */
TEST(weights_of_branches)
{
    struct corpus *corpus = made_prepare();
    const struct translator_options options =
        options_of("model: {width: 8, heads: 2, feedforward: 12}\n"
                   "encoder: {layers: 2, attention: ["
                   "{layers: 1, branches: [global, forward, {window: 1}], fusion: {squeeze: 2}}, "
                   "{layers: 2, branches: [global, {window: 1}], fusion: {squeeze: {r: 2, share: "
                   "branch}}}]}\n");
    assert_int_equal(gates_branches(&options.encoder), 3);
    assert_false(gates_any(&options.encoder));
    const struct split *split = &corpus->split[SPLIT_DEV];
    const int64_t *start = split->side[SIDE_SOURCE].start;
    struct frozen *frozen = frozen_start(corpus, &options, 5);
    const struct gates *gates = gates_measure_branches(frozen, split, NULL, &arena);
    for (int b = 0; b < 3; b++) {
        assert_int_equal(gates[b].layers, b < 2 ? 2 : 1);
        for (int l = 0; l < gates[b].layers; l++) {
            const int R = l ? 2 : 3;
            const char *own = arena_print(&arena, l ? ".%d" : "", b + 1);
            const char *path = arena_print(&arena, "encoder.%d.attention", l + 1);
            const real *inner =
                           values_of(frozen->model,
                                     arena_print(&arena, "%s.squeeze%s.inner.weight", path, own)),
                       *outer =
                           values_of(frozen->model,
                                     arena_print(&arena, "%s.squeeze%s.outer.weight", path, own));
            double sum = 0;
            for (int32_t s = 0; s < split->sentences; s++) {
                const real *x =
                    rows_alone(frozen->model, split, s, arena_print(&arena, "%s.heads", path));
                for (int t = 0; t < start[s + 1] - start[s]; t++)
                    sum += squeezed(x + (t * R + b) * 8, inner, outer);
            }
            const struct moments got = gates_over(&gates[b], -1, l, -1);
            assert_int_equal(gates[b].layer[l], l + 1);
            assert_int_equal(got.n, start[split->sentences]);
            assert_float_equal(moments_mean(&got), sum / (double)got.n, 1e-5);
            assert_true(moments_deviation(&got) > 0);
        }
    }
    EXPECT_DIE("no layer of the encoder has a fusion with gates",
               gates_measure(frozen, split, NULL, &arena));
    frozen_close(frozen);
}

TEST(which_models_have_gates)
{
    const struct translator_options with = options_of(hybrid);
    assert_true(gates_any(&with.encoder));
    assert_true(gates_at(&with.encoder, 0));
    assert_false(gates_at(&with.encoder, 1));
    const struct translator_options concat = options_of(
        "encoder: {layers: 2, attention: [{layers: 1, branches: [global, {window: 1}], fusion: "
        "concat}]}\n");
    assert_false(gates_any(&concat.encoder));
    assert_int_equal(gates_branches(&concat.encoder), 0);
}

TEST(moments_are_a_sample)
{
    struct moments moments = {0};
    for (int i = 1; i <= 4; i++)
        moments = moments_join(moments, (struct moments){1, i, (double)i * i});
    assert_float_equal(moments_mean(&moments), 2.5, 1e-12);
    assert_float_equal(moments_deviation(&moments), 1.2909944487358056, 1e-12); /* sqrt(5/3) */
    moments = (struct moments){1, 0.3, 0.09};
    assert_float_equal(moments_deviation(&moments), 0, 0);
}

EACH_TEST(made_begin);
