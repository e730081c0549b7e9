/* OpenBLAS, opened on demand: for SANLAB_PRODUCTS=blas, for the products of the double build, and
 * to measure its speed.
 *
 * OpenBLAS chooses its kernels ("core") when it is loaded, from OPENBLAS_CORETYPE or from a list of
 * processors that ends with the year of its release. Version 0.3.21 of Debian 12 classifies newer
 * processors as Prescott, with kernels of 2004. An Emerald Rapids with two cores then reaches 65
 * instead of 309 GFLOP/s. No later call changes the choice. So this file sets the core by the
 * processor's instructions: SkylakeX with AVX-512, else Haswell. OPENBLAS_CORETYPE of the user
 * overrides it. Another list of processors would also become outdated; instruction sets do not.
 *
 * The library is opened only if it is used. So the program starts without OpenBLAS, and in 150 MB
 * of address space. */
#pragma once

#include "core/tensor/ops.h"

enum { BLAS_ROW_MAJOR = 101, BLAS_PLAIN = 111, BLAS_TRANSPOSED = 112 }; /* constants of cblas.h */

/* Functions of libopenblas.so.0. `config` returns version, build and core. */
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

/* True if SANLAB_PRODUCTS is blas, false if it is own or not set. Dies at another value. */
bool blas_asked(void);

/* Returns the core for this processor's instructions. It is used if the user has not set
 * OPENBLAS_CORETYPE. */
const char *blas_best_core(void);

/* Return the library, opened on first use. If it cannot be opened, blas_open dies, and blas_try
 * returns NULL and the reason. The library must use OpenMP: a second thread pool costs up to 3.5
 * times the time. */
const struct blas *blas_open(void);
const struct blas *blas_try(const char **why);

/* The ops gemm and gemm_weight, in fixed blocks of the output, each by single-threaded OpenBLAS. */
void blas_gemm(const struct gemm *g);
void blas_gemm_weight(const struct gemm_weight *g);
