/* Finds the number of processors and the free memory that this process may use. A container, a
 * batch system or systemd may permit less than the machine has, by control groups (version 2). The
 * limits of the group of the process and of all its parent groups apply. */
#pragma once

#include <sys/types.h>

/* Returns the number of usable processors, at least 1. It is the minimum of several limits. One
 * limit is the number of processors to which the process is bound. Others are the quotas of control
 * groups (cpu.max, rounded up) and the environment variable SANLAB_CORES. In a task of Slurm,
 * SLURM_CPUS_ON_NODE is also a limit. Dies if SANLAB_CORES is invalid. */
int machine_cores(void);

/* Writes the name of the processor; for ARM the numbers of designer and part, because the system
 * has no more. Writes "unknown" without /proc/cpuinfo. */
void machine_processor(char *name, size_t size);

/* Returns the free bytes: the minimum over the machine and the control groups. Cached pages of
 * inactive files count as free. Negative: unknown. */
double machine_memory(void);

/* Returns the resident bytes of a process; 0 if unknown, or if the process has ended. */
double machine_memory_of(pid_t process);

/* Prefix of the paths of /proc and /sys. Only tests change it. */
extern const char *machine_root;
