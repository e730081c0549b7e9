/* Implements measurements. A median ignores rounds in which the machine was busy. The copy rate is
 * that of the best run, because no run can exceed the speed of memory. */
#include "core/bench/measure.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double measure_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double measure_median(const double *value, int count)
{
    double sorted[MEASURE_ROUNDS];
    CHECK(count > 0 && count <= MEASURE_ROUNDS, "median of %d values", count);
    memcpy(sorted, value, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double measure_copy_rate(measure_clock *clock)
{
    enum { CHUNKS = 256, CHUNK = 1 << 18, TIMES = 5 };
    char *from = heap_alloc((size_t)CHUNKS * CHUNK), *to = heap_alloc((size_t)CHUNKS * CHUNK);
    /* without this, all pages of `from` may be the same physical page of zeros */
    memset(from, 1, (size_t)CHUNKS * CHUNK);
    double best = 0;
    /* the first run is a warm-up: the system provides the pages */
    for (int time = 0; time <= TIMES; time++) {
        const double begin = clock();
#pragma omp parallel for schedule(static)
        for (int c = 0; c < CHUNKS; c++)
            memcpy(to + (size_t)c * CHUNK, from + (size_t)c * CHUNK, CHUNK);
        const double rate = 2.0 * CHUNKS * CHUNK / (clock() - begin);
        if (time && rate > best) best = rate;
    }
    free(from);
    free(to);
    return best;
}
