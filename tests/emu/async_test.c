/* Launches of a training step: their number, and the length of the longest chain. The presets small
 * and base are run with narrower matrices, which take the same launches. Forks change no bit,
 * although the emulator runs their work as late as possible. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/emu/record.h"
#include "core/emu/table.h"
#include "core/tensor/guard.h"
#include "core/train/step.h"
#include "core/train/translating.h"
#include "tests/support/made_corpus.h"

static const struct corpus *corpus;

BEFORE(all)
{
    made_begin();
    made_put_all("ab cd ef gh\nij kl mn\nop qr\nst uv wx yz ab\n",
                 "kl mn op\nqr st\nuv wx\nyz ab\n");
    corpus = made_prepare();
}

struct trained {
    struct record_steps steps;
    int64_t count;
    real *master; /* [count] */
};

static struct trained train_for(int steps, const struct ops *ops, const char *preset,
                                const char *over)
{
    const struct tree *tree =
        tree_merge(&arena, tree_read(&arena, preset), tree_parse(&arena, "async_test", over));
    struct translator_options model;
    struct train_options options;
    translator_options_read(&model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &options, &arena);
    const struct translating translating = {
        .ops = ops, .corpus = corpus, .model = &model, .train = &options, .seed = 3};
    struct learner *learner = translating_open(&arena, &translating);
    struct parameters *parameters = &learner->model->parameters;
    model_place(learner->model, true, learner->seed);
    graph_place(learner->list);
    for (int s = 0; s < steps; s++) {
        const struct learner_step step = learner->step(learner->context, s, 0, &arena);
        assert_true(train_step(learner, s, &step).finite);
    }
    struct trained trained = {.steps = record_steps(), .count = parameters->slab};
    trained.master = ARENA_ARRAY(&arena, real, trained.count);
    ops->download(trained.master, parameters->master, (size_t)trained.count * sizeof(real));
    translating_close(learner);
    return trained;
}

static struct trained train(const struct ops *ops, const char *preset, const char *over)
{
    return train_for(2, ops, preset, over);
}

/* Heads of width 32, which use attention by warps like the presets. */
#define NARROW                                                                                     \
    "model: {width: 64, heads: 2, feedforward: 128, dropout: 0.1, attention_dropout: 0.1, "        \
    "relu_dropout: 0.1}\ntrain: {batch_tokens: 64, accumulate: 1, epochs: 0, steps: 2}\n"

static void launches_of(const char *preset, const struct ops *ops, struct record_steps most)
{
    const struct record_steps steps = train(ops, preset, NARROW).steps;
    print_message("%s, %s: %d launches a step, %d in sequence\n", preset, ops->name, steps.launches,
                  steps.path);
    assert_true(steps.launches > 0 && steps.path > 0 && steps.path <= steps.launches);
    assert_true(steps.launches <= most.launches);
    assert_true(steps.path <= most.path + (GUARD_BYTES ? 6 : 0)); /* async_first: graph_plan.c */
}

TEST(launches_of_small)
{
    launches_of("experiments/models/small.yaml", &emu_bf16, (struct record_steps){138, 90, 0});
}

TEST(launches_of_base)
{
    launches_of("experiments/models/base.yaml", &emu_bf16, (struct record_steps){373, 252, 0});
}

static void at_once(void)
{
}

static void joined(int late)
{
}

/* Every node that multiplies by a weight, once by a shared weight. The work of a fork runs as late
 * as possible, then as early as possible. */
TEST(async_is_the_same_bits)
{
    static const char *const over[] = {
        "model: {width: 32, heads: 2, feedforward: 48, share: all}\n"
        "encoder: {layers: 2, attention: [\n"
        "  {layers: 1, branches: [global, {window: 1}], terms: [{relpos: 3}], fusion: gate},\n"
        "  {layers: 2, branches: [global, forward], terms: [{gauss: {}}], fusion: {squeeze: 4}}]}\n"
        "decoder.layers: 1\n"
        "train: {batch_tokens: 64, accumulate: 1, epochs: 0, steps: 2}\n",
        "model: {width: 16, heads: 2, feedforward: 16, dropout: 0.1}\n"
        "encoder.layers: 1\ndecoder.layers: 1\n"
        "train: {batch_tokens: 64, accumulate: 1, epochs: 0, steps: 2}\n",
        "model: {width: 16, heads: 2, feedforward: 16, dropout: 0.1}\n"
        "encoder: {layers: 2, attention: [{layers: 1, terms: [{gauss: {window: head}}]},\n"
        "  {layers: 2, terms: [{alibi: {slopes: learned}}]}]}\ndecoder.layers: 1\n"
        "train: {batch_tokens: 64, accumulate: 1, epochs: 0, steps: 2}\n",
        "model: {width: 16, heads: 2, feedforward: 16, norm: post, share: all}\n"
        "encoder.layers: 3\ndecoder.layers: 2\n"
        "train: {batch_tokens: 64, accumulate: 2, epochs: 0, steps: 2}\n"};
    struct ops plain = emu_fp32, early = emu_fp32;
    plain.fork = plain.fork_end = NULL;
    plain.join = NULL;
    early.fork = early.fork_end = at_once;
    early.join = joined;
    for (size_t i = 0; i < COUNT_OF(over); i++) {
        const struct trained one = train(&plain, "experiments/models/tiny.yaml", over[i]);
        const struct trained two = train(&emu_fp32, "experiments/models/tiny.yaml", over[i]);
        const struct trained three = train(&early, "experiments/models/tiny.yaml", over[i]);
        assert_int_equal(one.steps.path, one.steps.launches);
        assert_true(two.steps.path < two.steps.launches);
        assert_int_equal(one.count, two.count);
        assert_memory_equal(one.master, two.master, (size_t)one.count * sizeof(real));
        assert_memory_equal(one.master, three.master, (size_t)one.count * sizeof(real));
    }
}

