/* Planned device memory against the memory that the emulator allocates. The plan is made from lists
 * that are not placed. It is within a tenth of a training with validation and scratch, and within a
 * fifth with greedy decoding. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/emu/table.h"
#include "core/model/device_choice.h"
#include "core/train/translating.h"
#include "tests/support/made_corpus.h"

/* Returns sentences of one to `longest` words of three letters, in a fixed order. */
static char *made_sentences(char first, int longest)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    for (int s = 0; s < 60; s++) {
        for (int w = 0; w <= s * 7 % longest; w++) {
            const int word = (s * 5 + w * 11) % 60;
            fprintf(to, "%s%c%c%c", w ? " " : "", first + word % 3, first + word % 4,
                    first + word % 5);
        }
        fputc('\n', to);
    }
    fclose(to);
    return text;
}

BEFORE(all)
{
    made_begin();
    char *source = made_sentences('a', 10), *target = made_sentences('k', 12);
    made_put_all(source, target);
    free(source);
    free(target);
}

/* Compares the planned and the allocated memory of a model and training in YAML. */
static void as_planned(const char *yaml, enum precision precision, const struct ops *ops,
                       double share)
{
    static int number;
    const struct corpus *corpus = made_prepare();
    emu_memory_begin();
    const struct tree *tree = tree_merge(&arena, tree_read(&arena, "experiments/models/tiny.yaml"),
                                         tree_parse(&arena, "memory_test", yaml));
    struct translator_options model;
    struct train_options train;
    translator_options_read(&model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &train, &arena);
    struct translating translating = {
        .corpus = corpus, .model = &model, .train = &train, .seed = 1};
    size_t planned;
    translating.ops = device_planner("emu", precision, ops->memory());
    struct learner *learner = translating_open(&arena, &translating);
    train_memory(learner, &planned);
    translating_close(learner);

    char *folder = heap_print("%s/%d", test_folder("memory"), number++);
    file_make_folder(folder);
    translating.ops = ops;
    learner = translating_open(&arena, &translating);
    const struct train_job job = {
        .learner = learner, .folder = folder, .journal = journal_open(folder)};
    assert_int_equal(train_run(&job), TRAIN_DONE);
    journal_close(job.journal);
    translating_close(learner);
    free(folder);
    print_message("%s: planned %zu, taken %zu\n", ops->name, planned, emu_memory_most());
    assert_true(fabs((double)planned / (double)emu_memory_most() - 1) <= share);
}

TEST(of_fp32)
{
    as_planned("train: {batch_tokens: 256, epochs: 0, steps: 2}\n", PRECISION_FP32, &emu_fp32, 0.1);
}

/* In bf16 operands have a slab of their own. */
TEST(of_bf16)
{
    as_planned("train: {batch_tokens: 256, epochs: 0, steps: 2}\n", PRECISION_BF16, &emu_bf16, 0.1);
}

/* Greedy decoding is planned for hypotheses of maximum length, which need far more than a batch of
 * 64 tokens. */
TEST(of_validation_by_bleu)
{
    as_planned("model: {width: 64, feedforward: 256}\n"
               "train: {batch_tokens: 64, epochs: 0, steps: 1, validate_sentences: 8}\n",
               PRECISION_FP32, &emu_fp32, 0.2);
}

/* The plan for the emulator lists the same buffers as the emulator's own plan. */
TEST(lists_are_the_same)
{
    const struct corpus *corpus = made_prepare();
    const struct ops *own[] = {&emu_fp32, &emu_bf16};
    const enum precision precision[] = {PRECISION_FP32, PRECISION_BF16};
    const struct tree *tree =
        tree_merge(&arena, tree_read(&arena, "experiments/models/tiny.yaml"),
                   tree_parse(&arena, "memory_test", "model: {feedforward: 512}\n"));
    struct translator_options model;
    struct train_options train;
    translator_options_read(&model, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &train, &arena);
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        size_t bytes[2];
        for (int planned = 0; planned < 2; planned++) {
            const struct translating translating = {
                .ops = planned ? device_planner("emu", precision[i], own[i]->memory()) : own[i],
                .corpus = corpus,
                .model = &model,
                .train = &train,
                .seed = 1};
            struct learner *learner = translating_open(&arena, &translating);
            bytes[planned] = learner->list->memory_bytes + learner->list->fixed_bytes;
            translating_close(learner);
        }
        print_message("%s: planned %zu, own %zu\n", own[i]->name, bytes[1], bytes[0]);
        assert_int_equal(bytes[1], bytes[0]);
    }
}

