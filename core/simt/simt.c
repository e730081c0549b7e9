/* Schedules the threads of a block. Lanes of a warp run one after the other until no lane can
 * continue. Then the next warp runs. A barrier opens when all threads have arrived. */
#include "core/simt/simt.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* ---- fibers ---- */

/* A fiber: a function with a separate stack. A switch between fibers is like swapcontext of glibc,
 * but without its system calls. The code is for x86-64 with the System V ABI, and for aarch64. */
struct fiber {
    void *sp;
    unsigned char *stack; /* lowest byte of the stack */
    size_t bytes;
};

/* Pushes the callee-saved registers to the current stack, and stores its stack pointer in *save.
 * Then selects the stack `load`, pops its registers, and returns to the function on this stack. */
void fiber_jump(void **save, void *load);
#ifdef __x86_64__
/* Fills the saved registers of a new stack, so that fiber_jump calls begin. Returns its top. */
static void **fiber_fill(void **top, void (*begin)(void))
{
    *--top = NULL; /* begin has no caller */
    *--top = (void *)(uintptr_t)begin;
    for (int i = 0; i < 6; i++) *--top = NULL;
    return top;
}

__asm__(".text\n"
        ".globl fiber_jump\n"
        ".hidden fiber_jump\n"
        ".type fiber_jump, @function\n"
        "fiber_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size fiber_jump, .-fiber_jump\n");
#else
enum { SAVED = 20 }; /* x19 to x30 and the lower halves of v8 to v15 */

static void **fiber_fill(void **top, void (*begin)(void))
{
    top -= SAVED;
    memset(top, 0, SAVED * sizeof *top);
    top[11] = (void *)(uintptr_t)begin; /* x30, to which ret jumps */
    return top;
}

#define PAIRS(DO)                                                                                  \
    DO("x19, x20", "0")                                                                            \
    DO("x21, x22", "16")                                                                           \
    DO("x23, x24", "32")                                                                           \
    DO("x25, x26", "48")                                                                           \
    DO("x27, x28", "64")                                                                           \
    DO("x29, x30", "80")                                                                           \
    DO("d8, d9", "96")                                                                             \
    DO("d10, d11", "112")                                                                          \
    DO("d12, d13", "128")                                                                          \
    DO("d14, d15", "144")
#define SAVE(pair, at) "    stp " pair ", [sp, " at "]\n"
#define LOAD(pair, at) "    ldp " pair ", [sp, " at "]\n"
__asm__(".text\n"
        ".globl fiber_jump\n"
        ".hidden fiber_jump\n"
        ".type fiber_jump, @function\n"
        "fiber_jump:\n"
        "    sub sp, sp, 160\n" PAIRS(SAVE) /* */
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n" PAIRS(LOAD) /* */
        "    add sp, sp, 160\n"
        "    ret\n"
        ".size fiber_jump, .-fiber_jump\n");
#endif

/* Distances between stacks are multiples of the page size, so all stacks would begin in the same
 * few sets of the first-level cache. COLORS different offsets spread the stacks over all sets. */
enum { PAGE = 4096, COLORS = 8 };

/* Makes a fiber. begin() must call fiber_begun() first, and must never return. Below the stack is a
 * page without access, so that an overflow ends the program. */
static void fiber_new(struct fiber *fiber, void (*begin)(void))
{
    static unsigned made;
    unsigned char *memory = mmap(NULL, PAGE + FIBER_STACK, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory, PAGE, PROT_NONE) == 0, "no stack for a fiber");
    *fiber = (struct fiber){.stack = memory + PAGE, .bytes = FIBER_STACK};
    const size_t offset = made++ % COLORS * (PAGE / COLORS);
    fiber->sp = fiber_fill((void **)(void *)(fiber->stack + FIBER_STACK - offset), begin);
}

/* Makes a fiber for the running thread, so that other fibers can switch back to this thread. */
static void fiber_here(struct fiber *fiber)
{
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t bytes = 0;
    CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0, "this thread has no stack");
    pthread_attr_getstack(&attributes, &stack, &bytes);
    pthread_attr_destroy(&attributes);
    *fiber = (struct fiber){.stack = stack, .bytes = bytes};
}

/* Suspends `from` and continues `to`. Returns when another fiber switches back to `from`. */
static void fiber_switch(struct fiber *from, const struct fiber *to)
{
#ifdef __SANITIZE_ADDRESS__
    void *fake;
    __sanitizer_start_switch_fiber(&fake, to->stack, to->bytes);
#endif
    fiber_jump(&from->sp, to->sp);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
}

