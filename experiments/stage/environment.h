/* Where a stage was computed: recorded beside its results, never part of its identity. */
#pragma once

#include <jansson.h>

#include "core/config/tree.h"

/* {"host", "commit", "table", "processor", "cores", "threads", "device", "compiler", "products"}
 * of what this device computes here, "memory" and "facts" where it has any (struct ops); opens
 * OpenBLAS where its products are in use. */
json_t *environment_describe(const char *device);

/* The same of a word of --device, said by a child (`sanlab work --describe`), so that this process
 * opens no device; the CPU's is said here. Ends the process with the child's line and status where
 * the device does not work. */
json_t *environment_ask(const char *device);

/* The same; NULL where the device does not work, and the line that says why. */
json_t *environment_try(const char *device, char why[MESSAGE_BYTES]);

/* Bytes of a device's own memory, asked for once; 0: it has none, or does not work. */
size_t environment_memory(const char *device);

/* Puts the machine to the options of a stage that measures it (KIND_PER_GRID): host, device,
 * kernels, products, threads. It is part of the id: speeds of two machines never mix. */
void environment_machine(struct tree *options, struct arena *arena);

/* The device that a word of --device means: what auto is here says such a child. */
const char *environment_device(const char *word);

/* "gcc 12.2.0", or clang by its own words. */
#ifdef __clang__
#define ENVIRONMENT_COMPILER __VERSION__
#else
#define ENVIRONMENT_COMPILER "gcc " __VERSION__
#endif

/* The digest of the sources of a device's ops; NULL: this program has no such device. */
const char *environment_backend(const char *device);

/* That this program was built from ("-dirty" behind it: with changes). */
const char *environment_commit(void);
