/* The op tables of a GPU: one for each type of activations, and another table of floats for
 * tf32. */
#include "core/cuda/table.h"

#include <string.h>

#include "core/cuda/act.h"
#include "core/cuda/cublaslt.h"
#include "core/cuda/driver.h"
#include "core/cuda/off.h"
#include "core/cuda/record.h"
#include "core/cuda/tf32.h"
#include "core/cuda/transfer.h"

static void release(void *memory, size_t bytes)
{
    driver_free(memory);
}

static const char *facts(void)
{
    static char text[5000];
    snprintf(text, sizeof text, "%s; %s", driver_facts(), cublaslt_facts());
    return text;
}

static const char *numerics_of(const char *precision)
{
    static char text[384];
    const bool fragments = device_has_fragments() || strcmp(precision, "bf16") != 0;
    snprintf(text, sizeof text, "cuda %s %d %s cublasLt %s%s%s", precision, DEVICE_KERNELS,
             driver_gpu(), cublaslt_version(), off_names("epilogue") ? " without epilogues" : "",
             fragments ? "" : " without wmma");
    return text;
}

static const char *numerics(void)
{
    return numerics_of(SIMT_TEXT(DEVICE_TABLE));
}

/* Defines ops for SANLAB_CUDA_SYNC=1 (driver_synced). They wait until the op is done, and report
 * its errors. */
#define OP(op, parameters, arguments)                                                              \
    static void synced_##op parameters                                                             \
    {                                                                                              \
        driver_op_begins(#op);                                                                     \
        DEVICE(op) arguments;                                                                      \
        driver_op_ends();                                                                          \
    }
#include "core/tensor/ops.def"
#undef OP

static const struct ops table = {
    .name = "cuda-" SIMT_TEXT(DEVICE_TABLE),
    .act_bytes = sizeof(act_type),
    .row_multiple = ROWS_MULTIPLE,
    .ld_multiple = LD_MULTIPLE,
    .mask_multiple = MASK_MULTIPLE,
    .lists = OPS_ORDER | OPS_GROUPS | OPS_TILES,
    .alloc = driver_alloc,
    .release = release,
    .memory = driver_memory,
    .mark = driver_mark,
    .elapsed = driver_elapsed,
    .send = transfer_send,
    .receive = transfer_receive,
    .numerics = numerics,
    .facts = facts,
    .run = record_run,
    .reserve = record_reserve,
    .forget = record_forget,
    .fork = driver_fork,
    .fork_end = driver_fork_end,
    .join = driver_join,
#define OP(op, parameters, arguments) .op = DEVICE(op),
#include "core/tensor/ops.def"
#undef OP
};

const struct ops *DEVICE(cuda)(void)
{
    static struct ops own;
    own = table;
    if (driver_synced() || off_names("fork")) {
        own.fork = own.fork_end = NULL;
        own.join = NULL;
    }
    if (!driver_synced()) return &own;
#define OP(op, parameters, arguments) own.op = synced_##op;
#include "core/tensor/ops.def"
#undef OP
    return &own;
}

#ifndef DEVICE_BF16

static const char *numerics_tf32(void)
{
    return numerics_of("tf32");
}

const struct ops *device_cuda_tf32(void)
{
    return tf32_table(DEVICE(cuda)(), "cuda-tf32", numerics_tf32);
}

#endif
