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
static const struct ops *table_of_processor(void)
{
    const bool v4 = processor_has_v4();
    const char *wish = getenv("SANLAB_ISA");
    if (!wish) return v4 ? &cpu_table_v4 : &cpu_table_v3;
    if (!strcmp(wish, "v3")) return &cpu_table_v3;
    if (strcmp(wish, "v4")) die("SANLAB_ISA: expected v3 or v4, got \"%s\"", wish);
    if (!v4) die("SANLAB_ISA=v4: this processor has no AVX-512 (F, BW, DQ, VL)");
    return &cpu_table_v4;
}

/* Copies of both tables, with matrix products by OpenBLAS. */
static struct ops blas_table_v3, blas_table_v4;

static const char *blas_numerics(void)
{
    return blas_open()->config();
}

/* Uses sum_columns of v3 for both tables, because sum_columns of v4 gives the same bits. */
static void blas_weight(const struct gemm_weight *g)
{
    blas_gemm_weight(g);
    cpu_sum_bias(g, cpu_table_v3.sum_columns);
}

static struct ops with_blas(struct ops table)
{
    table.gemm = blas_gemm;
    table.gemm_weight = blas_weight;
    table.panel = 0;
    table.numerics = blas_numerics;
    return table;
}

static void make_blas_tables(void)
{
    blas_table_v3 = with_blas(cpu_table_v3);
    blas_table_v4 = with_blas(cpu_table_v4);
}
#endif

const struct ops *cpu_ops(void)
{
#ifdef SANLAB_DOUBLE
    return &cpu_table_f64; /* its products are computed by OpenBLAS */
#else
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct ops *table = table_of_processor();
    if (!blas_asked()) return table;
    blas_open(); /* dies on failure */
    pthread_once(&once, make_blas_tables);
    return table == &cpu_table_v4 ? &blas_table_v4 : &blas_table_v3;
#endif
}
