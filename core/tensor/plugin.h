/* Interface of a device plug-in (a shared object). A plug-in exports
 *
 *   sanlab_device_hash   const char [], DEVICE_HASH of the sources of the plug-in
 *   sanlab_device_open   device_open: returns its table of ops
 *
 * The program loads a plug-in only if the hashes are equal. Then all declarations of
 * core/tensor/ops.h, the op table, and the terms of attention with their numbers are the same on
 * both sides. */
#pragma once

#include "core/tensor/ops.h"
#include "device_hash.h"

#define PLUGIN_HASH "sanlab_device_hash"
#define PLUGIN_OPEN "sanlab_device_open"

/* Services of the program for a plug-in. */
struct device_host {
    int number;                /* index of the device: N of cuda:N */
    const char *(*node)(void); /* path of the node that is issuing ops (graph_now); NULL: none */
    void (*die)(const char *message);
    void (*check_failed)(const char *file, int line, const char *condition, const char *message);
    /* Returns the folder of a Python package, allocated on the heap; NULL if there is none. */
    char *(*python_package)(const char *package);
};

/* Returns the op table of a precision; it lives as long as the process. Dies if the device does not
 * work. */
typedef const struct ops *device_open(const struct device_host *host, enum precision precision);
