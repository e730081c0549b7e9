/* CUDA's runtime as the plug-in of a GPU asks for it, on the host: memory is the host's, kernels
 * are the emulator's. So all that core/cuda does beside kernels is tried where no GPU is, and
 * whatever a machine can refuse is refused. CUDA_STAND_IN has words:
 *
 *   gpus=2 capability=90 memory=BYTES   what there is
 *   breaks=product_kernel               that kernel does what the next wait says
 *   traces                              the largest memory that was taken, on stderr at the end
 *
 * Copies to the device are done as late as the stream's order allows, so that memory which changes
 * too early shows. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/device.h"
#include "core/simt/simt.h"

enum { PENDING = 64, DEFAULT_CAPABILITY = 90 };

/* The stand-in of cuBLASLt has what is pending done before it computes. */
struct CUstream_st {
    void (*flush)(void);
};

struct copy {
    void *to;
    size_t pitch;
    const void *from;
    size_t width, rows;
};

static struct copy pending[PENDING];
static int pendings;
static size_t used, most;
static cudaError_t broken; /* by a kernel: every call says so from then on */
static bool breaks;        /* but nobody has waited for it */

/* What stands behind "name=" in CUDA_STAND_IN; NULL: it is not there. */
static const char *word(const char *name)
{
    const char *words = getenv("CUDA_STAND_IN"), *at = words ? strstr(words, name) : NULL;
    return at ? at + strlen(name) : NULL;
}

static size_t number(const char *name, size_t otherwise)
{
    const char *text = word(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void flush(void)
{
    for (int i = 0; i < pendings; i++)
        for (size_t r = 0; r < pending[i].rows; r++)
            memcpy((char *)pending[i].to + r * pending[i].pitch,
                   (const char *)pending[i].from + r * pending[i].width, pending[i].width);
    pendings = 0;
}

/* All that was issued is done. */
static cudaError_t waited(void)
{
    flush();
    if (breaks) broken = cudaErrorIllegalAddress;
    return broken;
}

/* ---- what there is ---- */

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered"
                                            : "unknown error";
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)number("gpus=", 1);
    return *count ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int device)
{
    return device < (int)number("gpus=", 1) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *gpu, int device)
{
    const int capability = (int)number("capability=", DEFAULT_CAPABILITY);
    memset(gpu, 0, sizeof *gpu);
    snprintf(gpu->name, sizeof gpu->name, "Stand-in %d", device);
    gpu->major = capability / 10, gpu->minor = capability % 10;
    gpu->totalGlobalMem = number("memory=", (size_t)4 << 30);
    gpu->sharedMemPerBlockOptin = SIMT_SHARED;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    *all = number("memory=", (size_t)4 << 30);
    *left = *all - used;
    return broken;
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    static struct CUstream_st one = {flush};
    (void)flags;
    *stream = &one;
    return broken;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return waited();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    static char events[1 << 16];
    static int count;
    (void)flags;
    *event = (cudaEvent_t)(void *)&events[count++];
    return broken;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)event, (void)stream;
    return broken;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return waited();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    (void)from, (void)to;
    *milliseconds = 1;
    return broken;
}

/* ---- memory: its size stands in front of it ---- */

enum { FRONT = 256 };

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (used + bytes > number("memory=", (size_t)4 << 30)) return cudaErrorMemoryAllocation;
    char *block = aligned_alloc(FRONT, FRONT + (bytes + FRONT - 1) / FRONT * FRONT);
    if (!block) return cudaErrorMemoryAllocation;
    memset(block + FRONT, 0xff, bytes);
    *(size_t *)(void *)block = bytes;
    *memory = block + FRONT;
    used += bytes;
    if (used > most) most = used;
    return broken;
}

cudaError_t cudaFree(void *memory)
{
    char *block = memory ? (char *)memory - FRONT : NULL;
    if (block) used -= *(size_t *)(void *)block;
    free(block);
    return broken;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    *memory = heap_alloc(bytes);
    return broken;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    flush();
    memset(memory, value, bytes);
    return broken;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)stream;
    if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
    if (kind == cudaMemcpyHostToDevice) {
        CHECK(from_pitch == width, "rows of an upload are %zu bytes apart", from_pitch);
        if (pendings == PENDING) flush();
        pending[pendings++] = (struct copy){to, to_pitch, from, width, rows};
        return broken;
    }
    flush();
    for (size_t r = 0; r < rows; r++)
        memcpy((char *)to + r * to_pitch, (const char *)from + r * from_pitch, width);
    return broken;
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    (void)kernel, (void)which, (void)value;
    return broken;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    const char *wanted = word("breaks=");
    const size_t length = strlen(kernel);
    (void)blocks, (void)threads, (void)arguments, (void)shared, (void)stream;
    flush();
    breaks |= wanted && !strncmp(wanted, kernel, length) &&
              (wanted[length] == 0 || wanted[length] == ' ');
    return broken;
}

/* A kernel of the emulator is issued: as one of a GPU's, and then it runs. */
static bool issued(const char *name, const void *arguments, size_t bytes)
{
    enum { WIDE = 64 << 10 };
    (void)bytes;
    device_launch(name, name, 1, SIMT_LANES, WIDE, arguments);
    return !breaks;
}

static void tell(void)
{
    if (word("traces")) fprintf(stderr, "stand-in: %zu bytes at most\n", most);
}

__attribute__((constructor)) static void begin(void)
{
    simt_control.issued = issued;
    atexit(tell);
}
