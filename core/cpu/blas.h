/* OpenBLAS, opened by those who ask for it: SANLAB_PRODUCTS=blas, the products of the double build,
 * and whoever measures its speed.
 *
 * OpenBLAS picks its kernels ("core") when it is loaded: from OPENBLAS_CORETYPE, or from a list of
 * processors that ends with the year of its release (0.3.21 takes an Emerald Rapids for a Prescott,
 * with a sixth of the speed). So it is opened with the core that the processor has instructions
 * for: SkylakeX with AVX-512, else Haswell; or with the user's, where OPENBLAS_CORETYPE is set. */
#pragma once

#include "core/tensor/ops.h"

enum { BLAS_ROW_MAJOR = 101, BLAS_PLAIN = 111, BLAS_TRANSPOSED = 112 }; /* cblas.h's */

/* Of libopenblas.so.0, with its signatures; `config` names version, build and core. */
struct blas {
    void (*sgemm)(int order, int transpose_a, int transpose_b, int M, int N, int K, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int transpose_a, int transpose_b, int M, int N, int K, double alpha,
                  const double *a, int lda, const double *b, int ldb, double beta, double *c,
                  int ldc);
    char *(*config)(void);
    char *(*core)(void);
    int (*parallel)(void);
    void (*set_threads)(int threads); /* sets OpenMP's, too */
    int (*get_threads)(void);
};

#ifdef SANLAB_DOUBLE
#define BLAS_GEMM dgemm /* of `real` */
#else
#define BLAS_GEMM sgemm
#endif

/* Whether products are to be OpenBLAS's, by SANLAB_PRODUCTS: own (or not set) or blas; dies of any
 * other word. */
bool blas_asked(void);

/* The core that this processor has instructions for: with which it is opened, where the user has
 * not set OPENBLAS_CORETYPE. */
const char *blas_best_core(void);

/* The library, opened once: blas_open dies where it cannot be, blas_try returns NULL and says why.
 * It must be the OpenMP flavor: a second pool of threads beside ours costs up to 3.5 times. */
const struct blas *blas_open(void);
const struct blas *blas_try(const char **why);

/* The ops of these names, in fixed blocks of the output, each by single-threaded OpenBLAS. */
void blas_gemm(const struct gemm *g);
void blas_gemm_weight(const struct gemm_weight *g);
