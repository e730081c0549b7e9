/* Defines an op table of the emulator. The emulator runs the kernels of core/cuda on the host, with
 * one fiber per CUDA thread. This file is compiled once per type of activations (float, bf16). */
#include "core/emu/table.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cuda/act.h"
#include "core/cuda/tf32.h"
#include "core/emu/record.h"

static void *alloc(size_t bytes)
{
    const size_t capacity = bytes ? (bytes + 127) / 128 * 128 : 128;
    emu_memory_takes((int64_t)bytes);
    void *memory = aligned_alloc(128, capacity);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    simt_memory(memory, bytes);
    return memset(memory, 0, capacity);
}

static void release(void *memory, size_t bytes)
{
    emu_memory_takes(-(int64_t)bytes);
    simt_memory(memory, 0);
    free(memory);
}

static const char *numerics(void)
{
    return emu_numerics(SIMT_TEXT(DEVICE_TABLE));
}

static const char *launches(void)
{
    static char text[128];
    const struct record_steps steps = record_steps();
    snprintf(text, sizeof text, "%d launches a step, %d in sequence", steps.launches, steps.path);
    return text;
}

/* An op is done when its function returns, so the clock of the host measures the time of ops. */
static double marks[OPS_MARKS];

static void mark(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    marks[number] = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double elapsed(int from, int to)
{
    return marks[to] - marks[from];
}

/* Downloads that were sent and not yet received. Each has a copy of the data, because later ops may
 * overwrite the source. */
static struct {
    void *memory;
    size_t bytes;
} sent[OPS_SENT];

static int send(const void *from, size_t bytes)
{
    int i = 0;
    record_interrupts("a download");
    while (i < OPS_SENT && sent[i].memory) i++;
    CHECK(bytes && i < OPS_SENT, "%zu bytes are sent after %d others", bytes, i);
    sent[i].memory = heap_alloc(bytes);
    sent[i].bytes = bytes;
    memcpy(sent[i].memory, from, bytes);
    return i;
}

static void receive(int number, void *to)
{
    memcpy(to, sent[number].memory, sent[number].bytes);
    free(sent[number].memory);
    sent[number].memory = NULL;
}

#define EMU_JOIN2(table) emu_##table
#define EMU_JOIN(table) EMU_JOIN2(table)
const struct ops EMU_JOIN(DEVICE_TABLE) = {
    .name = "emu-" SIMT_TEXT(DEVICE_TABLE),
    .act_bytes = sizeof(act_type),
    .row_multiple = ROWS_MULTIPLE,
    .ld_multiple = LD_MULTIPLE,
    .mask_multiple = MASK_MULTIPLE,
    .lists = OPS_ORDER | OPS_GROUPS | OPS_TILES,
    .alloc = alloc,
    .release = release,
    .memory = emu_memory,
    .numerics = numerics,
    .run = record_run,
    .reserve = record_reserve,
    .forget = record_forget,
    .fork = record_fork,
    .fork_end = record_fork_end,
    .join = record_join,
    .launches = launches,
    .mark = mark,
    .elapsed = elapsed,
    .send = send,
    .receive = receive,
#define OP(op, parameters, arguments) .op = DEVICE(op),
#include "core/tensor/ops.def"
#undef OP
};

#ifndef DEVICE_BF16

static const char *numerics_tf32(void)
{
    return emu_numerics("tf32");
}

const struct ops *emu_tf32(void)
{
    return tf32_table(&emu_fp32, "emu-tf32", numerics_tf32);
}

#endif
