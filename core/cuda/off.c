/* Reads the variable SANLAB_CUDA_OFF. Every call reads it again, because tests change it. */
#include "core/cuda/off.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base.h"

static const char *const parts[] = {"graph", "fork", "epilogue", "wmma"};

static bool is_word(const char *part, const char *text, size_t length)
{
    return strlen(part) == length && strncmp(part, text, length) == 0;
}

bool off_names(const char *part)
{
    const char *off = getenv("SANLAB_CUDA_OFF");
    while (off && *off) {
        const size_t length = strcspn(off, ",");
        if (is_word(part, off, length)) return true;
        off += length + (off[length] == ',');
    }
    return false;
}

void off_check(const char *device)
{
    const char *off = getenv("SANLAB_CUDA_OFF");
    while (off && *off) {
        const size_t length = strcspn(off, ",");
        size_t i = 0;
        while (i < COUNT_OF(parts) && !is_word(parts[i], off, length)) i++;
        if (i == COUNT_OF(parts))
            die("device %s: SANLAB_CUDA_OFF: expected words of graph, fork, epilogue, wmma, got "
                "\"%.*s\"",
                device, (int)length, off);
        off += length + (off[length] == ',');
    }
}
