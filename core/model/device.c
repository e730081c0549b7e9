/* The one place that knows which devices there are. */
#include "core/model/device.h"

#include <string.h>

#include "core/cpu/cpu.h"

const struct ops *device_ops(const char *name)
{
    if (strcmp(name, DEVICE_CPU) != 0) die("device: expected cpu, got \"%s\"", name);
    return cpu_ops();
}
