/* Opens OpenBLAS when it is first used. OpenBLAS computes the matrix products with
 * SANLAB_PRODUCTS=blas and in the double build. Benchmarks also measure its speed.
 *
 * When OpenBLAS is loaded, it chooses its kernels ("core"), by OPENBLAS_CORETYPE or by a list of
 * processors. The list lacks processors that are newer than the release of OpenBLAS. Version 0.3.21
 * of Debian 12 classifies newer processors as Prescott, with kernels of 2004. An Emerald Rapids
 * with two cores then reaches 65 instead of 309 GFLOP/s. No later call changes the choice. So
 * sanlab sets the core by the processor's instruction sets: SkylakeX with AVX-512, else Haswell. If
 * the user has set OPENBLAS_CORETYPE, it overrides this. A list of processors in sanlab would also
 * become outdated.
 *
 * Because the library is opened only if it is used, the program also starts if OpenBLAS is not
 * installed. It then also starts with a limit of 150 MB of address space. */
#pragma once

#include "core/tensor/ops.h"

enum { BLAS_ROW_MAJOR = 101, BLAS_PLAIN = 111, BLAS_TRANSPOSED = 112 }; /* constants of cblas.h */

/* Functions of libopenblas.so.0. `config` returns a text with version, build and core. `core`
 * returns the name of the core. `parallel` returns the kind of threads (2: OpenMP). */
struct blas {
    void (*sgemm)(int order, int transpose_a, int transpose_b, int M, int N, int K, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int transpose_a, int transpose_b, int M, int N, int K, double alpha,
                  const double *a, int lda, const double *b, int ldb, double beta, double *c,
                  int ldc);
    char *(*config)(void);
    char *(*core)(void);
    int (*parallel)(void);
    void (*set_threads)(int threads); /* also sets OpenMP's number of threads */
    int (*get_threads)(void);
};

#ifdef SANLAB_DOUBLE
#define BLAS_GEMM dgemm /* function for `real` */
#else
#define BLAS_GEMM sgemm
#endif

/* True if SANLAB_PRODUCTS is blas, false if it is own or not set. Dies if it has another value. */
bool blas_asked(void);

/* Returns the name of the core for this processor's instruction sets, the default of
 * OPENBLAS_CORETYPE. */
const char *blas_best_core(void);

/* Return the functions of the library, which is opened at the first call. If it cannot be opened,
 * blas_open dies, and blas_try returns NULL and writes the reason to *why. The library must use
 * OpenMP: with a second pool of threads, the program takes up to 3.5 times as long. */
const struct blas *blas_open(void);
const struct blas *blas_try(const char **why);

/* Compute the ops gemm and gemm_weight, the latter without the gradient of the bias. The output is
 * divided into fixed blocks, and one thread computes each block by OpenBLAS. */
void blas_gemm(const struct gemm *g);
void blas_gemm_weight(const struct gemm_weight *g);
