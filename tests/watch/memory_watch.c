/* Race detection by byte: every byte has its last writer and readers, with times. The clock
 * advances at barriers, so two accesses are ordered if their threads have met since the first. */
#include "tests/watch/memory_watch.h"

#include <stdlib.h>
#include <string.h>

#include "core/simt/simt.h"
#include "tests/watch/watch_count.h"

enum {
    HALF = SIMT_LANES / 2,
    WARPS = SIMT_THREADS / SIMT_LANES,
    SECOND = 16, /* the mask 0xffff0000 is the first one's, so far away */
    WORD = 4,
    BLOCKS = 256, /* of device memory at once */
    HINTS = 64,
    PAGE_BITS = 8
};
static const unsigned first_half = 0xffff;

/* State of a byte. The first byte of a word holds the state of the whole word, until a part of the
 * word is accessed. A time before the launch began, or before its last barrier, is void.
 *
 * Readers are the lanes of the first warp that has read since the last barrier, by halves. This
 * warp does not run again before the next barrier, so later writers of other warps detect the
 * conflict. */
struct cell {
    uint32_t wrote, read[2];
    uint32_t before;   /* the last read by an earlier block */
    uint32_t split;    /* of a word: the time from which the state of its bytes is separate */
    uint16_t lanes[2]; /* lanes that have read since their half last met */
    uint16_t writer;   /* a thread */
    uint8_t warp;
};

static struct memory {
    uintptr_t start;
    size_t bytes, capacity; /* number of cells */
    struct cell *cells;     /* kept when the memory is released; their content is then outdated */
} memories[BLOCKS];
static int memory_count;
static uint8_t hints[HINTS]; /* cache: index of the memory of recent addresses */

static bool races, counts;
static struct cell *shared_cells;

/* Times of the clock. */
static uint32_t now, launched, begun, barrier, warp_met[WARPS], half_met[2 * WARPS];
static uint32_t oldest; /* first time that counts: the launch's; for shared memory the block's */
static uint32_t *blocks_begun;
static int64_t blocks_room;
/* State of the running block. */
static int barriers;
static const char *barrier_place;

static uint32_t tick(void)
{
    CHECK(now < UINT32_MAX, "the clock has run out");
    return ++now;
}

static void all_met(void)
{
    barrier = tick();
    for (int w = 0; w < WARPS; w++) warp_met[w] = barrier;
    for (int h = 0; h < 2 * WARPS; h++) half_met[h] = barrier;
}

/* Two threads have last met. */
static uint32_t last_met(unsigned a, unsigned b)
{
    if (a / SIMT_LANES != b / SIMT_LANES) return barrier;
    return a / HALF != b / HALF ? warp_met[a / SIMT_LANES] : half_met[a / HALF];
}

/* Returns the memory that contains an address; NULL if there is none. */
static struct memory *memory_of(uintptr_t at)
{
    uint8_t *hint = &hints[(at >> PAGE_BITS) % HINTS];
    if (at - memories[*hint].start < memories[*hint].bytes) return &memories[*hint];
    for (int i = 0; i < memory_count; i++) {
        if (at - memories[i].start >= memories[i].bytes) continue;
        *hint = (uint8_t)i;
        return &memories[i];
    }
    return NULL;
}

static const char *where(uintptr_t at)
{
    static char text[128];
    const struct memory *m = memory_of(at);
    if (m)
        snprintf(text, sizeof text, "byte %zu of %zu of device memory", at - m->start, m->bytes);
    else
        snprintf(text, sizeof text, "shared memory, byte %zu of %zu",
                 at - (uintptr_t)simt_now.shared, simt_now.shared_bytes);
    return text;
}

NORETURN static void race(uintptr_t at, bool write, unsigned thread, bool wrote)
{
    char since[MESSAGE_BYTES / 2] = "";
    if (barriers) snprintf(since, sizeof since, " (%s)", barrier_place);
    simt_fail("race: %s %s, which thread %u %s, too, and nothing orders them behind barrier %d%s",
              write ? "writes" : "reads", where(at), thread, wrote ? "writes" : "reads", barriers,
              since);
}

NORETURN static void race_of_blocks(uintptr_t at, bool write, uint32_t when, bool wrote)
{
    int64_t block = simt_now.block.x;
    while (block > 0 && blocks_begun[block] > when) block--;
    simt_fail("race: %s %s, which block %lld of this launch %s, too", write ? "writes" : "reads",
              where(at), (long long)block, wrote ? "writes" : "reads");
}

static bool by_earlier_block(uint32_t when)
{
    return when >= oldest && when < begun;
}

