/* Stand-in of the CUDA runtime on the host, for the plug-in of a GPU. Memory is the host's, kernels
 * are the emulator's, streams and graphs are in stream.h. It tests all code of core/cuda except
 * kernels without a GPU. It can refuse each request that a machine can refuse. Words of
 * CUDA_STAND_IN:
 *
 *   gpus=2 capability=90 memory=BYTES   the devices
 *   alike                               all have the same name
 *   breaks=product_kernel               that kernel fails; the next wait returns the error
 *   order=SEED                          streams run in a random order (stream.h)
 *   skip=N                              the N-th wait of a stream for an event is ignored
 *   allocation=N once=PATH              the N-th allocation finds no memory, in the first process
 *                                       that can create PATH
 *   lose=1 kernels=N lost=PATH          GPU 1 is lost before its N-th kernel in a process, which
 *                                       creates PATH; as long as PATH exists, the GPU refuses all
 *   traces                              prints at the end: peak of memory, graphs, kernels,
 *                                       most streams with work at the same time, order
 *
 * Freed memory is filled with NaN and used again much later. So a recorded step that uses memory
 * which was freed computes NaN, and a write to freed memory ends the program. */
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base.h"
#include "core/cuda/device.h"
#include "core/simt/simt.h"
#include "tests/cuda/stream.h"

enum { DEFAULT_CAPABILITY = 90 };

static size_t used, most;
static cudaError_t broken; /* by a kernel; every later call returns this error */
static bool breaks;        /* a kernel failed, but no call has waited for it yet */

/* Returns the text after "name=" in CUDA_STAND_IN; NULL if it is absent. */
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

/* Writes the path after "name=" to `path`, which is valid until the next call; NULL if absent. */
static const char *path_of(const char *name)
{
    static char path[4096];
    const char *text = word(name);
    if (text) snprintf(path, sizeof path, "%.*s", (int)strcspn(text, " "), text);
    return text ? path : NULL;
}

static int opened = -1; /* the device of this process */

/* True if the device is the one to lose, and a process has lost it. */
static bool is_lost(int device)
{
    const char *path = path_of("lost=");
    return path && device == (int)number("lose=", 0) && access(path, F_OK) == 0;
}

/* Ends a wait: all issued work is done. */
static cudaError_t waited(void)
{
    if (breaks) broken = cudaErrorIllegalAddress;
    if (!broken && is_lost(opened)) broken = cudaErrorDevicesUnavailable;
    return broken;
}

/* True before the kernel with which the device is lost. */
static size_t kernels;
static bool loses(void)
{
    kernels++;
    if (!word("lose=") || opened != (int)number("lose=", 0) || kernels != number("kernels=", 0))
        return false;
    close(open(path_of("lost="), O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    return true;
}

/* True for the allocation that finds no memory. */
static bool is_refused(void)
{
    static size_t allocations;
    if (++allocations != number("allocation=", 0)) return false;
    const char *path = path_of("once=");
    const int file = path ? open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (file >= 0) close(file);
    return !path || file >= 0;
}

/* Runs in a forked child of a process that has opened a GPU: every call fails. */
static void copied(void)
{
    broken = cudaErrorInitializationError;
}

/* ---- what there is ---- */

const char *cudaGetErrorName(cudaError_t error)
{
    if (error == cudaErrorInitializationError) return "cudaErrorInitializationError";
    if (error == cudaErrorMemoryAllocation) return "cudaErrorMemoryAllocation";
    if (error == cudaErrorDevicesUnavailable) return "cudaErrorDevicesUnavailable";
    return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    if (error == cudaErrorInitializationError) return "initialization error";
    if (error == cudaErrorMemoryAllocation) return "out of memory";
    if (error == cudaErrorDevicesUnavailable)
        return "CUDA-capable device(s) is/are busy or unavailable";
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
    pthread_atfork(NULL, NULL, copied);
    opened = device;
    if (is_lost(device)) return cudaErrorDevicesUnavailable;
    return device < (int)number("gpus=", 1) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *gpu, int device)
{
    const int capability = (int)number("capability=", DEFAULT_CAPABILITY);
    memset(gpu, 0, sizeof *gpu);
    snprintf(gpu->name, sizeof gpu->name, "Stand-in %d", word("alike") ? 0 : device);
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

/* ---- streams and events: what is not in stream.c ---- */

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream_records()) return cudaErrorStreamCaptureUnsupported;
    stream_finish(stream);
    return waited();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (stream_records()) return cudaErrorStreamCaptureUnsupported;
    stream_finish_event(event);
    return waited();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    *milliseconds = 1;
    return broken;
}

/* ---- memory: its size precedes it ---- */

enum { FRONT = 256 };

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (stream_records()) return cudaErrorStreamCaptureUnsupported;
    if (is_refused() || used + bytes > number("memory=", (size_t)4 << 30))
        return cudaErrorMemoryAllocation;
    char *block = aligned_alloc(FRONT, FRONT + (bytes + FRONT - 1) / FRONT * FRONT);
    if (!block) return cudaErrorMemoryAllocation;
    memset(block + FRONT, 0xff, bytes);
    *(size_t *)(void *)block = bytes;
    *memory = block + FRONT;
    used += bytes;
    if (used > most) most = used;
    return broken;
}

