/* Description of the machine on which a stage was computed. It is recorded with the results and is
 * not part of the stage's id. Also: the stages of a grid that this process's device
 * (core/model/device_choice.h) can compute. */
#pragma once

#include <jansson.h>

#include "experiments/stage/stage.h"

/* Returns the description of this device on this machine. Its keys are "host", "commit", "table",
 * "processor", "cores", "threads", "device", "compiler" and "products", and "memory" and "facts" if
 * the device has them (struct ops). Opens OpenBLAS if its products are in use. */
json_t *environment_describe(const char *device);

/* Returns the description for a word of --device. This process describes the CPU. A child process
 * (`sanlab work --describe`) describes any other device, so that this process opens none. If the
 * device does not work, exits with the child's message and status. */
json_t *environment_ask(const char *device);

/* Like environment_ask, but if the device does not work, returns NULL and writes the message to
 * `why`. */
json_t *environment_try(const char *device, char why[MESSAGE_BYTES]);

/* Returns the bytes of a device's own memory, cached; 0 if the device has none or does not work. */
size_t environment_memory(const char *device);

/* Adds the machine to the options of a stage that measures it (KIND_PER_GRID): host, device,
 * kernels, products, threads. The machine is part of the id, so that speeds of two machines never
 * mix. */
void environment_machine(struct tree *options, struct arena *arena);

/* Returns the device for a word of --device. For `auto`, a child process finds out whether CUDA
 * works. */
const char *environment_device(const char *word);

/* "gcc 12.2.0", or clang's version text. */
#ifdef __clang__
#define ENVIRONMENT_COMPILER __VERSION__
#else
#define ENVIRONMENT_COMPILER "gcc " __VERSION__
#endif

/* Returns the digest of the sources of a device's ops; NULL if this program lacks the device. */
const char *environment_backend(const char *device);

/* Limits of the device: precisions, width of heads and length of sentences. If the user named the
 * device, an option that exceeds a limit is refused with its location. If `auto` chose the device,
 * stages with such an option wait for another machine. */

/* Returns the precision of a stage: option `precision` of its section or of its training; otherwise
 * fp32. */
enum precision stage_precision(const struct stage *stage);
/* Returns the ability that the device lacks for a stage, for `missing` of struct stage; NULL if
 * none. */
const char *capable_missing(const struct stage *stage);
/* Dies if an option of a point ("train.precision") needs a precision that a named device lacks. */
void capable_check_precision(const struct grid_resolved *resolved, const char *option);
/* Dies if a model's heads or a corpus' sentences exceed a limit of a named device. */
void capable_check_model(const struct grid_resolved *resolved);
