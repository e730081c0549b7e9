/* Every op of ops.def in the emulator's kernels, on device memory, against the naive computation of
 * its case (tests/support/op_*.c). Six trials (TRIALS=20: twenty), in two orders of warps and
 * lanes, with the same bits. OPS names the ops to test; default: all. */
#include "tests/support/test.h"

#include "core/simt/simt.h"
#include "core/emu/table.h"
#include "tests/support/op_run.h"

static uint32_t trials = 6;

static void is_right(const struct op_case *op, const struct ops *ops)
{
    for (uint32_t trial = 0; trial < trials; trial++) {
        simt_control.order = 0;
        struct op_run first = op_run_on_device(op, ops, trial);
        simt_control.order = 1 + trial;
        struct op_run second = op_run_on_device(op, ops, trial);
        op_run_same(&first, &second, "another order of warps and lanes");
        op_run_close(&first);
        op_run_close(&second);
    }
}

static void op_is_right(void **state)
{
    is_right(*state, &emu_fp32);
}

static void op_is_right_in_tf32(void **state)
{
    is_right(*state, emu_tf32());
}

static void op_is_right_in_bf16(void **state)
{
    is_right(*state, &emu_bf16);
}

int main(void)
{
    const char *wanted = getenv("OPS"), *more = getenv("TRIALS");
    if (more) trials = (uint32_t)atoi(more);
    for (int i = 0; i < op_case_count; i++) {
        const struct op_case *op = &op_cases[i];
        if (wanted && !strstr(wanted, op->name)) continue;
        test_add(0, op_is_right, op, "%s", op->name);
        if (!strncmp(op->name, "gemm", 4)) /* ops that differ in tf32 */
            test_add(0, op_is_right_in_tf32, op, "%s in tf32", op->name);
        test_add(0, op_is_right_in_bf16, op, "%s in bf16", op->name);
    }
    return tests_run();
}
