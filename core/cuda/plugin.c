/* The code that all device plug-ins, the emulator and the GPU, have in common
 * (core/tensor/plugin.h). A plug-in is a shared object. It defines the functions of core/base that
 * it uses, and passes messages to the program. */
#include "core/tensor/plugin.h"

#include <stdlib.h>

#include "core/cuda/device.h"

#define SHOWN __attribute__((visibility("default")))

extern const char sanlab_device_hash[];
SHOWN const char sanlab_device_hash[] = DEVICE_HASH;

static const struct device_host *host;

void die(const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    host->die(message);
    abort();
}

void check_failed(const char *file, int line, const char *condition, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    host->check_failed(file, line, condition, message);
    abort();
}

const char *device_node(void)
{
    return host->node();
}

char *device_python_package(const char *package)
{
    return host->python_package(package);
}

void *heap_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    return memory;
}

void *heap_resize(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    return memory;
}

extern device_open sanlab_device_open;
SHOWN const struct ops *sanlab_device_open(const struct device_host *of, enum precision precision)
{
    host = of;
    return plugin_table(precision, host->number);
}
