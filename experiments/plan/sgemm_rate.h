/* The rate of products, measured by this program in a process of its own (`sanlab doctor sgemm`):
 * so whoever asks needs neither threads nor OpenBLAS. */
#ifndef EXPERIMENTS_PLAN_SGEMM_RATE_H
#define EXPERIMENTS_PLAN_SGEMM_RATE_H

#include <stdbool.h>

/* Operations per second with `threads`, by wall time or processor time. 0: not measured. */
double sgemm_rate_in_use(int threads, bool cpu_time);
/* The same of OpenBLAS with the best core that this processor has; 0 also where it is not there. */
double sgemm_rate_of_blas(int threads, bool cpu_time);

#endif
