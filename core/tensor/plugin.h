/* A device as a shared object: what the program and a plug-in agree upon. A plug-in shows
 *
 *   sanlab_device_hash   const char [], DEVICE_HASH of the sources that it was built from
 *   sanlab_device_open   device_open: its table of ops
 *
 * A program takes a plug-in of its own hash only, so all that core/tensor/ops.h declares, the
 * op table and the terms of attention with their numbers are the same on both sides. */
#pragma once

#include "core/tensor/ops.h"
#include "device_hash.h"

#define PLUGIN_HASH "sanlab_device_hash"
#define PLUGIN_OPEN "sanlab_device_open"

/* What a plug-in may ask of the program. */
struct device_host {
    int number;                /* which of several devices: N of cuda:N */
    const char *(*node)(void); /* whose ops are issued now (graph_now); NULL: none */
    void (*die)(const char *message);
    void (*check_failed)(const char *file, int line, const char *condition, const char *message);
    /* The folder of a package of Python, from the heap; NULL if there is none. */
    char *(*python_package)(const char *package);
};

/* The table of a precision, which lives as long as the process. Dies where the device does not
 * work. */
typedef const struct ops *device_open(const struct device_host *host, enum precision precision);
