/* The rate of products, measured by this program in a process of its own (`sanlab doctor sgemm`):
 * so whoever asks needs neither threads nor OpenBLAS. */
#pragma once

#include <stdbool.h>

/* Operations per second with `threads`, by wall time or processor time: of the products that are in
 * use, or with `blas` of OpenBLAS with the best core that this processor has. 0: not measured, or
 * there is no OpenBLAS. */
double sgemm_rate_measure(int threads, bool cpu_time, bool blas);
