/* Describes the machine on which a stage is computed. The description is recorded with the results
 * and is not part of the stage's id. Also checks whether the device of this process
 * (core/model/device_choice.h) can compute a stage. */
#pragma once

#include <jansson.h>

#include "experiments/stage/stage.h"

/* Returns the description of this device on this machine. Its keys are "host", "commit", "table",
 * "processor", "cores", "threads", "device", "compiler" and "products". If the device has them
 * (struct ops), there are also "memory" and "facts". Loads OpenBLAS if it computes the matrix
 * products. */
json_t *environment_describe(const char *device);

/* Returns the description of a device of --device. A device other than the CPU is described by a
 * child process (`sanlab work --describe`), so that this process does not open the device. If the
 * device does not work, dies with the child's message. */
json_t *environment_ask(const char *device);

/* Like environment_ask, but also describes the CPU by a child. If the device does not work, returns
 * NULL and writes the message, without "sanlab: ", to `why`. */
json_t *environment_try(const char *device, char why[MESSAGE_BYTES]);

/* Returns the bytes of a device's own memory; 0 if the device has none or does not work. The result
 * for the last device is cached. */
size_t environment_memory(const char *device);

/* Returns the number of visible GPUs from the description of a GPU. */
int environment_gpus(const json_t *environment);

/* Adds machine.host, machine.device, machine.kernels, machine.products and machine.threads to the
 * options of a stage that measures speed (KIND_PER_GRID). They are part of this stage's id, so that
 * a stage never mixes speeds of two machines. */
void environment_machine(struct tree *options, struct arena *arena);

/* Returns the device that a word of --device means. For `auto`, a child process tests whether CUDA
 * works. */
const char *environment_device(const char *word);

/* The compiler and its version: "gcc 12.2.0", or clang's version text. */
#ifdef __clang__
#define ENVIRONMENT_COMPILER __VERSION__
#else
#define ENVIRONMENT_COMPILER "gcc " __VERSION__
#endif

/* Returns the digest of the source code of a device's ops; NULL if there is no device `device`. */
const char *environment_backend(const char *device);

/* A device has limits: its precisions, the width of a head and the length of a sentence. If the
 * user named the device, an option that exceeds a limit is refused with its location. If `auto`
 * chose the device, a stage with such an option is not computed on this machine. */

/* Returns the precision of a stage: the option `precision` of the kind's section or of the
 * training; fp32 if it has neither. For a stage that covers the whole grid, returns the highest
 * precision value of its rows (enum precision). */
enum precision stage_precision(const struct stage *stage);
/* Returns a description of the device that the stage needs, if this device cannot compute the
 * stage; NULL if it can. */
const char *capable_missing(const struct stage *stage);
/* Dies if the user named the device, and a point exceeds its limits. `precision` is an option such
 * as "train.precision": the device must have its value. The heads of the model and the sentences of
 * the corpus must not be too large. */
void capable_check(const struct grid_resolved *resolved, const char *precision);
