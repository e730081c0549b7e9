/* Implements the ops that copy between host memory and GPU memory. On the host, activations are
 * reals, even if they are in bf16 on the GPU. */
#include <stdlib.h>

#include "core/cuda/act.h"
#include "core/cuda/driver.h"
#include "core/cuda/transfer.h"

void DEVICE(upload)(void *to, const void *from, size_t bytes)
{
    transfer_upload(to, bytes, from, bytes, 1);
}

void DEVICE(download)(void *to, const void *from, size_t bytes)
{
    transfer_download(to, from, bytes, bytes, 1);
}

void DEVICE(clear)(void *memory, size_t bytes)
{
    if (!driver_plans()) driver_clear(memory, bytes);
}

/* On the host, rows are contiguous. If activations are reals, they are downloaded directly to
 * `to`. */
void DEVICE(read_act)(const struct act *from, int64_t rows, int64_t columns, int64_t ld, real *to)
{
    const int64_t count = rows * columns;
    act_type *host =
        ACT_IS_REAL ? (act_type *)(void *)to : heap_alloc((size_t)count * sizeof *host);
    transfer_download(host, from, (size_t)ld * sizeof *host, (size_t)columns * sizeof *host, rows);
    if (ACT_IS_REAL) return;
    for (int64_t i = 0; i < count; i++) to[i] = act_real(host[i]);
    free(host);
}

void DEVICE(write_act)(struct act *to, int64_t rows, int64_t columns, int64_t ld, const real *from)
{
    const int64_t count = rows * columns;
    act_type *host = heap_alloc((size_t)count * sizeof *host);
    for (int64_t i = 0; i < count; i++) host[i] = act_of(from[i]);
    transfer_upload(to, (size_t)ld * sizeof *host, host, (size_t)columns * sizeof *host, rows);
    free(host);
}

void DEVICE(sync)(void)
{
    driver_sync();
}
