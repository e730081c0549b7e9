/* What of this machine the process may use: its processors, and the memory that is left. A
 * container, a batch system or systemd may allow less than there is, by control groups (version 2):
 * limits of the process's own group and of all above it count. */
#pragma once

#include <sys/types.h>

/* Processors, at least 1: those that the process is bound to, and no more than quotas of control
 * groups (cpu.max, rounded up), than a task of Slurm was given (SLURM_CPUS_ON_NODE) and than
 * SANLAB_CORES says. Dies when SANLAB_CORES is no number of cores. */
int machine_cores(void);

/* Bytes that are free, of the machine and of every control group, where pages of files that nobody
 * has used lately count as free; negative: unknown. */
double machine_memory(void);

/* Bytes that a process has in memory; 0: unknown, or it has ended. */
double machine_memory_of(pid_t process);

/* The folder that the system's files, /proc and /sys, are looked for in; for tests. Borrowed. */
void machine_look_in(const char *folder);