/* Backward of a rectifier, and a mask after the product that precedes it, which reads less. */
TEST(masks_are_the_same_bits)
{
    struct ops plain = emu_fp32;
    plain.mask_multiple = 0;
    const struct trained one = train(&plain, "experiments/models/small.yaml", NARROW);
    const struct trained two = train(&emu_fp32, "experiments/models/small.yaml", NARROW);
    assert_int_equal(one.steps.launches, two.steps.launches);
    assert_int_equal(one.steps.path, two.steps.path);
    assert_int_equal(one.count, two.count);
    assert_memory_equal(one.master, two.master, (size_t)one.count * sizeof(real));
}

/* Returns the relative distance between the parameters of the same training with and without a
 * part. */
static double away_without(const struct ops *ops, const char *part, const char *over,
                           struct trained *with, struct trained *without)
{
    *with = train(ops, "experiments/models/small.yaml", over);
    setenv("SANLAB_CUDA_OFF", part, 1);
    *without = train(ops, "experiments/models/small.yaml", over);
    unsetenv("SANLAB_CUDA_OFF");
    double away = 0, square = 0;
    assert_int_equal(with->count, without->count);
    for (int64_t i = 0; i < with->count; i++) {
        const double x = (double)with->master[i], y = (double)without->master[i];
        away += (x - y) * (x - y), square += x * x;
    }
    print_message("%d launches without, parameters differ by %.3g\n", without->steps.launches,
                  sqrt(away / square));
    return sqrt(away / square);
}

/* Products that sum gradients of biases, against kernels that sum in another order. */
TEST(epilogues_change_last_bits)
{
    struct trained with, without;
    assert_true(away_without(&emu_fp32, "epilogue", NARROW, &with, &without) <= 1e-5);
    assert_true(without.steps.launches > with.steps.launches);
}

/* Attention in bf16 on tensor cores, by warps or, for other heads, by tiles, against the loops of
 * fp32. The emulator's tiles add in the order of the loops. The numerics text of fp32, which has no
 * fragments, is unchanged. */
TEST(fragments_may_be_off)
{
    static const char tiles[] =
        "model: {width: 64, heads: 4, feedforward: 128, dropout: 0.1, attention_dropout: 0.1}\n"
        "train: {batch_tokens: 64, accumulate: 1, epochs: 0, steps: 2}\n";
    struct trained with, without;
    const double away = away_without(&emu_bf16, "wmma", NARROW, &with, &without);
    assert_true(away > 0 && away <= 1e-5);
    assert_true(without.steps.launches > with.steps.launches);
    assert_true(away_without(&emu_bf16, "wmma", tiles, &with, &without) == 0);
    assert_int_equal(with.steps.launches, without.steps.launches);
    setenv("SANLAB_CUDA_OFF", "epilogue,wmma", 1);
    assert_string_equal(emu_bf16.numerics(), "emu bf16 5 without epilogues without wmma");
    assert_string_equal(emu_fp32.numerics(), "emu fp32 5 without epilogues");
    unsetenv("SANLAB_CUDA_OFF");
}

/* Recorded steps of recurrent layers under one key are equal, for all lengths of their
 * sentences. */
TEST(recurrent_steps_are_the_same)
{
    static const char over[] = "model: {width: 16, heads: 2, feedforward: 32}\n"
                               "encoder: {layers: 2, stack: [{lstm: 1}, {onlstm: 1}]}\n"
                               "decoder.layers: 1\n"
                               "train: {batch_tokens: 16, accumulate: 1, epochs: 0, steps: 6}\n";
    const struct trained trained = train_for(6, &emu_fp32, "experiments/models/tiny.yaml", over);
    assert_int_equal(trained.steps.keys, 1);
}

/* A step is recorded for rounded lengths, so for a longer sentence than its own. The plan includes
 * the memory of the rounded length. */
TEST(long_sentences_are_planned)
{
    static const char over[] =
        "model: {width: 64, heads: 2, feedforward: 64, dropout: 0.1, attention_dropout: 0.1}\n"
        "encoder.layers: 1\n"
        "decoder.layers: 1\n"
        "train: {batch_tokens: 300, accumulate: 1, epochs: 0, steps: 1}\n";
    enum { WORDS = 260 }; /* 512 as it is recorded */
    char text[3 * WORDS + 1] = "";
    for (int i = 0; i < WORDS; i++) memcpy(text + 3 * i, "ab ", 3);
    text[3 * WORDS - 1] = '\n';
    made_put_all(text, text);
    made_options.max_length = WORDS + 40;
    corpus = made_prepare();
    assert_true(corpus->split[SPLIT_TRAIN].longest[SIDE_SOURCE] >= WORDS);
    train_for(1, &emu_bf16, "experiments/models/tiny.yaml", over);
}

int main(void)
{
    setenv("SANLAB_EMU_STRICT", "1", 1);
    omp_set_num_threads(1);
    return tests_run();
}
