/* CUDA's threads on the host: what a kernel of core/cuda is written in where gcc compiles it
 * (core/cuda/kernel.h). Every thread of a block is a fiber; they run one at a time, each as far as
 * it can, so that the same order gives the same bits every time, and another order other ones where
 * a kernel has a race.
 *
 * A kernel that breaks a rule of CUDA ends the program with the kernel, the block and the threads:
 * threads of a block at different barriers, lanes of a mask at different warp functions, threads
 * that have ended while others wait for them. Shared memory is NaN when a block begins. */
#pragma once

#include "core/base/base.h"

enum {
    SIMT_LANES = 32,
    SIMT_THREADS = 1024,    /* of a block, at most */
    SIMT_SHARED = 227 << 10 /* bytes of shared memory of a block, at most: an H200's */
};

struct simt_index {
    unsigned x;
};

struct simt_kernel {
    const char *name;
    void (*body)(const void *arguments);
    unsigned threads; /* of a block */
    size_t bytes;     /* of its arguments */
};

/* What runs now. */
struct simt_now {
    struct simt_index thread, block, threads, blocks;
    unsigned char *shared; /* the block's memory, */
    size_t shared_bytes;   /* as much as was asked for */
    const void *arguments;
    const struct simt_kernel *kernel; /* NULL: none runs */
};
extern struct simt_now simt_now;

/* Runs all blocks, one after the other. */
void simt_launch(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                 const void *arguments);

/* What somebody who watches memory has to know (tests/watch/watch.h). */
struct simt_watch {
    /* Device memory of so many bytes is there; 0: no longer. */
    void (*memory)(const void *memory, size_t bytes);
    /* A block begins. */
    void (*block)(void);
    /* The lanes of a mask have met, in the running thread's warp; `orders`: at a __syncwarp. */
    void (*met)(unsigned mask, bool orders);
    /* All threads of the block have come to a barrier. */
    void (*opened)(const char *place);
};

/* What tests may set between launches. */
struct simt_control {
    /* Which warp, and which lane of it, runs first: 0 is their order, others mix it. */
    uint32_t order;
    /* The barrier that no thread waits at: the kernel's name and its place; NULL: none. */
    const char *skip_kernel, *skip_place;
    /* Asked for every barrier that a thread comes to; NULL: not wanted. */
    void (*barrier)(const char *kernel, const char *place);
    /* Asked before every launch; false: it does not run. NULL: all do. */
    bool (*issued)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                   const void *arguments);
    /* Asked before and behind every launch. */
    void (*launch)(const struct simt_kernel *kernel, int64_t blocks, bool begins);
    const struct simt_watch *watch; /* NULL: nobody watches */
};
extern struct simt_control simt_control;

/* The functions of CUDA, with the place in the source that calls them. Values travel as their bits;
 * a lane whose source is outside of the warp keeps its own. */
void simt_barrier(const char *place);
void simt_meet(unsigned mask, const char *place);
unsigned simt_ballot(unsigned mask, bool yes, const char *place);
uint64_t simt_shuffle(unsigned mask, uint64_t bits, int source, const char *place);
/* What all lanes of a warp do together: the last one that comes calls `all` with what each has
 * brought, by lane. */
void simt_together(void *mine, void (*all)(void *const of[SIMT_LANES]), const char *place);
/* c += a b by all lanes of a warp, of which each has a part (core/cuda/warp_mma.h). */
void simt_mma(float c[4], const uint32_t a[4], const uint32_t b[2], const char *place);

/* Says of device memory that it is there; 0 bytes: no longer. */
void simt_memory(const void *memory, size_t bytes);

/* Ends the program: what the running thread did, and where it stands. */
NORETURN void simt_fail(const char *format, ...) PRINTF(1, 2);
