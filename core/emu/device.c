/* What the emulator gives kernels and a plug-in besides ops: scratch, poisoned where nothing has
 * been written, and which tables there are. */
#include <stdlib.h>
#include <string.h>

#include "core/cuda/kernel.h"
#include "core/emu/record.h"
#include "core/emu/table.h"

void *device_scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        record_interrupts("scratch that moves");
        simt_memory(memory, 0);
        free(memory);
        room = (bytes + 127) / 128 * 128;
        memory = aligned_alloc(128, room);
        if (!memory) die("out of memory: %zu bytes of scratch", bytes);
    }
    simt_memory(memory, bytes);
    return memset(memory, 0xff, bytes); /* what is read before it is written is a NaN */
}

int64_t device_room(void)
{
    return SIMT_SHARED;
}

const struct ops *plugin_table(enum precision precision)
{
    return precision == PRECISION_BF16 ? &emu_bf16 : &emu_fp32;
}
