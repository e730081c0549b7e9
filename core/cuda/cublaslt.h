/* The products of products.h by cuBLASLt, which is opened when the first one is wanted. */
#ifndef CORE_CUDA_CUBLASLT_H
#define CORE_CUDA_CUBLASLT_H

/* "13.1.0". Dies where there is no such library; looked for at $SANLAB_CUBLASLT or else where the
 * loader looks, in the toolkit, in the folder of Python's package nvidia.cu13. */
const char *cublaslt_version(void);

#endif
