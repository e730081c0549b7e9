/* Counts of memory traffic. One table has two counts. The first is how often a thread reached a
 * code location. The second is which bytes of a sector were accessed by a warp, or by the warps of
 * a block. Entries of an earlier barrier or block count as absent. */
#include "tests/watch/watch_count.h"

#include <stdlib.h>
#include <string.h>

#include "core/simt/simt.h"

enum { KERNELS = 256, SECTOR = 32, CAPACITY_FIRST = 1 << 12 };

static struct watch_count kernels[KERNELS], *kernel;
static int kernel_count;

/* A key is a hash of its parts; collisions are ignored. */
static struct tally {
    uint64_t key;
    uint32_t bytes, times; /* bytes as bits */
    uint32_t block;        /* number of a block since watch_begin, from 1 */
} * tallies;
static uint32_t capacity, used, block;

/* The current meeting, and the last meeting of each thread with other lanes of its warp. */
static uint32_t meeting, met[SIMT_THREADS];

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

static struct tally *slot(uint64_t key)
{
    uint32_t i = (uint32_t)key & (capacity - 1);
    while (tallies[i].block == block && tallies[i].key != key) i = (i + 1) & (capacity - 1);
    return &tallies[i];
}

static void grow(void)
{
    struct tally *old = tallies;
    const uint32_t count = capacity;
    capacity = count ? 2 * count : CAPACITY_FIRST;
    tallies = calloc(capacity, sizeof *tallies);
    CHECK(tallies, "no memory to count accesses");
    for (uint32_t i = 0; i < count; i++)
        if (old[i].block == block) *slot(old[i].key) = old[i];
    free(old);
}

/* Returns the entry of a key in the running block; a new entry is zero. */
static struct tally *tally_of(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t key = mixed(mixed(mixed(a) + b) + c);
    if (2 * used >= capacity) grow();
    struct tally *tally = slot(key);
    if (tally->block != block) {
        *tally = (struct tally){.key = key, .block = block};
        used++;
    }
    return tally;
}

void count_begin(void)
{
    kernel_count = 0;
    memset(kernels, 0, sizeof kernels);
}

void count_met(unsigned warp, unsigned lanes)
{
    meeting++;
    for (unsigned i = 0; i < SIMT_LANES; i++)
        if (lanes & (1u << i)) met[warp * SIMT_LANES + i] = meeting;
}

void count_opened(void)
{
    for (unsigned w = 0; w < SIMT_THREADS / SIMT_LANES; w++) count_met(w, ~0u);
}

void count_block(void)
{
    const char *name = simt_now.kernel->name;
    block++;
    used = 0;
    if (simt_now.block.x == 0) {
        int i = 0;
        while (i < kernel_count && strcmp(kernels[i].kernel, name) != 0) i++;
        CHECK(i < KERNELS, "more than %d kernels", KERNELS);
        kernel = &kernels[i];
        kernel->kernel = name;
        kernel->launches++;
        if (i == kernel_count) kernel_count++;
    }
    count_opened();
}

/* Returns the number of bytes that are new to the block. The bytes of the sector are new to an
 * access of the warp; they are new to the block unless it had them as often. */
static int64_t fetched(uint64_t sector, uint32_t bytes)
{
    const unsigned warp = simt_now.thread.x / SIMT_LANES;
    struct tally *own = tally_of(sector, warp, 2);
    if (!own->times || own->bytes & bytes) {
        own->times++;
        own->bytes = 0;
    }
    own->bytes |= bytes;
    const uint32_t times = own->times;
    struct tally *all = tally_of(sector, SIMT_LANES, 3);
    if (all->times > times) return 0;
    if (all->times < times) all->bytes = 0;
    all->times = times;
    const uint32_t more = bytes & ~all->bytes;
    all->bytes |= bytes;
    return __builtin_popcount(more);
}

void count_access(uintptr_t at, size_t bytes, bool write, const void *place)
{
    const unsigned self = simt_now.thread.x;
    struct tally *here = tally_of((uintptr_t)place, self, (uint64_t)met[self] << 2);
    const uint32_t time = here->times++;
    for (const uintptr_t end = at + bytes; at < end;) {
        const uintptr_t next = (at / SECTOR + 1) * SECTOR, to = end < next ? end : next;
        const uint32_t mask = (uint32_t)((1ull << (to - at)) - 1) << at % SECTOR;
        struct tally *sector = tally_of((uintptr_t)place + ((uint64_t)time << 48), at / SECTOR,
                                        (uint64_t)met[self] << 2 | 1);
        const uint32_t more = mask & ~sector->bytes;
        if (!sector->bytes) kernel->sectors++;
        sector->bytes |= mask;
        kernel->moved += __builtin_popcount(more);
        if (write)
            kernel->written += __builtin_popcount(more);
        else if (more)
            kernel->read += fetched(at / SECTOR, more);
        at = to;
    }
}

const struct watch_count *watch_counts(int *count)
{
    *count = kernel_count;
    return kernels;
}
