/* Matrix products by cuBLASLt, whatever their types are (core/cuda/products.c). */
#pragma once

#include <library_types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the library: looked for at $SANLAB_CUBLASLT or else where the loader looks, in the toolkit,
 * in the folder of Python's package nvidia.cu13. Dies where there is none, or one of another
 * major version; who multiplies has it opened. */
void cublaslt_open(void);
/* "13.1.0" */
const char *cublaslt_version(void);
/* "cuBLASLt 13.1.0: PATH" */
const char *cublaslt_facts(void);

/* Matrices of one shape, `next` elements apart. */
struct cublaslt_matrix {
    int32_t transposed, rows, columns; /* after it was transposed */
    int32_t ld;
    int64_t next;
    int32_t type;      /* cudaDataType_t */
    int32_t alignment; /* of where it begins; cublaslt_multiply knows it */
};

/* What decides how products C = A B are computed: compared by its bytes, which are all named. */
struct cublaslt_shape {
    struct cublaslt_matrix a, b, c;
    int32_t products;
    int32_t tf32; /* floats may be rounded to 10 bits behind the point */
    int32_t epilogue;
    int32_t extra; /* alignment of what it reads or writes; cublaslt_multiply knows it */
};

/* What is done behind a product, with one array, of the type of C: */
enum cublaslt_epilogue {
    EPILOGUE_NONE,
    EPILOGUE_BIAS,         /* it is added by column */
    EPILOGUE_BIAS_GRADIENT /* it becomes the sum of B's rows, in floats; of one product */
};

/* C = scale A B (+ C when add) and the shape's epilogue, in floats. False: there is no such product
 * with this epilogue, or SANLAB_CUDA_OFF names `epilogue`, and nothing is done; a plain product and
 * one with a bias always are. */
bool cublaslt_multiply(struct cublaslt_shape shape, float scale, const void *a, const void *b,
                       void *c, bool add, const void *extra);
