/* Computes matrix products by OpenBLAS. */

/* With several threads, OpenBLAS splits sums, so the bits would depend on their number. Therefore
 * the output is divided into fixed blocks, and one thread computes each block. OpenBLAS uses one
 * thread inside of a parallel region, and if OpenMP has one thread. */
#include "core/cpu/blas.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "core/cpu/gemm_each.h"
#include "core/cpu/processor.h"

static const char *const core_variable = "OPENBLAS_CORETYPE";

const char *blas_best_core(void)
{
#ifdef __x86_64__
    return processor_has_v4() ? "SkylakeX" : "Haswell";
#else
    return "armv8";
#endif
}

bool blas_asked(void)
{
    static const char *const words[] = {"own", "blas", NULL};
    const char *word = getenv("SANLAB_PRODUCTS");
    if (!word || !strcmp(word, "own")) return false;
    if (!strcmp(word, "blas")) return true;
    char near[WORD_NEAR];
    die("SANLAB_PRODUCTS: expected own or blas, got \"%s\"%s", word, word_near(near, word, words));
}

/* Loads the library with OPENBLAS_CORETYPE set, and then removes the variable. Otherwise, child
 * processes would inherit it as if the user had set it. */
static void *load(void)
{
    const bool ours = !getenv(core_variable);
    if (ours) setenv(core_variable, blas_best_core(), 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (ours) unsetenv(core_variable);
    return library;
}

static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static struct blas library_calls;
static const char *library_problem; /* reason why the library is unusable, or NULL */

/* Returns the reason why the library is unusable, or NULL. The library stays open in both cases. */
static const char *open_into(struct blas *blas)
{
    enum { OPENMP = 2 };
    void *library = load();
    if (!library) return dlerror();
    if (!find(library, "cblas_sgemm", &blas->sgemm) ||
        !find(library, "cblas_dgemm", &blas->dgemm) ||
        !find(library, "openblas_get_config", &blas->config) ||
        !find(library, "openblas_get_corename", &blas->core) ||
        !find(library, "openblas_get_parallel", &blas->parallel) ||
        !find(library, "openblas_set_num_threads", &blas->set_threads) ||
        !find(library, "openblas_get_num_threads", &blas->get_threads))
        return dlerror();
    return blas->parallel() == OPENMP ? NULL
                                      : "libopenblas.so.0: not the OpenMP flavor; its threads "
                                        "would compete with those of sanlab";
}

static void open_once(void)
{
    const char *text = open_into(&library_calls);
    library_problem = text ? heap_print("%s", text) : NULL;
}

const struct blas *blas_try(const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (why) *why = library_problem;
    return library_problem ? NULL : &library_calls;
}

const struct blas *blas_open(void)
{
    const char *why;
    const struct blas *blas = blas_try(&why);
    if (!blas) die("OpenBLAS cannot be opened: %s (Debian's package is libopenblas0-openmp)", why);
    return blas;
}

/* Blocks depend only on the shape. Every block packs its operands again, so few, large and square
 * blocks cost least. The longer side of blocks is halved while half a block has at least 16e6 c^2
 * operations. Here c is the number of blocks so far. Almost all products have two blocks, and the
 * largest have eight. */
struct blocks {
    int down, across, rows, columns;
};

static struct blocks blocks_of(int M, int N, int K)
{
    enum { MOST = 16, ROUND = 16 };
    struct blocks blocks = {1, 1, M, N};
    double half = 1.0 * M * N * K; /* operations of half a block; a product has 2 M N K */
    for (double count = 1; count < MOST && half >= 16e6 * count * count; count *= 2, half /= 2) {
        int *side = blocks.rows >= blocks.columns ? &blocks.rows : &blocks.columns;
        *side = (*side / 2 + ROUND - 1) / ROUND * ROUND;
    }
    blocks.down = (M + blocks.rows - 1) / blocks.rows;
    blocks.across = (N + blocks.columns - 1) / blocks.columns;
    return blocks;
}

static const real *in(const struct act *x)
{
    return (const real *)(const void *)x;
}

/* Computes the block of C that begins at row i and column j, with one thread. */
static void one_block(const struct gemm *g, const struct blocks *blocks, int i, int j)
{
    const struct blas *blas = blas_open();
    const bool ta = g->transpose_a, tb = g->transpose_b;
    const int m = g->M - i < blocks->rows ? g->M - i : blocks->rows;
    const int n = g->N - j < blocks->columns ? g->N - j : blocks->columns;
    real *c = (real *)(void *)g->c + (int64_t)i * g->ldc + j;
    blas->BLAS_GEMM(BLAS_ROW_MAJOR, ta ? BLAS_TRANSPOSED : BLAS_PLAIN,
                    tb ? BLAS_TRANSPOSED : BLAS_PLAIN, m, n, g->K, g->scale,
                    in(g->a) + (ta ? i : (int64_t)i * g->lda), g->lda,
                    in(g->b) + (tb ? (int64_t)j * g->ldb : j), g->ldb, g->add ? 1 : 0, c, g->ldc);
    for (int r = 0; r < m && g->bias; r++)
        for (int k = 0; k < n; k++) c[(int64_t)r * g->ldc + k] += in(g->bias)[j + k];
}

/* C = scale op(A) op(B) (+ C) (+ bias): [M, K] by [K, N] -> [M, N]; parallel over blocks of C. */
static void one_gemm(const struct gemm *g)
{
    if (g->M == 0 || g->N == 0) return;
    const struct blocks blocks = blocks_of(g->M, g->N, g->K);
    /* A small product is one block: to start more threads would take longer than they save. */
    if (blocks.down * blocks.across == 1) {
        const int threads = omp_get_max_threads();
        omp_set_num_threads(1);
        one_block(g, &blocks, 0, 0);
        omp_set_num_threads(threads);
        return;
    }
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int y = 0; y < blocks.down; y++)
        for (int x = 0; x < blocks.across; x++)
            one_block(g, &blocks, y * blocks.rows, x * blocks.columns);
}

void blas_gemm(const struct gemm *g)
{
    cpu_gemm_each(g, one_gemm);
}

void blas_gemm_weight(const struct gemm_weight *g)
{
    cpu_gemm_weight_each(g, one_gemm);
}
