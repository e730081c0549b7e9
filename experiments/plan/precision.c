/* A stage says what it is computed in; a device, which of that it has. */
#include "experiments/plan/precision.h"

#include <string.h>

#include "core/model/device.h"

enum precision stage_precision(const struct stage *stage)
{
    return stage->kind->precision ? stage->kind->precision(stage) : PRECISION_FP32;
}

const char *precision_missing(const struct stage *stage)
{
    if (device_has(device_used(), stage_precision(stage))) return NULL;
    return "a device that computes in bf16, which the CPU does not (--device names one)";
}

void precision_check_grid(const struct grid *grid, const char *option)
{
    if (!device_is_named() || device_has(device_used(), PRECISION_BF16)) return;
    for (int i = 0; i < grid->rows * grid->seeds; i++) {
        const struct tree *options = grid->point[i].options;
        const struct tree *value = options ? tree_find(options, option) : NULL;
        if (value && value->text && strcmp(value->text, "fp32") != 0)
            die_at(value->place, "%s: %s: --device %s computes in fp32 only", option, value->text,
                   device_used());
    }
}
