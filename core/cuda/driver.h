/* One GPU, by CUDA's runtime: what cublaslt.c and table.c need of driver.c. */
#ifndef CORE_CUDA_DRIVER_H
#define CORE_CUDA_DRIVER_H

#include <cuda_runtime_api.h>

#include "core/cuda/device.h"

/* Opens the first GPU that CUDA shows. Dies, in one line each: no driver, one that is too old, no
 * GPU, one that these kernels are not for or that refuses. */
void driver_open(void);
/* Its name, "NVIDIA H200". */
const char *driver_gpu(void);
/* Bytes of its memory, in all. */
size_t driver_memory(void);
/* All that is done there is done in this order. */
cudaStream_t driver_stream(void);
/* struct ops: mark, elapsed. */
void driver_mark(int number);
double driver_elapsed(int from, int to);
/* Zeroed memory of the GPU, aligned to 256 bytes. Dies where there is none. */
void *driver_alloc(size_t bytes);
/* Waits for all that was issued. */
void driver_free(void *memory);

#endif
