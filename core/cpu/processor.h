/* Which of OpenBLAS's kernels this process runs, and which it could run.
 *
 * OpenBLAS picks its kernels ("core") in its constructor, before main: from OPENBLAS_CORETYPE, or
 * from a list of processors that ends with the year of its release. A processor that is not on the
 * list gets the oldest kernels there are (0.3.21 takes an Emerald Rapids for a Prescott: a sixth of
 * the speed). No call changes the choice, so processor_prepare starts the program again. */
#ifndef CORE_CPU_PROCESSOR_H
#define CORE_CPU_PROCESSOR_H

#include "core/base/base.h"

/* To be called first in main. If the library took older kernels than the processor has instructions
 * for, and OPENBLAS_CORETYPE is not set: sets it and starts /proc/self/exe again with `argv`, once.
 * Whoever sets OPENBLAS_CORETYPE, or SANLAB_CORE=env (default: auto), keeps what they have. */
void processor_prepare(char **argv);

/* "SkylakeX", "Haswell", ...: the core in use; and the best that the processor has instructions
 * for, which is the core in use when that is as good. */
const char *processor_core(void);
/* The library with its version, its build and its core: what decides the bits of a product. */
const char *processor_library(void);
const char *processor_best_core(void);

enum processor_origin {
    CORE_OF_LIBRARY, /* its own choice */
    CORE_OF_PREPARE, /* processor_prepare's */
    CORE_OF_USER     /* OPENBLAS_CORETYPE's */
};
enum processor_origin processor_core_origin(void);

/* Whether OpenBLAS shares OpenMP's threads (it must: a second pool of threads beside ours costs up
 * to 3.5 times). */
bool processor_blas_is_openmp(void);

/* The roofline of everything that multiplies: operations per second of sgemm of 2048 x 2048 x 512,
 * best of five, on all of OpenMP's threads, by a clock in seconds (clock_seconds as a rule). */
double processor_sgemm_rate(double (*clock)(void));

#endif
