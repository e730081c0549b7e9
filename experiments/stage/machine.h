/* Processors and free memory that the process may use. A container, a batch system or systemd may
 * permit less than the machine has, by control groups (version 2). The limits of the process's own
 * group and of all groups above it apply. */
#pragma once

#include <sys/types.h>

/* Returns the number of usable processors, at least 1. It is limited by the processors to which the
 * process is bound, the quotas of control groups (cpu.max, rounded up) and SANLAB_CORES. For a task
 * of Slurm, SLURM_CPUS_ON_NODE is also a limit. Dies if SANLAB_CORES is invalid. */
int machine_cores(void);

/* Returns the free bytes: the minimum over the machine and every control group. Pages of inactive
 * files count as free. Negative: unknown. */
double machine_memory(void);

/* Returns the resident bytes of a process; 0 if unknown, or if the process has ended. */
double machine_memory_of(pid_t process);

/* The folder in which /proc and /sys are looked up. Tests set it. */
extern const char *machine_root;
