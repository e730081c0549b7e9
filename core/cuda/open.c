/* Opens the GPU and cuBLASLt, and returns an op table. */
#include "core/cuda/cublaslt.h"
#include "core/cuda/driver.h"
#include "core/cuda/table.h"

const struct ops *plugin_table(enum precision precision, int number)
{
    driver_open(number);
    cublaslt_open();
    switch (precision) {
    case PRECISION_TF32:
        return device_cuda_tf32();
    case PRECISION_BF16:
        return device_cuda_bf16();
    default:
        return device_cuda_fp32();
    }
}