/* An op that sums over chunks of T rows. Its input and output values are not checked. */
struct chunked {
    void (*issue)(void *context);
    int capacity; /* T of the largest batch */
    int T;
};

static void issue_norm(void *context)
{
    const struct chunked *of = context;
    static struct act *const there = (struct act *)(void *)&emu_fp32;
    real *const numbers = (real *)(void *)there;
    emu_fp32.residual_norm_backward(&(struct residual_norm){.T = of->T,
                                                            .D = 4096,
                                                            .x = there,
                                                            .out_gradient = there,
                                                            .x_gradient = there,
                                                            .gain_gradient = numbers,
                                                            .offset_gradient = numbers});
}

static void issue_squeeze(void *context)
{
    const struct chunked *of = context;
    emu_fp32.squeeze_backward(
        &(struct squeeze){.T = of->T, .D = 256, .R = 2, .N = 256, .gates = 1});
}

static void issue_columns(void *context)
{
    const struct chunked *of = context;
    emu_fp32.sum_columns(NULL, of->T, NULL, 1 << 15, 1 << 15, false, NULL);
}

/* Needs more scratch than the other ops. */
static void issue_wider(void *context)
{
    const struct chunked *of = context;
    emu_fp32.sum_columns(NULL, of->T, NULL, 1 << 16, 1 << 16, false, NULL);
}

/* Scratch that is planned for the largest batch is enough for every smaller one: it must not move
 * when a step is recorded. */
TEST(scratch_is_enough_for_fewer_rows)
{
    struct chunked of[] = {
        {issue_norm, 9216, 0}, {issue_squeeze, 2304, 0}, {issue_columns, 33024, 0}};
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        of[i].T = of[i].capacity;
        emu_fp32.reserve(of[i].issue, &of[i]);
        emu_memory_begin();
        const size_t planned = emu_memory_most();
        for (of[i].T = 64; of[i].T < of[i].capacity; of[i].T += 64)
            emu_fp32.reserve(of[i].issue, &of[i]);
        print_message("%zu: %zu, %zu\n", i, planned, emu_memory_most());
        assert_int_equal(emu_memory_most(), planned);
    }
}

/* Columns of numbers on the device, summed in a step. */
struct summed {
    struct act *x;
    real *sum;
};
enum { SUMMED_ROWS = 64, SUMMED_COLUMNS = 40 };

static void issue_sum(void *context)
{
    const struct summed *of = context;
    emu_fp32.sum_columns(of->x, SUMMED_ROWS, NULL, SUMMED_COLUMNS, SUMMED_COLUMNS, false, of->sum);
}

/* A list that is placed between two steps, for example for validation, may move scratch. Launches
 * recorded with the old address are recorded again. */
TEST(scratch_may_move_between_steps)
{
    const size_t bytes = SUMMED_ROWS * SUMMED_COLUMNS * sizeof(real);
    struct summed of = {emu_fp32.alloc(bytes), emu_fp32.alloc(SUMMED_COLUMNS * sizeof(real))};
    struct chunked larger = {issue_wider, 0, 1 << 16};
    struct run_key key;
    memset(&key, 0, sizeof key);
    key.list = &of;
    setenv("SANLAB_EMU_STRICT", "1", 1);
    for (int time = 0; time < 3; time++) {
        emu_fp32.run(&key, issue_sum, &of);
        if (time == 0) emu_fp32.reserve(larger.issue, &larger);
    }
    unsetenv("SANLAB_EMU_STRICT");
    emu_fp32.forget(&of);
    emu_fp32.release(of.x, bytes);
    emu_fp32.release(of.sum, SUMMED_COLUMNS * sizeof(real));
}

AT_START(omp_set_num_threads(1));
