/* Tests the resources of decoding steps. Allocated memory equals stepper_bytes. Caches grow to the
 * need of a batch. Only arguments that have changed are uploaded. tests/f64/step_test.c compares
 * the results. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/model/stepper.h"
#include "tests/support/test_model.h"

enum { WIDTH = 28, LAYERS = 2, LIVE = 3, SENTENCES = 4, STEPS = 25, LONGEST = 10 };

static const char yaml[] = "model: {width: 28, heads: 4, feedforward: 30}\n"
                           "encoder.layers: 1\ndecoder.layers: 2\n";
static const struct stepper_size size = {
    .tokens = 40, .sentences = SENTENCES, .longest = LONGEST, .live = LIVE, .steps = STEPS};

/* An op table that records memory blocks and counts uploads. */
static struct block {
    void *memory;
    size_t bytes;
} block[256];
static int blocks, uploads;
static size_t held;

static void *counted_alloc(size_t bytes)
{
    void *memory = cpu_ops()->alloc(bytes);
    assert_in_range(blocks, 0, COUNT_OF(block) - 1);
    block[blocks++] = (struct block){memory, bytes};
    held += bytes;
    return memory;
}

static void counted_release(void *memory, size_t bytes)
{
    for (int i = 0; memory && i < blocks; i++) {
        if (block[i].memory != memory) continue;
        assert_int_equal(bytes, block[i].bytes);
        block[i] = block[--blocks];
        held -= bytes;
        break;
    }
    cpu_ops()->release(memory, bytes);
}

static void counted_upload(void *to, const void *from, size_t bytes)
{
    uploads++;
    cpu_ops()->upload(to, from, bytes);
}

static const struct ops *counted_ops(void)
{
    static struct ops table;
    table = *cpu_ops();
    table.alloc = counted_alloc;
    table.release = counted_release;
    table.upload = counted_upload;
    return &table;
}

/* Returns the bytes of keys and values of all decoder layers, for this number of slots. */
static size_t cache_bytes(int64_t slots)
{
    return (size_t)slots * LAYERS * 2 * WIDTH * sizeof(real);
}

TEST(caches_grow)
{
    struct test_model m;
    test_model_open(&m, counted_ops(), yaml);
    const struct batch four = test_batch(1, SENTENCES, LONGEST);
    const struct batch two = test_batch_part(&four, 1, 3);
    const size_t before = held;
    struct stepper *stepper = stepper_open(&m.arena, m.model, size);
    const size_t open = held;
    stepper_begin(stepper, &two, 10);
    assert_int_equal(held - open, cache_bytes(2 * LIVE * 10));
    stepper_begin(stepper, &four, 8);
    assert_int_equal(held - open, cache_bytes(4 * LIVE * 8));
    stepper_begin(stepper, &two, STEPS - 10); /* caches do not shrink */
    assert_int_equal(held - open, cache_bytes(4 * LIVE * 8));
    stepper_begin(stepper, &four, STEPS);
    const int64_t slots = 4 * LIVE * STEPS;
    assert_int_equal(held - open, cache_bytes(slots));
    const size_t bytes = stepper_bytes(m.model, size, slots);
    assert_int_equal(bytes - stepper_bytes(m.model, size, 0), cache_bytes(slots));
    /* Bytes of cache rows of two steps, which are on the host. */
    const double here = 2. * SENTENCES * LIVE * STEPS * sizeof(int32_t);
    assert_true(fabs((double)(held - before) + here - (double)bytes) < .01 * (double)bytes);
    stepper_close(stepper);
    assert_int_equal(held, before);
    check_close(&m);
    assert_int_equal(held, 0);
}

/* Returns the number of uploads of one step. Row r continues row r of the step before. */
static int step(struct stepper *stepper, int rows, const int *sentence)
{
    struct live_row row[SENTENCES * LIVE];
    for (int r = 0; r < rows; r++)
        row[r] = (struct live_row){.sentence = sentence[r], .parent = r, .previous = 3 + r};
    uploads = 0;
    stepper_step(stepper, row, rows);
    return uploads;
}

/* Indices of the source keys are uploaded again only if other rows are live. */
TEST(sources_stay)
{
    struct test_model m;
    test_model_open(&m, counted_ops(), yaml);
    const struct batch batch = test_batch(1, SENTENCES, LONGEST);
    struct stepper *stepper = stepper_open(&m.arena, m.model, size);
    stepper_begin(stepper, &batch, STEPS);
    static const int rows[] = {0, 1, 2, 3}, others[] = {0, 1, 3, 2};
    const int all = step(stepper, 4, rows);
    assert_int_equal(step(stepper, 4, rows), all - 1);
    assert_int_equal(step(stepper, 4, others), all);
    assert_int_equal(step(stepper, 4, others), all - 1);
    assert_int_equal(step(stepper, 3, others), all);
    assert_int_equal(step(stepper, 3, others), all - 1);
    stepper_begin(stepper, &batch, STEPS);
    assert_int_equal(step(stepper, 3, others), all);
    stepper_close(stepper);
    check_close(&m);
}

/* The weights of a frozen model are packed once, for the encoder's list and the decoding steps. */
TEST(weights_are_packed)
{
    static const char *const paths[] = {"encoder.1.feedforward.inner.weight",
                                        "decoder.1.feedforward.inner.weight"};
    struct test_model m;
    test_model_open(&m, counted_ops(), yaml);
    parameters_freeze(&m.model->parameters);
    struct stepper *stepper = stepper_open(&m.arena, m.model, size);
    for (size_t p = 0; p < COUNT_OF(paths); p++)
        assert_non_null(parameter_packed(parameter_find(&m.model->parameters, paths[p]), false));
    stepper_close(stepper);
    check_close(&m);
}

AT_START(unsetenv("SANLAB_PRODUCTS")); /* OpenBLAS packs weights itself */
