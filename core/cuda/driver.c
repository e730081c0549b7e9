/* Memory, launches and errors of one GPU. Operations are issued to the main stream or, in a fork,
 * to the side stream. CUDA reports an error of a kernel in a later call. With SANLAB_CUDA_SYNC=1
 * the host waits after each kernel, so that the message has the op and the kernel. */
#include "core/cuda/driver.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/off.h"

enum {
    SHARED_PLAIN = 48 << 10, /* bytes of shared memory per block that need no call of `widen` */
    /* Lowest major number of a compute capability for which kernels are compiled (mk/gpu.mk). */
    OLDEST = 8
};

static cudaStream_t stream, side; /* main stream; stream of forks */
static bool forked;
static bool plans;
static void (*moves)(void);
static struct cudaDeviceProp gpu;
static int gpu_number, gpu_count, driver;
static bool synced;
static const char *op, *launched; /* last issued op and kernel; NULL: none yet */

NORETURN static void refuse(const char *what, const char *error, const char *name)
{
    const char *node = synced && op ? device_node() : NULL;
    if (synced && op)
        die("device cuda: op %s%s%s, kernel %s: %s: %s (%s)", op, node ? " of node " : "",
            node ? node : "", launched ? launched : "none", what, error, name);
    die("device cuda: %s: %s (%s); SANLAB_CUDA_SYNC=1 names the op and its node", what, error,
        name);
}

void driver_need(int status, const char *what)
{
    if (status != cudaSuccess)
        refuse(what, cudaGetErrorString((cudaError_t)status),
               cudaGetErrorName((cudaError_t)status));
}

/* Returns the CUDA version that the driver supports, such as 13000; 1 if the version is unknown.
 * (CUDA's runtime would also return 0 for an old driver.) */
static int driver_version(void)
{
    int version = 0, (*ask)(int *version);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) die("device cuda: NVIDIA's driver cannot be opened: %s", dlerror());
    *(void **)&ask = dlsym(library, "cuDriverGetVersion");
    return ask && ask(&version) == 0 ? version : 1;
}

static void check_count(int number)
{
    const cudaError_t status = cudaGetDeviceCount(&gpu_count);
    if (status == cudaErrorNoDevice || (status == cudaSuccess && !gpu_count)) {
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");
        die("device cuda: the driver finds no GPU%s%s%s",
            visible ? ": CUDA_VISIBLE_DEVICES=\"" : "", visible ? visible : "",
            visible ? "\"" : "");
    }
    driver_need(status, "cannot count the GPUs");
    if (number < gpu_count) return;
    if (gpu_count == 1) die("device cuda:%d: this machine has one GPU; expected cuda:0", number);
    die("device cuda:%d: this machine has %d GPUs; expected cuda:0 to cuda:%d", number, gpu_count,
        gpu_count - 1);
}

void driver_open(int number)
{
    const char *sync = getenv("SANLAB_CUDA_SYNC");
    if (stream) return;
    off_check("cuda");
    synced = sync && sync[0] && strcmp(sync, "0") != 0;
    driver = driver_version();
    if (driver / 1000 < CUDART_VERSION / 1000)
        die("device cuda: the driver is too old: it supports CUDA %d.%d; expected %d.0 or later",
            driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000);
    check_count(number);
    gpu_number = number;
    driver_need(cudaGetDeviceProperties(&gpu, number), "cannot read the properties of the GPU");
    if (gpu.major < OLDEST)
        die("device cuda:%d: %s has compute capability %d.%d; kernels are for %d.0 and later",
            number, gpu.name, gpu.major, gpu.minor, OLDEST);
    driver_need(cudaSetDevice(number), "the GPU cannot be used");
    driver_need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                "the GPU cannot be used");
    driver_need(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "the GPU cannot be used");
}

const char *driver_gpu(void)
{
    return gpu.name;
}

const char *driver_facts(void)
{
    static char text[sizeof gpu.name + 256];
    size_t left = 0, all = 0;
    driver_need(cudaMemGetInfo(&left, &all), "memory");
    snprintf(text, sizeof text,
             "driver for CUDA %d.%d, this needs %d.0; cuda:%d of %d GPU%s: %s, compute capability "
             "%d.%d; %.1f of %.1f GB of its memory are free",
             driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, gpu_number, gpu_count,
             gpu_count == 1 ? "" : "s", gpu.name, gpu.major, gpu.minor, 1e-9 * (double)left,
             1e-9 * (double)all);
    return text;
}

size_t driver_memory(void)
{
    return gpu.totalGlobalMem;
}

cudaStream_t driver_stream(void)
{
    return forked ? side : stream;
}

/* Rings of events, with one event of each ring per fork. `begun` marks its beginning on the main
 * stream. `ended` marks its end on the side stream. */
enum { FORKS = 64 };
static cudaEvent_t begun[FORKS], ended[FORKS];
static int forks;

