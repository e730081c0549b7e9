/* The emulator's kernels in fp32, and the CPU's with the same tolerances, against results of
 * PyTorch in float64.
 *
 * Adam divides a gradient by its own size. A gradient that is zero up to rounding (of a bias of
 * keys) moves its parameter by a whole step, up or down. The sum of all parameters shows this most;
 * norms of later gradients and scores of hypotheses show it less, losses least.
 *
 * The emulator trains three of the ten steps of every file. It trains all ten and searches with a
 * plain model, with a recurrent model and with a model whose decoder has terms. */

#include <stdlib.h>

#include "core/cpu/cpu.h"
#include "core/emu/table.h"
#include "tests/support/golden_model.h"

int main(void)
{
    setenv("SANLAB_EMU_STRICT", "1", 1);
    static const char *const whole[] = {"base", "recurrent_post_norm", "localness_cross"};
    struct golden_limits begun = golden_device;
    begun.steps = 3;
    int failed = golden_run("golden, cpu", cpu_ops(), &golden_device, NULL);
    failed += golden_run("golden, emu", &emu_fp32, &begun, NULL);
    for (size_t i = 0; i < COUNT_OF(whole); i++)
        failed += golden_run("golden, emu, ten steps", &emu_fp32, &golden_device, whole[i]);
    return failed;
}