static uint32_t last_read(const struct cell *c)
{
    return c->read[0] > c->read[1] ? c->read[0] : c->read[1];
}

/* Returns a lane of the cell's warp that has read; not `but`, if there is another lane. */
static unsigned reader(const struct cell *c, int half, unsigned but)
{
    const unsigned first = c->warp * (unsigned)SIMT_LANES + (unsigned)half * HALF;
    unsigned lanes = c->lanes[half];
    if (but / HALF == first / HALF) lanes &= ~(1u << but % HALF);
    return first + (unsigned)__builtin_ctz(lanes);
}

static void cell_written(const struct cell *c, uintptr_t at, unsigned self, bool write)
{
    if (by_earlier_block(c->wrote)) race_of_blocks(at, write, c->wrote, true);
    if (c->writer != self && c->wrote >= last_met(c->writer, self))
        race(at, write, c->writer, true);
}

static void cell_read(struct cell *c, uintptr_t at, unsigned self)
{
    const unsigned half = self / HALF;
    const uint32_t last = last_read(c);
    cell_written(c, at, self, false);
    if (by_earlier_block(last)) c->before = last;
    if (c->warp != self / SIMT_LANES) {
        if (last >= barrier) return;
        c->warp = (uint8_t)(self / SIMT_LANES); /* the other half's times are before the barrier */
    }
    if (c->read[half % 2] < half_met[half]) c->lanes[half % 2] = 0;
    c->read[half % 2] = now;
    c->lanes[half % 2] |= (uint16_t)(1u << self % HALF);
}

static void cell_write(struct cell *c, uintptr_t at, unsigned self)
{
    const unsigned half = self / HALF, warp = self / SIMT_LANES;
    const uint32_t last = last_read(c);
    const int other = half % 2 ? 0 : 1;
    cell_written(c, at, self, true);
    if (by_earlier_block(last)) race_of_blocks(at, true, last, false);
    if (by_earlier_block(c->before)) race_of_blocks(at, true, c->before, false);
    if (c->warp != warp) {
        if (last >= barrier) race(at, true, reader(c, c->read[1] == last, self), false);
    } else {
        if (c->read[other] >= warp_met[warp]) race(at, true, reader(c, other, self), false);
        if (c->read[half % 2] >= half_met[half] && c->lanes[half % 2] & ~(1u << self % HALF))
            race(at, true, reader(c, half % 2, self), false);
    }
    c->wrote = now;
    c->writer = (uint16_t)self;
}

static void look(struct cell *cells, uintptr_t start, uintptr_t at, size_t bytes, bool write)
{
    const unsigned self = simt_now.thread.x;
    for (size_t i = at - start, end = i + bytes; i < end;) {
        struct cell *cell = &cells[i], *word = &cells[i / WORD * WORD];
        const bool split = word->split >= oldest;
        const bool whole = cell == word && end - i >= WORD && !split;
        if (!whole && !split) {
            word->split = now;
            for (int k = 1; k < WORD; k++) word[k] = *word;
        }
        if (write)
            cell_write(cell, start + i, self);
        else
            cell_read(cell, start + i, self);
        i += whole ? WORD : 1;
    }
}

/* Handles an access to memory that is neither shared nor the device's. */
static void access_elsewhere(uintptr_t at, size_t bytes, bool write)
{
    extern const char __executable_start[], __data_start[]; /* from one to the other: constants */
    const uintptr_t shared = (uintptr_t)simt_now.shared;
    const char *does = write ? "writes" : "reads";
    if (at - (uintptr_t)__executable_start < (uintptr_t)(__data_start - __executable_start) &&
        !write)
        return;
    if (at - shared < SIMT_SHARED)
        simt_fail("%s %zu bytes at byte %zu of shared memory, of which there are %zu", does, bytes,
                  at - shared, simt_now.shared_bytes);
    simt_fail("%s %zu bytes that are neither shared nor the device's", does, bytes);
}

static inline void access(const void *p, size_t bytes, bool write, bool aligned, const void *place)
{
    const uintptr_t at = (uintptr_t)p, shared = (uintptr_t)simt_now.shared;
    if (!simt_control.watch) return;
    if (!simt_now.kernel) {
        if (memory_of(at)) simt_fail("an op touches %s on the host", where(at));
        return;
    }
    if (at - (uintptr_t)&simt_now < sizeof simt_now && !write) return;
    if (at - (uintptr_t)__builtin_frame_address(0) < FIBER_STACK) return;
    if (at - (uintptr_t)simt_now.arguments < simt_now.kernel->bytes && !write) return;
    const bool of_block = at - shared < simt_now.shared_bytes;
    struct memory *memory = of_block ? NULL : memory_of(at);
    if (!of_block && !memory) {
        access_elsewhere(at, bytes, write);
        return;
    }
    if (aligned && at % bytes)
        simt_fail("%s %zu bytes at once at an odd place: %s", write ? "writes" : "reads", bytes,
                  where(at));
    if (bytes > (of_block ? shared + simt_now.shared_bytes : memory->start + memory->bytes) - at)
        simt_fail("%s %zu bytes beyond the end: %s", write ? "writes" : "reads", bytes, where(at));
    if (counts && memory) count_access(at, bytes, write, place);
    if (!races) return;
    oldest = of_block ? begun : launched;
    if (of_block)
        look(shared_cells, shared, at, bytes, write);
    else
        look(memory->cells, memory->start, at, bytes, write);
}

