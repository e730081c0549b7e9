/* The table of a GPU. Every op is launched when it is issued. */
#include "core/cuda/cublaslt.h"
#include "core/cuda/driver.h"
#include "core/cuda/products.h"

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    driver_free(memory);
}

/* Kernels, 1: those of this file's folder; another order of sums is another number. */
static const char *numerics(void)
{
    static char text[384];
    if (!text[0])
        snprintf(text, sizeof text, "cuda fp32 1 %s cublasLt %s", driver_gpu(), cublaslt_version());
    return text;
}

static const struct ops cuda_fp32 = {
    .name = "cuda-fp32",
    .act_bytes = sizeof(real),
    .row_multiple = ROWS_MULTIPLE,
    .ld_multiple = LD_MULTIPLE,
    .lists = OPS_ORDER | OPS_GROUPS | OPS_TILES,
    .alloc = driver_alloc,
    .release = release,
    .memory = driver_memory,
    .mark = driver_mark,
    .elapsed = driver_elapsed,
    .numerics = numerics,
#define OP(op, parameters, arguments) .op = DEVICE(op),
#include "core/tensor/ops.def"
#undef OP
};

const struct ops *plugin_table(enum precision precision)
{
    if (precision != PRECISION_FP32) return NULL;
    driver_open();
    return &cuda_fp32;
}
