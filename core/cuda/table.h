/* Op tables of a GPU, one for each precision. core/cuda/table.c is compiled once for each type of
 * activations. */
#pragma once

#include "core/cuda/device.h"

const struct ops *device_cuda_fp32(void);
const struct ops *device_cuda_tf32(void);
const struct ops *device_cuda_bf16(void);
