/* Finds the name and the speed of the implementation of products that SANLAB_PRODUCTS selects. */
#include "core/cpu/product_choice.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu/blas.h"
#include "core/cpu/cpu.h"

const char *products_name(void)
{
    return cpu_ops()->numerics();
}

/* Returns the core of a name of OpenBLAS: "SkylakeX" for "OpenBLAS 0.3.21 .. SkylakeX
 * MAX_THREADS=64". */
static char *core_of(const char *library)
{
    const char *end = strrchr(library, ' '), *core = end;
    while (core > library && core[-1] != ' ') core--;
    return heap_print("%.*s", (int)(end - core), core);
}

static char *described(const char *name, bool blas)
{
    return blas ? heap_print("%s", name) : heap_print("our own (%s)", name);
}

void products_refuse(const char *path, const char *saved)
{
    const bool blas = !strncmp(saved, "OpenBLAS ", strlen("OpenBLAS ")), own = !blas_asked();
    const char *word = blas && own ? "SANLAB_PRODUCTS=blas" : "", *pin = "";
    if (blas) {
        const char *core = core_of(saved), *pinned = getenv("OPENBLAS_CORETYPE");
        if (strcmp(core, pinned ? pinned : blas_best_core()) != 0)
            pin = heap_print("%sOPENBLAS_CORETYPE=%s", *word ? " " : "", core);
    } else if (!own) {
        word = "SANLAB_PRODUCTS=own";
    }
    die("%s: saved with products of %s, this process has products of %s: the results would differ "
        "from an uninterrupted run; use %s%s%sSANLAB_ANY_NUMERICS=1 to continue anyway",
        path, described(saved, blas), described(products_name(), !own), word, pin,
        *word || *pin ? ", or " : "");
}

enum { RATE_M = 512, RATE_N = 2048, RATE_K = 512, RATE_TIMES = 5 };

static void multiply(const real *a, const real *b, real *c)
{
    struct gemm g = {.M = RATE_M, .N = RATE_N, .K = RATE_K, .scale = 1};
    g.a = (const struct act *)(const void *)a, g.lda = RATE_K;
    g.b = (const struct act *)(const void *)b, g.ldb = RATE_N;
    g.c = (struct act *)(void *)c, g.ldc = RATE_N;
    if (!blas_asked())
        cpu_ops()->gemm(&g);
    else
        blas_open()->BLAS_GEMM(BLAS_ROW_MAJOR, BLAS_PLAIN, BLAS_PLAIN, g.M, g.N, g.K, 1, a, g.lda,
                               b, g.ldb, 0, c, g.ldc);
}

double products_rate(double (*clock)(void))
{
    SCOPED(heap_free) real *a = heap_alloc(sizeof *a * RATE_M * RATE_K);
    SCOPED(heap_free) real *b = heap_alloc(sizeof *b * RATE_K * RATE_N);
    SCOPED(heap_free) real *c = heap_alloc(sizeof *c * RATE_M * RATE_N);
    for (int i = 0; i < RATE_M * RATE_K; i++) a[i] = (real)(i % 7) - 3;
    for (int i = 0; i < RATE_K * RATE_N; i++) b[i] = (real)(i % 5) - 2;
    const struct blas *blas = !blas_asked() ? NULL : blas_open();
    const int team = omp_get_max_threads(), threads = blas ? blas->get_threads() : 0;
    if (blas) blas->set_threads(team);
    double best = 0;
    for (int time = 0; time <= RATE_TIMES; time++) { /* the first is a warm-up */
        const double begin = clock();
        multiply(a, b, c);
        const double rate = 2. * RATE_M * RATE_N * RATE_K / (clock() - begin);
        if (time && rate > best) best = rate;
    }
    if (blas) blas->set_threads(threads);
    omp_set_num_threads(team); /* set_threads has also changed this number */
    return best;
}
