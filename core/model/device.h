/* What computes: the op table of a device, by the device's name.
 *
 *   cpu   the best table for this processor (core/cpu/cpu.h)
 *   emu   the kernels of a GPU on the host, exact and slow (core/emu): for tests and for the
 *         developers of kernels; a shared object, by `make dev`
 *   cuda  the first GPU of NVIDIA, cuda:N the one of that number (core/cuda); a shared object, by
 *         `make cuda`
 *
 * Shared objects are sanlab-NAME.so in the program's own folder or, of an installed program
 * (PREFIX/bin), in PREFIX/lib/sanlab, and nowhere else; one that was built from other sources of
 * ops or terms is refused (core/tensor/plugin.h). */
#pragma once

#include "core/tensor/ops.h"

#define DEVICE_CPU "cpu"
#define DEVICE_AUTO "auto"

/* What --device takes, up to NULL: the devices, and auto. */
extern const char *const device_words[];

/* The device of this process: what it was last told to use, the CPU at first; and whether a person
 * named it, or auto chose it. `word` is one of device_words or cuda:N, else it dies; auto is the
 * CPU, for who did not ask which one works here (experiments/stage/environment.h). device_word is
 * the whole word, for other processes. */
void device_use(const char *word, bool is_named);
const char *device_used(void);
const char *device_word(void);
bool device_is_named(void);
/* Whether a device has a table of that precision; opens nothing. */
bool device_has(const char *name, enum precision precision);
/* Whether its shared object lies here. */
bool device_there(const char *name);
/* Its table. Opens it once; dies where it does not work, or where no device has that name. In the
 * double build there is only the CPU. */
const struct ops *device_table(const char *name, enum precision precision);
/* A table for lists that are planned as that device would have them, and neither placed nor run;
 * it opens nothing. `memory`: bytes that the device has, 0: unknown. */
const struct ops *device_planner(const char *name, enum precision precision, size_t memory);
/* Bytes that a device's library takes of its memory beside lists and models: those that learn have
 * forks. */
size_t device_library(const char *name, bool learns);
/* The one in fp32. */
const struct ops *device_ops(const char *name);

/* Whether this process may go on, to the same bytes, with what was computed under these numerics;
 * of another device than the CPU its name alone decides, because it is not opened for that. */
bool device_may_continue(enum precision precision, const char *numerics);

/* Dies: what lies at `path` was computed under the numerics `saved` (struct ops), and its bytes
 * would not be those of an undisturbed run here. Says how to go on. */
NORETURN void device_refuse(const struct ops *ops, const char *path, const char *saved);