static void fiber_begun(void)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}

/* ---- threads of a block ---- */

enum { WARPS = SIMT_THREADS / SIMT_LANES };

struct simt_now simt_now;
struct simt_control simt_control;

/* Sets of lanes as bits. A lane of `all` that is in no other set is running, or waits at the
 * barrier of the block. */
struct warp {
    uint32_t all, ready, meeting, ended;
};

static struct lane {
    struct fiber fiber;
    const char *place; /* source location at which the lane waits */
    unsigned mask;     /* lanes for which the lane waits */
    uint64_t bits;     /* input of the lane, then its result */
    int source;
} lanes[SIMT_THREADS];
static struct warp warps[WARPS];
static struct fiber host;

/* Returns a hash of x. It determines the order of warps and, for each warp, the order of lanes
 * (simt_control.order). */
static uint32_t mixed(uint32_t x)
{
    x *= 0x9E3779B9u;
    x ^= x >> 15;
    x *= 0x85EBCA6Bu;
    return x ^ x >> 13;
}

static int warp_of(unsigned thread)
{
    return (int)(thread / SIMT_LANES);
}

static uint32_t bit_of(unsigned thread)
{
    return 1u << thread % SIMT_LANES;
}

void simt_fail(const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    CHECK(false, "kernel %s, block %u, thread %u: %s",
          simt_now.kernel ? simt_now.kernel->name : "(none)", simt_now.block.x, simt_now.thread.x,
          text);
}

/* True if both are the same source location. Usually the pointers are then equal. */
static bool same_place(const char *a, const char *b)
{
    return a == b || !strcmp(a, b);
}

void simt_memory(const void *memory, size_t bytes)
{
    if (simt_control.watch) simt_control.watch->memory(memory, bytes);
}

/* Returns the thread of the next lane that runs. The order of the warp is lane 0 ^ turn, 1 ^ turn,
 * .. */
static unsigned next_lane(int warp, uint32_t ready)
{
    if (!simt_control.order) return (unsigned)warp * SIMT_LANES + (unsigned)__builtin_ctz(ready);
    const unsigned turn = mixed(simt_control.order + (uint32_t)warp * 77u) % SIMT_LANES;
    unsigned lane = turn;
    for (unsigned i = 0; i < SIMT_LANES; i++) {
        lane = i ^ turn;
        if (ready & (1u << lane)) break;
    }
    return (unsigned)warp * SIMT_LANES + lane;
}

static void go(struct fiber *from, unsigned thread)
{
    warps[warp_of(thread)].ready &= ~bit_of(thread);
    simt_now.thread.x = thread;
    fiber_switch(from, &lanes[thread].fiber);
}

/* Suspends the running lane, which waits or has ended. Continues another lane of its warp, or the
 * host. */
static void leave(void)
{
    const unsigned self = simt_now.thread.x;
    const int warp = warp_of(self);
    if (warps[warp].ready)
        go(&lanes[self].fiber, next_lane(warp, warps[warp].ready));
    else
        fiber_switch(&lanes[self].fiber, &host);
}

static void lane_begin(void)
{
    fiber_begun();
    for (;;) {
        simt_now.kernel->body(simt_now.arguments);
        warps[warp_of(simt_now.thread.x)].ended |= bit_of(simt_now.thread.x);
        leave();
    }
}

/* Stores the bits of the lane, and waits until all lanes of the mask have arrived. The last of them
 * calls hand_out, which computes the result of each lane. Returns the lane's result. */
static uint64_t exchange(unsigned mask, uint64_t bits, int source, const char *place,
                         void (*hand_out)(struct lane *lane, unsigned mask))
{
    const unsigned self = simt_now.thread.x;
    struct warp *warp = &warps[warp_of(self)];
    struct lane *first = &lanes[self / SIMT_LANES * SIMT_LANES];
    if (!(mask & bit_of(self))) simt_fail("is not in the mask %08x at %s", mask, place);
    if (mask & ~warp->all) simt_fail("lanes of the mask %08x at %s do not exist", mask, place);
    if (mask & warp->ended) simt_fail("lanes of the mask %08x at %s have ended", mask, place);
    lanes[self].mask = mask;
    lanes[self].place = place;
    lanes[self].bits = bits;
    lanes[self].source = source;
    warp->meeting |= bit_of(self);
    if ((warp->meeting & mask) == mask) {
        for (unsigned i = 0; i < SIMT_LANES; i++)
            if (mask & (1u << i) && (first[i].mask != mask || !same_place(first[i].place, place)))
                simt_fail("meets at %s, mask %08x, where lane %u is at %s, mask %08x", place, mask,
                          i, first[i].place, first[i].mask);
        warp->meeting &= ~mask;
        warp->ready |= mask & ~bit_of(self);
        if (hand_out) hand_out(first, mask);
        if (simt_control.watch) simt_control.watch->met(mask, !hand_out);
    } else {
        leave();
    }
    return lanes[self].bits;
}

