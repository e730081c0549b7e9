/* What computes: the op table of a device, by the device's name. */
#ifndef CORE_MODEL_DEVICE_H
#define CORE_MODEL_DEVICE_H

#include "core/tensor/ops.h"

#define DEVICE_CPU "cpu"

/* "cpu": the best table for this processor (core/cpu/cpu.h). Dies when the name is another one. In
 * the double build there is only the CPU. */
const struct ops *device_ops(const char *name);

#endif
