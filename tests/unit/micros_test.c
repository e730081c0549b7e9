/* Tests the number of micro-batches of a step. On the host, it is the requested number. On a
 * device, it is the smallest number that fits into the memory. A continued training uses the
 * recorded number. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/train/translating.h"
#include "tests/support/made_corpus.h"

enum { MOST = 6 };

static size_t device_memory;

static size_t memory(void)
{
    return device_memory;
}

/* Returns the number of micro-batches. *placed is set to the bytes of device memory that they
 * need. */
static int opened(const struct translating *translating, size_t *placed)
{
    struct learner *learner = translating_open(&arena, translating);
    const int micros = learner->micros;
    *placed = train_placed(learner->model, learner->list);
    translating_close(learner);
    return micros;
}

TEST(as_few_as_memory_takes)
{
    struct corpus *corpus = made_prepare();
    struct tree *tree =
        tree_merge(&arena, NULL,
                   tree_parse(&arena, "run.yaml",
                              "model: {width: 8, heads: 2, feedforward: 12}\n"
                              "encoder: {layers: 1}\ndecoder: {layers: 1}\n"
                              "train: {batch_tokens: 600, steps: 1, accumulate: 6}\n"));
    struct translator_options options;
    struct train_options train;
    translator_options_read(&options, tree, &arena);
    section_read(&train_section, tree_find(tree, "train"), &train, &arena);
    struct ops ops = *cpu_ops();
    struct translating what = {.ops = &ops, .corpus = corpus, .model = &options, .train = &train};
    size_t takes[MOST + 1], placed;
    assert_int_equal(opened(&what, &placed), MOST); /* on the host: the requested number */
    for (what.micros = 1; what.micros <= MOST; what.micros++) {
        assert_int_equal(opened(&what, &takes[what.micros]), what.micros);
        assert_true(what.micros == 1 || takes[what.micros] < takes[what.micros - 1]);
    }
    assert_int_equal(takes[MOST], placed);
    ops.memory = memory;
    /* The list may use 0.8 of the memory of a device. */
    for (int fit = 1; fit <= MOST; fit++) {
        what.micros = 0;
        device_memory = takes[fit] / 4 * 5 + 5;
        assert_int_equal(opened(&what, &placed), fit);
        assert_int_equal(placed, takes[fit]);
        what.micros = 3; /* recorded by a training that continues */
        assert_int_equal(opened(&what, &placed), 3);
    }
    what.micros = 0;
    device_memory = 1; /* no number fits, so the maximum is used */
    assert_int_equal(opened(&what, &placed), MOST);
}

EACH_TEST(made_begin);
