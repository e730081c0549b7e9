/* The C model in double against results of PyTorch in float64. Runs on fenced memory: a node that
 * read device memory directly would crash the test. */
#include "core/cpu/cpu.h"
#include "tests/support/fence.h"
#include "tests/support/golden_model.h"

int main(void)
{
    static const struct golden_limits limits = {.start = 1e-12,
                                                .output = 1e-10,
                                                .loss = 1e-10,
                                                .gradient = 1e-9,
                                                .trained = 1e-9,
                                                .norm = 1e-9,
                                                .sum = 1e-9,
                                                .score = 1e-9};
    return golden_run("golden", ops_fence(cpu_ops()), &limits, NULL);
}
