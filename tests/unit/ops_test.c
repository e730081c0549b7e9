/* Every op of ops.def on random shapes: against a naive computation in double, with NaN in its
 * outputs and guards around all buffers, and with 1, 2 and 3 threads to the same bits. The cases
 * are in tests/support/op_*.c; the same file in double is tests/f64/ops_test.c. */
#include "tests/support/test.h"

#include <omp.h>

#include "core/cpu/cpu.h"
#include "tests/support/op_run.h"

enum { TRIALS = 40 };

static void op_is_right(void **state)
{
    const struct op_case *op = *state;
    const struct ops *ops = cpu_ops();
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        omp_set_num_threads(1);
        struct op_run alone = op_run_case(op, ops, trial);
        for (int threads = 2; threads <= 3; threads++) {
            char what[32];
            snprintf(what, sizeof what, "%d threads", threads);
            omp_set_num_threads(threads);
            struct op_run shared = op_run_case(op, ops, trial);
            op_run_same(&alone, &shared, what);
            op_run_close(&shared);
        }
        op_run_close(&alone);
    }
}

int main(void)
{
    struct CMUnitTest *tests = heap_alloc((size_t)op_case_count * sizeof *tests);
    for (int i = 0; i < op_case_count; i++)
        tests[i] = (struct CMUnitTest){op_cases[i].name, op_is_right, NULL, NULL,
                                       (void *)(uintptr_t)&op_cases[i]};
    return _cmocka_run_group_tests("ops", tests, (size_t)op_case_count, NULL, NULL);
}
