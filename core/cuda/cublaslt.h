/* Matrix products by cuBLASLt, for all types (core/cuda/products.c). */
#pragma once

#include <library_types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the library. Search order: $SANLAB_CUBLASLT, the loader's path, the toolkit, the Python
 * package nvidia.cu13. Dies if the library is not found or has another major version. Products open
 * the library automatically. */
void cublaslt_open(void);
/* Returns the version, "13.1.0". */
const char *cublaslt_version(void);
/* Returns "cuBLASLt 13.1.0: PATH". */
const char *cublaslt_facts(void);

/* Matrices of one shape, `next` elements apart. */
struct cublaslt_matrix {
    int32_t transposed, rows, columns; /* after transposition */
    int32_t ld;
    int64_t next;
    int32_t type;      /* cudaDataType_t */
    int32_t alignment; /* alignment of the address; set by cublaslt_multiply */
};

/* Key of a product C = A B. Compared byte by byte, so it has no padding. */
struct cublaslt_shape {
    struct cublaslt_matrix a, b, c;
    int32_t products;
    int32_t tf32; /* floats may be rounded to ten mantissa bits */
    int32_t epilogue;
    int32_t extra; /* alignment of the epilogue's array; set by cublaslt_multiply */
};

/* Epilogue of a product, with one array of the type of C: */
enum cublaslt_epilogue {
    EPILOGUE_NONE,
    EPILOGUE_BIAS, /* bias, added by column */
    /* The array becomes the sums of B's rows, in floats. Single products only. */
    EPILOGUE_BIAS_GRADIENT
};

/* C = scale A B (+ C if add), then the epilogue, in floats. Returns false and computes nothing if
 * the product is unavailable with this epilogue, or if SANLAB_CUDA_OFF names `epilogue`. Plain
 * products and products with a bias are always available. */
bool cublaslt_multiply(struct cublaslt_shape shape, float scale, const void *a, const void *b,
                       void *c, bool add, const void *extra);