/* Blocks that were freed last. */
enum { FREED = 64 };
static char *freed[FREED];

/* Frees a block; NULL: none. Nobody may have written to it since it was poisoned. */
static void bury(char *block)
{
    const size_t bytes = block ? *(const size_t *)(const void *)block : 0;
    for (size_t i = 0; i < bytes; i++)
        CHECK(block[FRONT + i] == (char)0xff, "memory was written after it was freed");
    free(block);
}

cudaError_t cudaFree(void *memory)
{
    static unsigned turn;
    if (stream_records()) return cudaErrorStreamCaptureUnsupported;
    stream_finish_all();
    if (!memory) return broken;
    char *block = (char *)memory - FRONT, **slot = &freed[turn++ % FREED];
    const size_t bytes = *(const size_t *)(const void *)block;
    used -= bytes;
    memset(memory, 0xff, bytes);
    bury(*slot);
    *slot = block;
    return broken;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    if (is_refused()) return cudaErrorMemoryAllocation;
    *memory = heap_alloc(bytes);
    return broken;
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return broken;
}

struct fill {
    void *memory;
    int value;
    size_t bytes;
};

static void run_fill(void *context)
{
    const struct fill *fill = context;
    memset(fill->memory, fill->value, fill->bytes);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    stream->add(stream, run_fill, &(struct fill){memory, value, bytes}, sizeof(struct fill));
    return broken;
}

struct copy {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, width, rows;
};

static void run_copy(void *context)
{
    const struct copy *copy = context;
    for (size_t r = 0; r < copy->rows; r++)
        memcpy((char *)copy->to + r * copy->to_pitch,
               (const char *)copy->from + r * copy->from_pitch, copy->width);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
    if (stream_records()) return cudaErrorStreamCaptureUnsupported; /* as the program does it */
    CHECK(kind != cudaMemcpyHostToDevice || from_pitch == width,
          "rows of an upload are %zu bytes apart", from_pitch);
    const struct copy copy = {to, to_pitch, from, from_pitch, width, rows};
    stream->add(stream, run_copy, &copy, sizeof copy);
    return broken;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

/* ---- kernels ---- */

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    return broken;
}

/* The launch that the emulator has begun. CUDA's launch call has no size of the arguments; the
 * kernel has it. */
static struct launch {
    const struct simt_kernel *kernel;
    int64_t blocks;
    size_t shared;
} now;

static bool issued(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                   const void *arguments);

/* A launch, followed by its arguments. */
static void run_kernel(void *context)
{
    const struct launch *launch = context;
    if (broken || breaks || loses()) return;
    simt_control.issued = NULL;
    simt_launch(launch->kernel, launch->blocks, launch->shared, launch + 1);
    simt_control.issued = issued;
}

/* CUDA loads a kernel at its first launch, which is not allowed while a step is recorded. */
static bool is_loaded(const struct simt_kernel *kernel)
{
    static const struct simt_kernel *loaded[256];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (loaded[i] == kernel) return true;
    CHECK(count < COUNT_OF(loaded), "more than %zu kernels", COUNT_OF(loaded));
    loaded[count++] = kernel;
    return false;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    const char *wanted = word("breaks=");
    const size_t length = strlen(now.kernel->name);
    if (!is_loaded(now.kernel) && stream_records()) return cudaErrorStreamCaptureUnsupported;
    CHECK(kernel == now.kernel && blocks.x == (unsigned)now.blocks &&
              threads.x == now.kernel->threads && shared >= now.shared,
          "a launch that is none");
    breaks |= wanted && !strncmp(wanted, now.kernel->name, length) &&
              (wanted[length] == 0 || wanted[length] == ' ');
    struct launch *launch = heap_alloc(sizeof *launch + now.kernel->bytes);
    *launch = now;
    memcpy(launch + 1, *arguments, now.kernel->bytes);
    stream->add(stream, run_kernel, launch, sizeof *launch + now.kernel->bytes);
    free(launch);
    return broken;
}

/* Issues a kernel of the emulator like a GPU's: it runs at its turn in the stream. */
static bool issued(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                   const void *arguments)
{
    enum { WIDE = 64 << 10 };
    now = (struct launch){kernel, blocks, shared};
    device_launch(kernel, kernel->name, blocks, (int)kernel->threads, shared > WIDE ? shared : WIDE,
                  arguments);
    return false;
}

static void tell(void)
{
    for (int i = 0; i < FREED; i++) bury(freed[i]);
    if (word("traces"))
        fprintf(stderr,
                "stand-in: %zu bytes at most, %d graphs made, %d launched\n"
                "stand-in: %zu kernels\n"
                "stand-in: %d streams busy at the same time, order %016llx\n",
                most, stream_graphs, stream_launches, kernels, stream_busy,
                (unsigned long long)stream_order);
}

__attribute__((constructor)) static void begin(void)
{
    simt_control.issued = issued;
    if (word("order=")) stream_shuffle(number("order=", 0));
    stream_skip_wait((int)number("skip=", 0));
    atexit(tell);
}
