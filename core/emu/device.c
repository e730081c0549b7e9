/* Implements the emulated device: scratch memory, memory counters, and the choice of the op table.
 * Scratch memory is filled with NaN, because its contents are undefined. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/kernel.h"
#include "core/cuda/off.h"
#include "core/emu/record.h"
#include "core/emu/table.h"

static int64_t taken, most;

/* True in a forked child of the process that opened the device: a GPU would not work there. */
static bool is_copy;

static void copied(void)
{
    is_copy = true;
}

void emu_memory_takes(int64_t bytes)
{
    if (is_copy)
        die("device emu: this process is a fork of the process that opened the device; a GPU would "
            "not work in a fork");
    taken += bytes;
    if (taken > most) most = taken;
}

void emu_memory_begin(void)
{
    most = taken;
}

size_t emu_memory_most(void)
{
    return (size_t)most;
}

/* Old scratch buffers. Kept operations (record.h) may still use them. */
static void **moved;
static int moves;

void *device_scratch(size_t bytes)
{
    static struct {
        void *memory;
        size_t capacity;
    } both[2]; /* the second buffer is for ops in a fork */
    bool waits;
    const bool forked = record_forks(&waits);
    void **memory = &both[forked].memory;
    size_t *capacity = &both[forked].capacity;
    if (bytes > *capacity) {
        record_interrupts("scratch that moves");
        record_forget(NULL);
        simt_memory(*memory, 0);
        while (moves && !waits) free(moved[--moves]);
        HEAP_ADD(moved, moves, *memory);
        emu_memory_takes(-(int64_t)*capacity);
        *capacity = (bytes + 127) / 128 * 128;
        emu_memory_takes((int64_t)*capacity);
        *memory = aligned_alloc(128, *capacity);
        if (!*memory) die("out of memory: cannot allocate %zu bytes", bytes);
    }
    simt_memory(*memory, bytes);
    return memset(*memory, 0xff, bytes); /* before it is written, scratch memory is NaN */
}

size_t emu_memory(void)
{
    const char *text = getenv("SANLAB_EMU_MEMORY");
    char *end;
    if (!text) return (size_t)16 << 30;
    errno = 0;
    const unsigned long long bytes = strtoull(text, &end, 10);
    if (strspn(text, "0123456789") == 0 || *end || errno || !bytes)
        die("device emu: SANLAB_EMU_MEMORY: expected bytes, such as 1073741824, got \"%s\"", text);
    return bytes;
}

bool emu_does_epilogues(void)
{
    return !off_names("epilogue");
}

bool device_has_fragments(void)
{
    return !off_names("wmma");
}

const char *emu_numerics(const char *precision)
{
    static char text[64];
    const bool fragments = device_has_fragments() || strcmp(precision, "bf16") != 0;
    snprintf(text, sizeof text, "emu %s %d%s%s", precision, DEVICE_KERNELS,
             emu_does_epilogues() ? "" : " without epilogues", fragments ? "" : " without wmma");
    return text;
}

int64_t device_room(void)
{
    return SIMT_SHARED;
}

const struct ops *plugin_table(enum precision precision, int number)
{
    static bool opened;
    if (!opened) {
        off_check("emu");
        emu_memory(); /* dies if SANLAB_EMU_MEMORY is invalid */
        pthread_atfork(NULL, NULL, copied);
    }
    opened = true;
    return precision == PRECISION_BF16   ? &emu_bf16
           : precision == PRECISION_TF32 ? emu_tf32()
                                         : &emu_fp32;
}
