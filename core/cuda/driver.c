/* Memory, launches and errors of one GPU, on one stream. What a kernel does wrong CUDA says in a
 * later call, so messages name the kernel that was launched last; with CUDA_LAUNCH_BLOCKING=1 it is
 * the one. */
#include "core/cuda/driver.h"

#include <dlfcn.h>
#include <stdlib.h>

enum {
    SHARED_PLAIN = 48 << 10, /* bytes that a block may have without being asked for */
    OLDEST = 8               /* compute capability that kernels are compiled for (Makefile) */
};

static cudaStream_t stream;
static struct cudaDeviceProp gpu;
static const char *launched = "none";

static void need(cudaError_t status, const char *what)
{
    if (status == cudaSuccess) return;
    die("device cuda: %s: %s (%s); last kernel: %s", what, cudaGetErrorString(status),
        cudaGetErrorName(status), launched);
}

/* The CUDA that the driver is for, 13000; 0: there is no driver. The runtime says 0 of an old one,
 * too. */
static int driver_version(void)
{
    int version = 0, (*ask)(int *version);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    *(void **)&ask = dlsym(library, "cuDriverGetVersion");
    return ask && ask(&version) == 0 ? version : 1;
}

void driver_open(void)
{
    const int driver = driver_version();
    int count = 0;
    if (!driver) die("device cuda: there is no driver of NVIDIA here (libcuda.so.1)");
    if (driver / 1000 < CUDART_VERSION / 1000)
        die("device cuda: the driver is too old: it is for CUDA %d.%d, this needs %d.0",
            driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000);
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorNoDevice || (status == cudaSuccess && !count)) {
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");
        die("device cuda: there is a driver, but no GPU%s%s",
            visible ? ": CUDA_VISIBLE_DEVICES=" : "", visible ? visible : "");
    }
    need(status, "GPUs are not counted");
    need(cudaSetDevice(0), "the GPU cannot be used");
    need(cudaGetDeviceProperties(&gpu, 0), "the GPU says nothing of itself");
    if (gpu.major < OLDEST)
        die("device cuda: %s has compute capability %d.%d; kernels are for %d.0 and later",
            gpu.name, gpu.major, gpu.minor, OLDEST);
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "the GPU cannot be used");
}

const char *driver_gpu(void)
{
    return gpu.name;
}

size_t driver_memory(void)
{
    return gpu.totalGlobalMem;
}

cudaStream_t driver_stream(void)
{
    return stream;
}

static cudaEvent_t marks[OPS_MARKS];

void driver_mark(int number)
{
    if (!marks[number]) need(cudaEventCreate(&marks[number]), "a mark");
    need(cudaEventRecord(marks[number], stream), "a mark");
}

double driver_elapsed(int from, int to)
{
    float milliseconds = 0;
    need(cudaEventSynchronize(marks[to]), "a mark");
    need(cudaEventElapsedTime(&milliseconds, marks[from], marks[to]), "a mark");
    return 1e-3 * (double)milliseconds;
}

void *driver_alloc(size_t bytes)
{
    void *memory = NULL;
    if (!bytes) bytes = 1;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        size_t left = 0, all = 0;
        need(cudaMemGetInfo(&left, &all), "memory");
        die("device cuda: out of memory: %zu bytes were asked for, %zu of %zu are free", bytes,
            left, all);
    }
    need(status, "memory");
    DEVICE(clear)(memory, bytes);
    return memory;
}

void driver_free(void *memory)
{
    DEVICE(sync)();
    need(cudaFree(memory), "memory");
}

void *device_scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        driver_free(memory);
        room = ((bytes >> 20) + 1) << 20;
        memory = driver_alloc(room);
    }
    return memory;
}

int64_t device_room(void)
{
    return (int64_t)gpu.sharedMemPerBlockOptin;
}

/* Lets a kernel have all the shared memory that there is. */
static void widen(const void *kernel, const char *name)
{
    static const void *done[64];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (done[i] == kernel) return;
    CHECK(count < COUNT_OF(done), "more kernels than %zu", COUNT_OF(done));
    need(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)gpu.sharedMemPerBlockOptin),
         name);
    done[count++] = kernel;
}

void device_launch(const void *kernel, const char *name, int64_t blocks, int threads, size_t shared,
                   const void *arguments)
{
    void *list[] = {(void *)(uintptr_t)arguments};
    if (!blocks) return;
    CHECK(blocks > 0 && blocks <= INT32_MAX, "%s: %lld blocks", name, (long long)blocks);
    if (shared > gpu.sharedMemPerBlockOptin)
        die("device cuda: %s needs %zu bytes of shared memory, a block of %s has %zu", name, shared,
            gpu.name, gpu.sharedMemPerBlockOptin);
    if (shared > SHARED_PLAIN) widen(kernel, name);
    launched = name;
    need(cudaLaunchKernel(kernel, (dim3){(unsigned)blocks, 1, 1}, (dim3){(unsigned)threads, 1, 1},
                          list, shared, stream),
         name);
}

void DEVICE(upload)(void *to, const void *from, size_t bytes)
{
    if (bytes) need(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "upload");
}

void DEVICE(download)(void *to, const void *from, size_t bytes)
{
    if (bytes) need(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "download");
    DEVICE(sync)();
}

void DEVICE(clear)(void *memory, size_t bytes)
{
    if (bytes) need(cudaMemsetAsync(memory, 0, bytes, stream), "clear");
}

/* Activations are reals; the host's rows stand one behind the other. */
void DEVICE(read_act)(const struct act *from, int64_t rows, int64_t columns, int64_t ld, real *to)
{
    const size_t width = (size_t)columns * sizeof(real);
    if (rows && columns)
        need(cudaMemcpy2DAsync(to, width, from, rows == 1 ? width : (size_t)ld * sizeof(real),
                               width, (size_t)rows, cudaMemcpyDeviceToHost, stream),
             "read_act");
    DEVICE(sync)();
}

void DEVICE(write_act)(struct act *to, int64_t rows, int64_t columns, int64_t ld, const real *from)
{
    const size_t width = (size_t)columns * sizeof(real);
    if (rows && columns)
        need(cudaMemcpy2DAsync(to, rows == 1 ? width : (size_t)ld * sizeof(real), from, width,
                               width, (size_t)rows, cudaMemcpyHostToDevice, stream),
             "write_act");
}

void DEVICE(sync)(void)
{
    need(cudaStreamSynchronize(stream), "the GPU has stopped");
}
