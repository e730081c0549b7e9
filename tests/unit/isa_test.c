/* Tests that the tables of core/cpu give the same bits, for every op on random shapes, and in
 * training. tests/cli/bits.sh compares tables of different machines. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/cpu/processor.h"
#include "tests/support/test_model.h"
#include "tests/support/op_run.h"

enum { TRIALS = 40 };

static const struct ops *table[CPU_TABLES];

static void skip_without_two(void)
{
    if (cpu_tables(table) > 1) return;
    test_skip("this processor has no second instruction set, such as AVX-512 (F, BW, DQ, VL)");
}

static void op_is_same(void **state)
{
    skip_without_two();
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        struct op_run v3 = op_run_case(*state, table[0], trial);
        struct op_run v4 = op_run_case(*state, table[1], trial);
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
    skip_without_two();
    struct test_model v3, v4;
    double loss3[4], loss4[4];
    train(&v3, table[0], loss3);
    train(&v4, table[1], loss4);
    assert_memory_equal(loss3, loss4, sizeof loss3);
    assert_memory_equal(test_slab(&v3, v3.model->parameters.master),
                        test_slab(&v4, v4.model->parameters.master),
                        (size_t)v3.model->parameters.slab * sizeof(real));
    check_close(&v3);
    check_close(&v4);
}

TEST(a_wish_is_heard)
{
    const int count = cpu_tables(table);
#ifdef __x86_64__
    setenv("SANLAB_ISA", "v3", 1);
    assert_ptr_equal(cpu_ops(), &cpu_table_v3);
    setenv("SANLAB_ISA", "v5", 1);
    EXPECT_DIE("SANLAB_ISA: expected v3 or v4, got \"v5\"", cpu_ops());
    setenv("SANLAB_ISA", "v4", 1);
    if (processor_has_v4())
        assert_ptr_equal(cpu_ops(), &cpu_table_v4);
    else
        EXPECT_DIE("no AVX-512", cpu_ops());
#else
    setenv("SANLAB_ISA", "neon", 1);
    assert_ptr_equal(cpu_ops(), &cpu_table_neon);
    setenv("SANLAB_ISA", "v3", 1);
    EXPECT_DIE("SANLAB_ISA: expected neon, got \"v3\"", cpu_ops());
#endif
    unsetenv("SANLAB_ISA");
    assert_ptr_equal(cpu_ops(), table[count - 1]);
}

int main(void)
{
    for (int i = 0; i < op_case_count; i++)
        test_add(0, op_is_same, &op_cases[i], "%s", op_cases[i].name);
    return tests_run();
}