static void hand_shuffle(struct lane *lane, unsigned mask)
{
    uint64_t bits[SIMT_LANES];
    for (int i = 0; i < SIMT_LANES; i++) bits[i] = lane[i].bits;
    for (int i = 0; i < SIMT_LANES; i++) {
        if (!(mask & (1u << i)) || lane[i].source < 0 || lane[i].source >= SIMT_LANES) continue;
        if (!(mask & (1u << lane[i].source)))
            simt_fail("lane %d reads lane %d, which is not in the mask %08x at %s", i,
                      lane[i].source, mask, lane[i].place);
        lane[i].bits = bits[lane[i].source];
    }
}

static void hand_ballot(struct lane *lane, unsigned mask)
{
    unsigned votes = 0;
    for (int i = 0; i < SIMT_LANES; i++)
        if (mask & (1u << i) && lane[i].bits) votes |= 1u << i;
    for (int i = 0; i < SIMT_LANES; i++)
        if (mask & (1u << i)) lane[i].bits = votes;
}

static void (*do_together)(void *const of[SIMT_LANES]); /* argument `all` of together(); the lane
                                                           that arrives last calls it */

static void hand_together(struct lane *lane, unsigned mask)
{
    void *of[SIMT_LANES];
    for (int i = 0; i < SIMT_LANES; i++) of[i] = (void *)(uintptr_t)lane[i].bits;
    CHECK(mask == ~0u, "not all lanes have come");
    do_together(of);
}

static bool skipped(const char *place)
{
    if (simt_control.barrier) simt_control.barrier(simt_now.kernel->name, place);
    return simt_control.skip_kernel && !strcmp(simt_control.skip_kernel, simt_now.kernel->name) &&
           !strcmp(simt_control.skip_place, place);
}

void simt_meet(unsigned mask, const char *place)
{
    if (!skipped(place)) exchange(mask, 0, 0, place, NULL);
}

unsigned simt_ballot(unsigned mask, bool yes, const char *place)
{
    return (unsigned)exchange(mask, yes, 0, place, hand_ballot);
}

uint64_t simt_shuffle(unsigned mask, uint64_t bits, int source, const char *place)
{
    return exchange(mask, bits, source, place, hand_shuffle);
}

/* Runs an operation of all lanes of a warp. The lane that arrives last calls `all` with the
 * argument of each lane. */
static void together(void *mine, void (*all)(void *const of[SIMT_LANES]), const char *place)
{
    do_together = all;
    exchange(~0u, (uint64_t)(uintptr_t)mine, 0, place, hand_together);
}

enum { M = 16, N = 8, K = 16 };

/* Operands of one lane for a warp's product on tensor cores (core/cuda/warp_mma.h). The lane that
 * arrives last computes the product of all lanes, and sums in the order of k. */
struct mma_lane {
    float *c;
    const uint32_t *a, *b;
};

/* Returns one of the two bf16 numbers of a pair. A bf16 is the upper half of a float. */
static float half_of(uint32_t pair, int high)
{
    const uint32_t bits = high ? pair & 0xffff0000u : pair << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void multiply(void *const of[SIMT_LANES])
{
    float a[M][K], b[K][N];
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma_lane *lane = of[l];
        const int g = l / 4, column = l % 4 * 2;
        for (int high = 0; high < 2; high++) {
            for (int i = 0; i < 4; i++)
                a[g + i % 2 * 8][column + i / 2 * 8 + high] = half_of(lane->a[i], high);
            for (int i = 0; i < 2; i++) b[column + i * 8 + high][g] = half_of(lane->b[i], high);
        }
    }
    for (int l = 0; l < SIMT_LANES; l++) {
        const struct mma_lane *lane = of[l];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < K; k++)
                lane->c[i] = fmaf(a[l / 4 + i / 2 * 8][k], b[k][l % 4 * 2 + i % 2], lane->c[i]);
    }
}