static void watch_memory(const void *start, size_t bytes)
{
    int i = 0, spare = -1;
    while (i < memory_count && memories[i].start != (uintptr_t)start) {
        if (!memories[i].bytes && spare < 0) spare = i;
        i++;
    }
    if (!bytes && i == memory_count) return; /* allocated before the watch began */
    if (i == memory_count && spare >= 0) i = spare;
    CHECK(i < BLOCKS, "device memory is in more than %d parts", BLOCKS);
    if (i == memory_count) memory_count++;
    struct memory *m = &memories[i];
    m->start = (uintptr_t)start;
    m->bytes = bytes;
    CHECK((uintptr_t)start % WORD == 0, "device memory begins at an odd place");
    if (!races || m->capacity >= bytes) return;
    free(m->cells);
    m->capacity = (bytes + WORD - 1) / WORD * WORD * 2;
    m->cells = calloc(m->capacity, sizeof *m->cells);
    CHECK(m->cells, "no memory to watch %zu bytes", bytes);
}

static void watch_block(void)
{
    const int64_t block = simt_now.block.x;
    all_met();
    begun = barrier;
    barriers = 0;
    if (block == 0) {
        launched = begun;
        if (blocks_room < simt_now.blocks.x) {
            blocks_room = 2 * (int64_t)simt_now.blocks.x;
            free(blocks_begun);
            blocks_begun = heap_alloc((size_t)blocks_room * sizeof *blocks_begun);
        }
    }
    blocks_begun[block] = begun;
    if (counts) count_block();
}

static void watch_met(unsigned mask, bool orders)
{
    const unsigned warp = simt_now.thread.x / SIMT_LANES;
    const unsigned left = simt_now.threads.x - warp * SIMT_LANES;
    const unsigned all = left >= SIMT_LANES ? ~0u : (1u << left) - 1;
    if (counts) count_met(warp, mask);
    if (!orders) return;
    if (mask == all)
        warp_met[warp] = half_met[2 * warp] = half_met[2 * warp + 1] = tick();
    else if (mask == (all & first_half) || mask == (all & first_half << SECOND))
        half_met[2 * warp + (mask != (all & first_half))] = tick();
    else
        simt_fail("the lanes %08x meet: neither a warp nor half of one", mask);
}

static void watch_opened(const char *place)
{
    all_met();
    barriers++;
    barrier_place = place;
    if (counts) count_opened();
}

void watch_begin(bool for_races, bool for_bytes)
{
    static const struct simt_watch watch = {
        .memory = watch_memory, .block = watch_block, .met = watch_met, .opened = watch_opened};
    races = for_races, counts = for_bytes;
    for (int i = 0; i < memory_count; i++) memories[i].bytes = 0;
    if (races && !shared_cells) {
        shared_cells = calloc(SIMT_SHARED, sizeof *shared_cells);
        CHECK(shared_cells, "no memory to watch shared memory");
    }
    if (counts) count_begin();
    simt_control.watch = &watch;
}

void watch_end(void)
{
    simt_control.watch = NULL;
}

/* The functions that gcc calls. Calls for unaligned accesses are for types that need no
 * alignment. */
#define SIZES(X) X(1) X(2) X(4) X(8) X(16)
#define CALLS(size)                                                                                \
    CALL(__tsan_read##size, size, false, true)                                                     \
    CALL(__tsan_write##size, size, true, true)                                                     \
    CALL(__tsan_unaligned_read##size, size, false, false)                                          \
    CALL(__tsan_unaligned_write##size, size, true, false)
#define CALL(name, size, write, aligned)                                                           \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        access(p, size, write, aligned, __builtin_return_address(0));                              \
    }
SIZES(CALLS)

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    access(p, bytes, false, false, __builtin_return_address(0));
}
void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    access(p, bytes, true, false, __builtin_return_address(0));
}
void __tsan_init(void);
void __tsan_init(void)
{
}