static void pass(cudaEvent_t *event, cudaStream_t of)
{
    if (!*event)
        driver_need(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                    "cannot fork the stream");
    driver_need(cudaEventRecord(*event, of), "cannot fork the stream");
}

void driver_plan(bool on)
{
    plans = on;
}

bool driver_plans(void)
{
    return plans;
}

void driver_tell_moves(void (*tell)(void))
{
    moves = tell;
}

void driver_fork(void)
{
    CHECK(!forked, "a fork within a fork");
    if (!driver_plans()) {
        pass(&begun[forks % FORKS], stream);
        driver_need(cudaStreamWaitEvent(side, begun[forks % FORKS], 0), "cannot fork the stream");
    }
    forked = true;
}

void driver_fork_end(void)
{
    forked = false;
    if (!driver_plans()) pass(&ended[forks++ % FORKS], side);
}

void driver_join(int late)
{
    CHECK(late < FORKS, "%d forks at one time", late);
    if (forks > late)
        driver_need(cudaStreamWaitEvent(stream, ended[(forks - late - 1) % FORKS], 0),
                    "cannot join the streams");
    if (!late) forks = 0;
}

bool driver_synced(void)
{
    return synced;
}

void driver_op_begins(const char *name)
{
    op = name, launched = NULL;
}

void driver_op_ends(void)
{
    driver_sync();
    op = NULL;
}

static cudaEvent_t marks[OPS_MARKS];

void driver_mark(int number)
{
    if (!marks[number]) driver_need(cudaEventCreate(&marks[number]), "cannot use a timing mark");
    driver_need(cudaEventRecord(marks[number], stream), "cannot use a timing mark");
}

double driver_elapsed(int from, int to)
{
    float milliseconds = 0;
    driver_need(cudaEventSynchronize(marks[to]), "cannot use a timing mark");
    driver_need(cudaEventElapsedTime(&milliseconds, marks[from], marks[to]),
                "cannot use a timing mark");
    return 1e-3 * (double)milliseconds;
}

void *driver_alloc(size_t bytes)
{
    void *memory = NULL;
    if (!bytes) bytes = 1;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        size_t left = 0, all = 0;
        driver_need(cudaMemGetInfo(&left, &all), "memory");
        die("device cuda: out of memory: cannot allocate %.1f MB, %.1f of %.1f MB are free; use a "
            "smaller train.batch_tokens, a larger train.accumulate or fewer workers (-j)",
            1e-6 * (double)bytes, 1e-6 * (double)left, 1e-6 * (double)all);
    }
    driver_need(status, "memory");
    driver_clear(memory, bytes);
    return memory;
}

void driver_free(void *memory)
{
    driver_sync();
    driver_need(cudaFree(memory), "memory");
}

void *device_scratch(size_t bytes)
{
    static void *memory[DEVICE_STREAMS];
    static size_t capacity[DEVICE_STREAMS];
    if (bytes > capacity[forked]) {
        if (moves) moves();
        driver_free(memory[forked]);
        capacity[forked] = ((bytes >> 20) + 1) << 20;
        memory[forked] = driver_alloc(capacity[forked]);
    }
    return memory[forked];
}

int64_t device_room(void)
{
    return (int64_t)gpu.sharedMemPerBlockOptin;
}

bool device_has_fragments(void)
{
    return !off_names("wmma");
}

/* Allows a kernel to use the maximum of shared memory. CUDA needs this once per kernel. */
static void widen(const void *kernel, const char *name)
{
    static const void *done[128];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (done[i] == kernel) return;
    CHECK(count < COUNT_OF(done), "more kernels than %zu", COUNT_OF(done));
    driver_need(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)gpu.sharedMemPerBlockOptin),
                name);
    done[count++] = kernel;
}

void device_launch(const void *kernel, const char *name, int64_t blocks, int threads, size_t shared,
                   const void *arguments)
{
    void *list[] = {(void *)(uintptr_t)arguments};
    if (!blocks || driver_plans()) return;
    CHECK(blocks > 0 && blocks <= INT32_MAX, "%s: %lld blocks", name, (long long)blocks);
    if (shared > gpu.sharedMemPerBlockOptin)
        die("device cuda: %s needs %zu bytes of shared memory, a block of %s has %zu", name, shared,
            gpu.name, gpu.sharedMemPerBlockOptin);
    launched = name;
    if (shared > SHARED_PLAIN) widen(kernel, name);
    driver_need(cudaLaunchKernel(kernel, (dim3){(unsigned)blocks, 1, 1},
                                 (dim3){(unsigned)threads, 1, 1}, list, shared, driver_stream()),
                name);
    if (synced) driver_sync();
}

void driver_clear(void *memory, size_t bytes)
{
    if (bytes) driver_need(cudaMemsetAsync(memory, 0, bytes, driver_stream()), "clear");
}

void driver_sync(void)
{
    driver_need(cudaStreamSynchronize(side), "cannot wait for the GPU");
    driver_need(cudaStreamSynchronize(stream), "cannot wait for the GPU");
}
