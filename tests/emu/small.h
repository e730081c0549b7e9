/* Small kernels, correct and wrong ones, for the watch's own test. */
#pragma once

#include "core/base/base.h"

struct small {
    float *out;
    const float *in;
    int32_t *tokens;
    unsigned char *bytes;
    bool wrong;             /* omits the ordering, or makes a forbidden access */
    const int32_t *program; /* small_program, of two blocks: [2, steps, 1 + 64] */
    int steps;
    bool shared; /* accesses shared memory, else `bytes` */
};

/* A step of a program: the accesses of its threads, then a barrier. */
enum { PROGRAM_THREADS = 64, PROGRAM_BLOCKS = 2, PROGRAM_BYTES = 64 };
enum { MEET_NONE, MEET_BLOCK, MEET_WARP, MEET_HALF = MEET_WARP + 2, MEETS = MEET_HALF + 4 };
/* Code of a thread's access: 0, or 1 + 2 (5 place + log2(bytes)) + writes; place in units of the
 * bytes. */
enum { PROGRAM_SIZES = 5 };

/* Each function launches its kernel. */
#define SMALL_KERNELS(X)                                                                           \
    X(mirror)                                                                                      \
    X(same_value)                                                                                  \
    X(warp_mirror)                                                                                 \
    X(half_mirror)                                                                                 \
    X(other_half)                                                                                  \
    X(shuffled)                                                                                    \
    X(read_then_write)                                                                             \
    X(read_then_write_in_warp)                                                                     \
    X(many_readers)                                                                                \
    X(blocks_write)                                                                                \
    X(blocks_read)                                                                                 \
    X(blocks_read_write)                                                                           \
    X(neighbors)                                                                                   \
    X(wide)                                                                                        \
    X(beyond_shared)                                                                               \
    X(beyond_device)                                                                               \
    X(odd_place)                                                                                   \
    X(arguments)                                                                                   \
    X(on_host)                                                                                     \
    X(foreign_mask)                                                                                \
    X(fragment)                                                                                    \
    X(copy)                                                                                        \
    X(rows)                                                                                        \
    X(packs)                                                                                       \
    X(again)                                                                                       \
    X(shared_row)                                                                                  \
    X(program)
/* Each launches its kernel. */
#define SMALL(name) void small_##name(const struct small *s);
SMALL_KERNELS(SMALL)
#undef SMALL
