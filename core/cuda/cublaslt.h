/* Matrix products by cuBLASLt, for all types of activations. core/cuda/products.c calls them for
 * each op table. */
#pragma once

#include <library_types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the library. If the variable SANLAB_CUBLASLT is set, it is the path of the library.
 * Otherwise the function searches the paths of the dynamic loader, /usr/local/cuda/lib64 and the
 * Python package nvidia.cu13, in this order. Dies if the library is not found or has another major
 * version. cublaslt_multiply opens the library if it is not open. */
void cublaslt_open(void);
/* Returns the version of the library, such as "13.1.0". */
const char *cublaslt_version(void);
/* Returns version and path, such as "cuBLASLt 13.1.0: PATH". */
const char *cublaslt_facts(void);

/* Layout of A, B or C. If there are several products, their matrices have the same shape and begin
 * `next` elements apart. */
struct cublaslt_matrix {
    int32_t transposed, rows, columns; /* rows and columns after transposition */
    int32_t ld;
    int64_t next;
    int32_t type;      /* type of the elements, a cudaDataType_t */
    int32_t alignment; /* bytes to which all addresses are aligned; set by cublaslt_multiply */
};

/* Key of the plan of a product C = A B. Keys are compared byte by byte, so the struct has no
 * padding. */
struct cublaslt_shape {
    struct cublaslt_matrix a, b, c;
    int32_t products;
    int32_t tf32; /* floats may be rounded to ten mantissa bits */
    int32_t epilogue;
    int32_t extra; /* alignment of the epilogue's array in bytes; set by cublaslt_multiply */
};

/* Epilogue: what cuBLASLt computes at the end of a product, with one array that has the type of
 * C. */
enum cublaslt_epilogue {
    EPILOGUE_NONE,
    EPILOGUE_BIAS, /* The array is a bias, which is added to each row of C. */
    /* The array becomes the sum of the rows of B, in floats. Requires one product. */
    EPILOGUE_BIAS_GRADIENT
};

/* Computes C = scale A B (+ C if `add`), then the epilogue with its array `extra`; sums are in
 * floats. Returns true. With EPILOGUE_BIAS_GRADIENT, the function may compute nothing and return
 * false. It does so if cuBLASLt does not have this product, or if SANLAB_CUDA_OFF contains
 * `epilogue`. */
bool cublaslt_multiply(struct cublaslt_shape shape, float scale, const void *a, const void *b,
                       void *c, bool add, const void *extra);
