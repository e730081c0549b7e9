/* Interface of a device plug-in (a shared object). A plug-in exports
 *
 *   sanlab_device_hash   const char [], DEVICE_HASH of the sources of the plug-in
 *   sanlab_device_open   function of type device_open, which returns the plug-in's table of ops
 *
 * The program loads a plug-in only if the plug-in's hash equals the program's DEVICE_HASH. Then
 * program and plug-in have the same declarations of core/tensor/ops.h, the same list of ops, and
 * the same terms of attention, with the same indices. */
#pragma once

#include "core/tensor/ops.h"
#include "device_hash.h"

#define PLUGIN_HASH "sanlab_device_hash"
#define PLUGIN_OPEN "sanlab_device_open"

/* Services of the program for a plug-in. */
struct device_host {
    int number;                /* index of the device: N of cuda:N */
    const char *(*node)(void); /* path of the node whose ops are issued (graph_now); NULL: none */
    void (*die)(const char *message);
    void (*check_failed)(const char *file, int line, const char *condition, const char *message);
    /* Returns the folder of a Python package, allocated on the heap; NULL if there is none. */
    char *(*python_package)(const char *package);
};

/* Returns the op table of a precision. The table exists until the process ends. Dies if the device
 * does not work. */
typedef const struct ops *device_open(const struct device_host *host, enum precision precision);
