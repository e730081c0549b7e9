/* Implements measurements. A median ignores rounds in which the machine was busy. */
#include "core/bench/measure.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    /* The C library copies larger pieces in other ways, which depend on the processor. */
    enum { PIECE = 1024, ROUNDS = 9 };
    const int64_t least = 64 << 20, most = 512 << 20, cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const int64_t bytes = cache < least ? least : cache > most ? most : cache;
    char *from = heap_alloc((size_t)bytes), *to = heap_alloc((size_t)bytes);
    double seconds[ROUNDS], sum = 0;
    int rounds = 0;
    /* Every thread provides the pages that it copies, because unwritten pages may be the same
     * physical page of zeros. */
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < bytes; i += PIECE) {
        memset(from + i, 1, PIECE);
        memset(to + i, 2, PIECE);
    }
    while (rounds < ROUNDS && (rounds < 3 || sum < .2)) {
        const double begin = clock();
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < bytes; i += PIECE) memcpy(to + i, from + i, PIECE);
        sum += seconds[rounds++] = clock() - begin;
    }
    free(from);
    free(to);
    return 2.0 * (double)bytes / measure_median(seconds, rounds);
}
