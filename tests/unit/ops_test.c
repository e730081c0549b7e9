/* Tests every op of ops.def on random shapes against a naive computation in double. Outputs are
 * filled with NaN, and all buffers have guards. 1, 2 and 3 threads give the same bits. Matrix
 * products are also tested with OpenBLAS. Each op has twelve trials; the environment variable
 * TRIALS changes this number. The cases are in tests/support/op_*.c. tests/f64/ops_test.c tests the
 * same cases in double. */
#include "tests/support/test.h"

#include <sys/resource.h>

#include "core/cpu/blas.h"
#include "core/cpu/cpu.h"
#include "tests/support/fence.h"
#include "tests/support/op_run.h"

static uint32_t trials = 12;

/* Tests a case with 1, 2 and 3 threads. Also prints a digest of all outputs, with which
 * tests/clang/ops.sh compares compilers. */
static void is_right(const struct op_case *op, const struct ops *ops)
{
    struct digest digest;
    digest_open(&digest);
    const int64_t sharing = cpu_sharing;
    for (uint32_t trial = 0; trial < trials; trial++) {
        omp_set_num_threads(1);
        cpu_sharing = trial % 4 ? 0 : sharing;
        struct op_run alone = op_run_case(op, ops, trial);
        for (int threads = 2; threads <= 3; threads++) {
            char what[32];
            snprintf(what, sizeof what, "%d threads", threads);
            omp_set_num_threads(threads);
            struct op_run shared = op_run_case(op, ops, trial);
            op_run_same(&alone, &shared, what);
            op_run_close(&shared);
        }
        op_run_digest(&alone, &digest);
        op_run_close(&alone);
    }
    cpu_sharing = sharing;
    char text[DIGEST_TEXT];
    digest_close(&digest, text);
    print_message("digest %s %s\n", op->name, text);
}

static void op_is_right(void **state)
{
    is_right(*state, cpu_ops());
}

/* The case gives the same bits in memory that the host must not access. */
static void op_is_right_on_device(void **state)
{
    const struct op_case *op = *state;
    test_alone(); /* the search for pointers in arguments also reads padding */
    omp_set_num_threads(1);
    for (uint32_t trial = 0; trial < trials / 2; trial++) {
        struct op_run host = op_run_case(op, cpu_ops(), trial);
        struct op_run device = op_run_on_device(op, ops_fence(cpu_ops()), trial);
        op_run_same(&host, &device, "device memory");
        op_run_close(&host);
        op_run_close(&device);
    }
}

/* A small op must not be shared between threads. Threads that sleep while they wait
 * (OMP_WAIT_POLICY=passive) would switch at every shared op. */
TEST(small_op_wakes_nobody)
{
    enum { T = 8, N = 64, CALLS = 1000 };
    struct rusage before, after;
    real x[T * N] = {0}, y[T * N];
    const struct squash s = {
        .T = T, .N = N, .x = (const struct act *)(void *)x, .out = (struct act *)(void *)y};
    omp_set_num_threads(2);
    getrusage(RUSAGE_SELF, &before);
    for (int call = 0; call < CALLS; call++) cpu_ops()->squash(&s);
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_nvcsw - before.ru_nvcsw < CALLS / 10);
}

static void op_is_right_by_blas(void **state)
{
    const char *why;
    if (!blas_try(&why)) test_skip("OpenBLAS: %s", why);
    setenv("SANLAB_PRODUCTS", "blas", 1);
    const struct ops *ops = cpu_ops();
    unsetenv("SANLAB_PRODUCTS");
    is_right(*state, ops);
}

int main(void)
{
    const char *more = getenv("TRIALS");
    if (more) trials = (uint32_t)atoi(more);
    unsetenv("SANLAB_PRODUCTS");
    for (int i = 0; i < op_case_count; i++) {
        const struct op_case *op = &op_cases[i];
        test_add(0, op_is_right, op, "%s", op->name);
        test_add(0, op_is_right_on_device, op, "%s in device memory", op->name);
        if (sizeof(real) == sizeof(float) && !strncmp(op->name, "gemm", 4))
            test_add(0, op_is_right_by_blas, op, "%s by OpenBLAS", op->name);
    }
    return tests_run();
}
