/* A GPU's tables (table.c, compiled for each type of activations). */
#ifndef CORE_CUDA_TABLE_H
#define CORE_CUDA_TABLE_H

#include "core/cuda/device.h"

const struct ops *device_cuda_fp32(void);
const struct ops *device_cuda_tf32(void);
const struct ops *device_cuda_bf16(void);

#endif
