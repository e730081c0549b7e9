/* The table of the emulator: the kernels of core/cuda, on fibers. */
#include "core/emu/table.h"

#include <stdlib.h>
#include <string.h>

#include "core/cuda/act.h"
#include "core/cuda/products.h"

static void *alloc(size_t bytes)
{
    const size_t room = bytes ? (bytes + 127) / 128 * 128 : 128;
    void *memory = aligned_alloc(128, room);
    if (!memory) die("out of memory: %zu bytes were asked for", bytes);
    simt_memory(memory, bytes);
    return memset(memory, 0, room);
}

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    simt_memory(memory, 0);
    free(memory);
}

static const char *numerics(void)
{
    return "emu fp32 1";
}

static void run(const struct run_key *key, void (*issue)(void *context), void *context)
{
    (void)key;
    issue(context);
}

const struct ops emu_fp32 = {
    .name = "emu-fp32",
    .act_bytes = sizeof(act_type),
    .row_multiple = ROWS_MULTIPLE,
    .lists = OPS_ORDER | OPS_GROUPS | OPS_TILES,
    .alloc = alloc,
    .release = release,
    .numerics = numerics,
    .run = run,
#define OP(op, parameters, arguments) .op = DEVICE(op),
#include "core/tensor/ops.def"
#undef OP
};
