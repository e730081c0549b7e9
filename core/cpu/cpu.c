/* Chooses the op table by the processor and environment variables. */
#include "core/cpu/cpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/cpu/blas.h"
#include "core/cpu/gemm_each.h"
#include "core/cpu/processor.h"

int64_t cpu_sharing = 1 << 16; /* one thread needs about 12 us for so many numbers */

void *cpu_alloc(size_t bytes)
{
    enum { LINE = 64, HUGE_PAGE = 2 << 20 };
    const bool large = bytes >= 2 * HUGE_PAGE;
    const size_t align = large ? HUGE_PAGE : LINE;
    void *memory = aligned_alloc(align, (bytes / align + 1) * align);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    if (large) madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return memory;
}

#ifndef SANLAB_DOUBLE
#ifdef __x86_64__
static const struct ops *const all[] = {&cpu_table_v3, &cpu_table_v4};
static const char words[] = "v3 or v4";
#else
static const struct ops *const all[] = {&cpu_table_neon};
static const char words[] = "neon";
#endif

int cpu_tables(const struct ops *table[CPU_TABLES])
{
    const int count = processor_has_v4() ? 2 : 1;
    for (int i = 0; i < count; i++) table[i] = all[i];
    return count;
}

static const struct ops *table_of_processor(void)
{
    const struct ops *table[CPU_TABLES];
    const int count = cpu_tables(table);
    const char *wish = getenv("SANLAB_ISA");
    if (!wish) return table[count - 1];
    int i = 0;
    while (i < (int)COUNT_OF(all) && strcmp(wish, all[i]->name + strlen("cpu-")) != 0) i++;
    if (i == COUNT_OF(all)) die("SANLAB_ISA: expected %s, got \"%s\"", words, wish);
    if (i >= count) die("SANLAB_ISA=%s: this processor has no AVX-512 (F, BW, DQ, VL)", wish);
    return table[i];
}

/* A copy of the table, with matrix products by OpenBLAS. */
static struct ops blas_table;

static const char *blas_numerics(void)
{
    return blas_open()->config();
}

/* Uses sum_columns of the first table, because all tables give the same bits. */
static void blas_weight(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
    cpu_sum_bias(g, all[0]->sum_columns);
}

static void make_blas_table(void)
{
    blas_table = *table_of_processor();
    blas_table.gemm = blas_gemm;
    blas_table.gemm_weight = blas_weight;
    blas_table.panel = 0;
    blas_table.numerics = blas_numerics;
}
#endif

const struct ops *cpu_ops(void)
{
#ifdef SANLAB_DOUBLE
    return &cpu_table_f64; /* its products are computed by OpenBLAS */
#else
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!blas_asked()) return table_of_processor();
    blas_open(); /* dies on failure */
    pthread_once(&once, make_blas_table);
    return &blas_table;
#endif
}
