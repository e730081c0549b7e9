/* Tests that the tables for x86-64-v3 and -v4 give the same bits, for every op on random shapes,
 * and in training. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/cpu/processor.h"
#include "tests/support/test_model.h"
#include "tests/support/op_run.h"

enum { TRIALS = 40 };

static void skip_without_v4(void)
{
    if (processor_has_v4()) return;
    test_skip("this processor has no AVX-512 (F, BW, DQ, VL)");
}

static void op_is_same(void **state)
{
    skip_without_v4();
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        struct op_run v3 = op_run_case(*state, &cpu_table_v3, trial);
        struct op_run v4 = op_run_case(*state, &cpu_table_v4, trial);
        op_run_same(&v3, &v4, "v4");
        op_run_close(&v3);
        op_run_close(&v4);
    }
}

/* Trains four steps, with every kind of dropout, and writes their losses. */
static void train(struct test_model *m, const struct ops *ops, double loss[4])
{
    const struct train_options options = {
        .rate = 1, .warmup = 10, .beta1 = .9, .beta2 = .98, .epsilon = 1e-9, .clip = 1, .l2 = 1e-4};
    test_model_open(
        m, ops,
        "model: {width: 36, heads: 3, feedforward: 50, dropout: 0.2,\n"
        "        attention_dropout: 0.1, relu_dropout: 0.1, source_bias: true}\n"
        "encoder.layers: 3\n"
        "encoder.attention: [{layers: 1, branches: [global, {window: 1}], fusion: gate},\n"
        "                    {layers: 2, branches: [global, {window: 2}], fusion: concat},\n"
        "                    {layers: 3, branches: [global, forward, backward],\n"
        "                     fusion: {squeeze: 3}}]\n"
        "decoder: {layers: 1, attention: [{layers: 1, branches: [global, {window: 1}],\n"
        "                                  fusion: sum}]}\n");
    for (int i = 0; i < 4; i++) {
        struct batch batch = test_batch((uint32_t)i, 6, 20);
        loss[i] = train_step(
                      &(struct learner){
                          .model = m->model, .list = m->train, .train = &options, .seed = 1},
                      i, &(struct learner_step){&batch, 1, batch.field[FIELD_TARGET].T})
                      .loss;
        assert_true(isfinite(loss[i]));
    }
}

TEST(training_is_same)
{
    skip_without_v4();
    struct test_model v3, v4;
    double loss3[4], loss4[4];
    train(&v3, &cpu_table_v3, loss3);
    train(&v4, &cpu_table_v4, loss4);
    assert_memory_equal(loss3, loss4, sizeof loss3);
    assert_memory_equal(test_slab(&v3, v3.model->parameters.master),
                        test_slab(&v4, v4.model->parameters.master),
                        (size_t)v3.model->parameters.slab * sizeof(real));
    check_close(&v3);
    check_close(&v4);
}

TEST(a_wish_is_heard)
{
    setenv("SANLAB_ISA", "v3", 1);
    assert_ptr_equal(cpu_ops(), &cpu_table_v3);
    setenv("SANLAB_ISA", "v5", 1);
    EXPECT_DIE("SANLAB_ISA: expected v3 or v4, got \"v5\"", cpu_ops());
    setenv("SANLAB_ISA", "v4", 1);
    if (processor_has_v4())
        assert_ptr_equal(cpu_ops(), &cpu_table_v4);
    else
        EXPECT_DIE("no AVX-512", cpu_ops());
    unsetenv("SANLAB_ISA");
    assert_ptr_equal(cpu_ops(), processor_has_v4() ? &cpu_table_v4 : &cpu_table_v3);
}

int main(void)
{
    for (int i = 0; i < op_case_count; i++)
        test_add(0, op_is_same, &op_cases[i], "%s", op_cases[i].name);
    return tests_run();
}