void simt_mma(float c[4], const uint32_t a[4], const uint32_t b[2], const char *place)
{
    struct mma_lane mine = {c, a, b};
    together(&mine, multiply, place);
}

void simt_barrier(const char *place)
{
    if (skipped(place)) return;
    lanes[simt_now.thread.x].place = place;
    leave();
}

/* Runs all warps until every thread waits or has ended. */
static void run_warps(int count)
{
    const int first = (int)(mixed(simt_control.order) % (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const int warp = simt_control.order ? (2 * count + first - i) % count : i;
        if (warps[warp].ready) go(&host, next_lane(warp, warps[warp].ready));
        if (!warps[warp].meeting) continue;
        simt_now.thread.x =
            (unsigned)warp * SIMT_LANES + (unsigned)__builtin_ctz(warps[warp].meeting);
        const struct lane *lane = &lanes[simt_now.thread.x];
        simt_fail("waits at %s for the lanes %08x, of which %08x never arrive", lane->place,
                  lane->mask, lane->mask & ~warps[warp].meeting);
    }
}

/* Opens the barrier if all threads wait at it. Returns false if all threads have ended. */
static bool open_barrier(int count)
{
    unsigned first = SIMT_THREADS;
    bool ended = false;
    for (unsigned t = 0; t < simt_now.threads.x; t++) {
        simt_now.thread.x = t;
        if (warps[warp_of(t)].ended & bit_of(t)) {
            ended = true;
            continue;
        }
        if (first == SIMT_THREADS) first = t;
        if (!same_place(lanes[t].place, lanes[first].place))
            simt_fail("waits at the barrier %s, thread %u at %s", lanes[t].place, first,
                      lanes[first].place);
    }
    if (first == SIMT_THREADS) return false;
    simt_now.thread.x = first;
    if (ended)
        simt_fail("waits at the barrier %s, but other threads have ended", lanes[first].place);
    for (int w = 0; w < count; w++) warps[w].ready = warps[w].all;
    if (simt_control.watch) simt_control.watch->opened(lanes[first].place);
    return true;
}

/* Fills a block's shared memory with bits that are NaN in every format. Forbids access to the
 * memory after it, in builds with AddressSanitizer. */
static void share(unsigned char memory[SIMT_SHARED], size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(memory, bytes);
    __asan_poison_memory_region(memory + bytes, SIMT_SHARED - bytes);
#endif
    memset(memory, 0xff, bytes);
}

void simt_launch(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                 const void *arguments)
{
    static unsigned char memory[SIMT_SHARED] __attribute__((aligned(128)));
    if (simt_control.issued && !simt_control.issued(kernel, blocks, shared, arguments)) return;
    const unsigned threads = kernel->threads;
    const int count = (int)(threads + SIMT_LANES - 1) / SIMT_LANES;
    simt_now = (struct simt_now){.threads = {threads},
                                 .blocks = {(unsigned)blocks},
                                 .shared = memory,
                                 .shared_bytes = shared,
                                 .arguments = arguments,
                                 .kernel = kernel};
    CHECK(threads > 0 && threads <= SIMT_THREADS && blocks >= 0 && blocks <= INT32_MAX,
          "%s: %lld blocks of %u threads", kernel->name, (long long)blocks, threads);
    CHECK(shared <= SIMT_SHARED, "%s: %zu bytes of shared memory, a block has %d", kernel->name,
          shared, SIMT_SHARED);
    if (!host.stack) fiber_here(&host);
    for (unsigned t = 0; t < threads; t++)
        if (!lanes[t].fiber.stack) fiber_new(&lanes[t].fiber, lane_begin);
    if (simt_control.launch) simt_control.launch(kernel, blocks, true);
    for (int64_t block = 0; block < blocks; block++) {
        simt_now.block.x = (unsigned)block;
        share(memory, shared);
        for (int w = 0; w < count; w++) {
            const unsigned left = threads - (unsigned)w * SIMT_LANES;
            const uint32_t all = left >= SIMT_LANES ? ~0u : (1u << left) - 1;
            warps[w] = (struct warp){.all = all, .ready = all};
        }
        if (simt_control.watch) simt_control.watch->block();
        do run_warps(count);
        while (open_barrier(count));
    }
    if (simt_control.launch) simt_control.launch(kernel, blocks, false);
    simt_now.kernel = NULL;
}
