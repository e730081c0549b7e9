/* Selects the device of the process, and returns the op tables of devices.
 *
 *   cpu   the best table for this processor (core/cpu/cpu.h)
 *   emu   the GPU kernels on the host, exact and slow (core/emu), for tests and kernel
 *         development; a shared object, built by `make dev`
 *   cuda  the first NVIDIA GPU; cuda:N is the GPU with index N (core/cuda); a shared object,
 *         built by `make cuda`
 *
 * A shared object is sanlab-NAME.so in file_program_folder. No other folder is searched. A shared
 * object built from other sources of ops or terms is refused (core/tensor/plugin.h). */
#pragma once

#include "core/tensor/ops.h"

#define DEVICE_CPU "cpu"
#define DEVICE_AUTO "auto"

/* device_use sets the device of this process, which is initially the CPU. `word` is auto, cpu,
 * cuda, cuda:N or emu; other words make device_use die. Here auto means the CPU;
 * experiments/stage/environment.h replaces auto by a device that works. is_named is true if the
 * user named the device, false if auto chose it. device_used returns the name without index
 * ("cuda"). device_word returns the name with its index ("cuda:1"), as an argument for other
 * processes. */
void device_use(const char *word, bool is_named);
const char *device_used(void);
const char *device_word(void);
bool device_is_named(void);
/* True if a device has a table of this precision. Does not open the device. */
bool device_has(const char *name, enum precision precision);
/* True if the shared object of a device exists. */
bool device_there(const char *name);
/* Returns the table of a device; opens the device on first use. Dies if the device does not work or
 * does not exist. The double build has only the CPU. */
const struct ops *device_table(const char *name, enum precision precision);
/* Returns a table for lists that are planned for a device, but neither placed nor run. Does not
 * open the device. `memory` is the bytes of device memory; 0: unknown. */
const struct ops *device_planner(const char *name, enum precision precision, size_t memory);
/* Returns the bytes of device memory that the device's library allocates in addition to lists and
 * models. `learns` is true for training lists, whose forks need more of this memory. */
size_t device_library(const char *name, bool learns);
/* Returns the fp32 table of a device. */
const struct ops *device_ops(const char *name);

/* True if this process can continue a computation with these numerics and get the same bytes. For
 * other devices than the CPU only the name is compared, because the device is not opened. */
bool device_may_continue(enum precision precision, const char *numerics);

/* Dies because the file at `path` was computed with the numerics `saved` (struct ops). A run that
 * continues here would not give the bytes of an uninterrupted run. The message explains how to
 * continue. */
NORETURN void device_refuse(const struct ops *ops, const char *path, const char *saved);
