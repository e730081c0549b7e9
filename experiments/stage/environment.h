/* Where a stage was computed: recorded beside its results, never part of its identity; and what
 * this process's device (core/model/device.h) can compute of a grid. */
#pragma once

#include <jansson.h>

#include "experiments/stage/stage.h"

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

/* Precisions, and how wide heads and how long sentences may be. Where the device was named, what it
 * cannot is refused with its place; where auto chose it, such stages wait for another machine. */

/* What a stage is computed in: by the option `precision` of its section or of its training; else
 * fp32. */
enum precision stage_precision(const struct stage *stage);
/* What the device lacks for a stage, for `missing` of struct stage; NULL: nothing. */
const char *capable_missing(const struct stage *stage);
/* Dies where an option, "train.precision", asks a point for what a named device does not have. */
void capable_check_precision(const struct grid_point *point, const char *option);
/* Dies where a model's heads or a corpus' sentences are more than a named device takes. */
void capable_check_model(const struct grid_point *point);
