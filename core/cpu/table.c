/* Defines the op table of one instruction set. cpu_ops (cpu.h) chooses a table. */
#include <stdlib.h>

#include "core/cpu/vec.h"
#include "core/cpu/cpu.h"

static void *alloc(size_t bytes)
{
    return memset(cpu_alloc(bytes), 0, bytes);
}

static void release(void *memory, size_t bytes)
{
    free(memory);
}

/* Copies bytes, because host memory is device memory. */
void CPU(upload)(void *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
}

void CPU(download)(void *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
}

void CPU(clear)(void *memory, size_t bytes)
{
    if (bytes) memset(memory, 0, bytes);
}

/* read_act copies activations [rows, columns], whose rows are ld numbers apart, to contiguous rows.
 * write_act copies in the other direction. */
void CPU(read_act)(const struct act *from, int64_t rows, int64_t columns, int64_t ld, real *to)
{
    for (int64_t r = 0; r < rows; r++)
        memcpy(to + r * columns, in(from) + r * ld, (size_t)columns * sizeof(real));
}

void CPU(write_act)(struct act *to, int64_t rows, int64_t columns, int64_t ld, const real *from)
{
    for (int64_t r = 0; r < rows; r++)
        memcpy(out(to) + r * ld, from + r * columns, (size_t)columns * sizeof(real));
}

/* Does nothing, because ops are done when they return. */
void CPU(sync)(void)
{
}

/* Returns the version of sanlab's own products. Increase it if their definition in core/cpu/gemm.c
 * changes. */
static const char *numerics(void)
{
    return "1";
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const struct ops CPU(table) = {
    .name = "cpu-" TEXT(CPU_TABLE),
    .act_bytes = sizeof(real),
    .panel = GEMM_PANEL,
    .row_multiple = 1,
    .ld_multiple = LANES,
    .alloc = alloc,
    .release = release,
    .numerics = numerics,
#define OP(op, parameters, arguments) .op = CPU(op),
#include "core/tensor/ops.def"
#undef OP
};
