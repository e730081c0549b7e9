/* Copies between host and device memory. The device memory of the emulator is host memory, too. */
#include <string.h>

#include "core/cuda/act.h"
#include "core/emu/record.h"

void DEVICE(upload)(void *to, const void *from, size_t bytes)
{
    record_interrupts("an upload");
    if (bytes) memcpy(to, from, bytes);
}

void DEVICE(download)(void *to, const void *from, size_t bytes)
{
    record_interrupts("a download");
    if (bytes) memcpy(to, from, bytes);
}

void DEVICE(clear)(void *memory, size_t bytes)
{
    const struct {
        void *memory;
        size_t bytes;
    } arguments = {memory, bytes};
    if (!record_issued("clear", &arguments, sizeof arguments)) return;
    if (bytes) memset(memory, 0, bytes);
}

/* Rows on the host are contiguous; rows of activations are ld numbers apart. */
void DEVICE(read_act)(const struct act *from, int64_t rows, int64_t columns, int64_t ld, real *to)
{
    record_interrupts("read_act");
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) to[r * columns + c] = act_get(from, r * ld + c);
}

void DEVICE(write_act)(struct act *to, int64_t rows, int64_t columns, int64_t ld, const real *from)
{
    record_interrupts("write_act");
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) act_put(to, r * ld + c, from[r * columns + c]);
}

void DEVICE(sync)(void)
{
}
