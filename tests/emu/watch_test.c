/* Tests of the watch: kernels with an error that it must find, correct kernels that look wrong, and
 * its byte counts against counts by hand. */
#include "tests/support/test.h"

#include "core/simt/simt.h"
#include "core/emu/table.h"
#include "tests/watch/memory_watch.h"
#include "tests/emu/small.h"

enum { COUNT = 1024, THREADS = 64, ORDERS = 4 };

static struct small small_new(bool wrong)
{
    struct small s = {.wrong = wrong};
    s.out = emu_fp32.alloc(COUNT * sizeof *s.out);
    s.in = emu_fp32.alloc(COUNT * sizeof *s.in);
    s.tokens = emu_fp32.alloc(THREADS * sizeof *s.tokens);
    s.bytes = emu_fp32.alloc(COUNT);
    return s;
}

static void small_free(struct small *s)
{
    emu_fp32.release(s->out, 0);
    emu_fp32.release((void *)(uintptr_t)s->in, 0);
    emu_fp32.release(s->tokens, 0);
    emu_fp32.release(s->bytes, 0);
}

/* Runs a kernel in several orders of warps and lanes. */
static void small_run(void (*launch)(const struct small *s), bool wrong)
{
    watch_begin(true, true);
    struct small s = small_new(wrong);
    for (uint32_t order = 0; order < ORDERS; order++) {
        simt_control.order = order;
        launch(&s);
    }
    simt_control.order = 0;
    small_free(&s);
    watch_end();
}

/* The watch's message for each wrong kernel. */
static const struct {
    const char *name;
    void (*launch)(const struct small *s);
    const char *says;
} wrongs[] = {
    {"mirror", small_mirror, "writes shared memory, byte 128 of 256, which thread 31 reads, too"},
    {"same_value", small_same_value,
     "race: writes shared memory, byte 0 of 4, which thread 0 writes"},
    {"warp_mirror", small_warp_mirror, "race: writes shared memory"},
    {"half_mirror", small_half_mirror, "race: writes shared memory"},
    {"other_half", small_other_half, "race: writes shared memory"},
    {"shuffled", small_shuffled, "race: reads shared memory"},
    {"read_then_write", small_read_then_write,
     "which thread 31 writes, too, and nothing orders them"},
    {"read_then_write_in_warp", small_read_then_write_in_warp, "byte 0 of 8, which thread 0 reads"},
    {"many_readers", small_many_readers,
     "nothing orders them behind barrier 1 (tests/emu/small.cu:"},
    {"blocks_write", small_blocks_write, "which block 0 of this launch writes, too"},
    {"blocks_read", small_blocks_read, "reads byte 0 of 4096 of device memory, which block 0"},
    {"blocks_read_write", small_blocks_read_write, "which block 1 of this launch reads, too"},
    {"neighbors", small_neighbors, "race: writes shared memory, byte 1 of 192, which thread 0"},
    {"wide", small_wide, "race: writes shared memory"},
    {"beyond_shared", small_beyond_shared, "at byte 256 of shared memory, of which there are 256"},
    {"beyond_device", small_beyond_device, "neither shared nor the device's"},
    {"odd_place", small_odd_place, "writes 16 bytes at once at an odd place: byte 4 of"},
    {"arguments", small_arguments, "neither shared nor the device's"},
    {"foreign_mask", small_foreign_mask, "neither a warp nor half of one"},
    {"fragment", small_fragment, "uses a fragment that is not aligned"},
    {"on_host", small_on_host, "touches byte 0 of 4096 of device memory on the host"},
};

TEST(the_wrong_are_found)
{
    for (size_t i = 0; i < COUNT_OF(wrongs); i++)
        EXPECT_CHECK(wrongs[i].says, small_run(wrongs[i].launch, true));
}

TEST(the_right_are_not)
{
    for (size_t i = 0; i < COUNT_OF(wrongs); i++) small_run(wrongs[i].launch, false);
}

/* Traffic of a copy of 128 numbers, for several distributions over its lanes. */
TEST(what_moves_is_counted)
{
    static const struct {
        void (*launch)(const struct small *s);
        int64_t read, written, moved, sectors;
    } cases[] = {
        /* Four warps, each with an access of 128 bytes in and one out. */
        {small_copy, 512, 512, 1024, 32},
        /* Every lane accesses its own sector, 32 times in and out: 1,024 numbers. */
        {small_rows, 4096, 4096, 8192, 2048},
        /* Two warps, 512 bytes per access. */
        {small_packs, 1024, 1024, 2048, 64},
        /* Two warps, which read everything twice. */
        {small_again, 512, 256, 768, 24},
        /* The second warp reads the same data as the first: one row and a number, of one sector. */
        {small_shared_row, 132, 256, 520, 18},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int count;
        small_run(cases[i].launch, false);
        const struct watch_count *c = watch_counts(&count);
        assert_int_equal(count, 1);
        assert_int_equal(c->launches, ORDERS);
        assert_int_equal(c->read, ORDERS * cases[i].read);
        assert_int_equal(c->written, ORDERS * cases[i].written);
        assert_int_equal(c->moved, ORDERS * cases[i].moved);
        assert_int_equal(c->sectors, ORDERS * cases[i].sectors);
    }
}

/* Random programs, and their races by definition. */
enum { STEPS = 8, PROGRAMS = 600 };
static const struct random_key key = {5, 6};
static uint64_t drawn;

static int below(int bound)
{
    return (int)(random_uniform(key, drawn++, 0) * bound);
}

typedef int32_t program[PROGRAM_BLOCKS][STEPS][1 + PROGRAM_THREADS];

static void program_draw(program steps)
{
    const int active = 1 + below(4), quiet = 2 + below(20), bytes = 8 << below(3);
    const bool apart = below(4); /* each block has its own half of the memory */
    memset(steps, 0, sizeof(program));
    for (int b = 0; b < PROGRAM_BLOCKS; b++)
        for (int i = 0; i < STEPS; i++) {
            steps[b][i][0] = below(3) ? below(MEETS) : MEET_BLOCK;
            for (int k = 0; k < active; k++) {
                const int size = below(PROGRAM_SIZES), writes = !below(quiet);
                const int place = ((apart ? b * PROGRAM_BYTES / 2 : 0) + below(bytes)) >> size;
                const int t = below(2) ? below(PROGRAM_THREADS) : below(4) * 16 + below(2);
                steps[b][i][1 + t] = 1 + 2 * (PROGRAM_SIZES * place + size) + writes;
            }
        }
}

/* True if the barrier after a step orders the two threads. */
static bool meets(int meet, int t, int u)
{
    return meet == MEET_BLOCK || (t / 32 == u / 32 && meet == MEET_WARP + t / 32) ||
           (t / 16 == u / 16 && meet == MEET_HALF + t / 16);
}

static bool overlap(int32_t a, int32_t b)
{
    if (!a || !b || !((a - 1) % 2 || (b - 1) % 2)) return false;
    const int x = (a - 1) / 2 / PROGRAM_SIZES << (a - 1) / 2 % PROGRAM_SIZES;
    const int y = (b - 1) / 2 / PROGRAM_SIZES << (b - 1) / 2 % PROGRAM_SIZES;
    return x < y + (1 << (b - 1) / 2 % PROGRAM_SIZES) && y < x + (1 << (a - 1) / 2 % PROGRAM_SIZES);
}

/* Returns the number of unordered pairs with this access: the other access is in the same or a
 * later step, or in another block. Two accesses of the same step count twice. */
static int races_of(program steps, bool shared, int b, int i, int t)
{
    const int32_t one = steps[b][i][1 + t];
    int count = 0;
    for (int c = shared ? b : 0; c <= b; c++)
        for (int k = c == b ? i : 0; k < STEPS; k++)
            for (int u = 0; u < PROGRAM_THREADS; u++) {
                bool ordered = c == b && t == u;
                for (int m = i; m < k && c == b; m++) ordered |= meets(steps[b][m][0], t, u);
                count += !ordered && overlap(one, steps[c][k][1 + u]);
            }
    return count;
}

static int program_races(program steps, bool shared)
{
    int count = 0;
    for (int b = 0; b < PROGRAM_BLOCKS; b++)
        for (int i = 0; i < STEPS; i++)
            for (int t = 0; t < PROGRAM_THREADS; t++)
                if (steps[b][i][1 + t]) count += races_of(steps, shared, b, i, t);
    return count;
}

static void program_run(program steps, bool shared)
{
    watch_begin(true, false);
    struct small s = small_new(false);
    int32_t *there = emu_fp32.alloc(sizeof(program));
    emu_fp32.upload(there, steps, sizeof(program));
    s.program = there, s.steps = STEPS, s.shared = shared;
    small_program(&s);
    emu_fp32.release(there, 0);
    small_free(&s);
    watch_end();
}

TEST(races_are_what_the_definition_says)
{
    program steps;
    for (int n = 0; n < PROGRAMS; n++) {
        const bool race = n % 2, shared = n % 4 / 2;
        /* The program has no other race that could be detected instead. */
        do program_draw(steps);
        while (program_races(steps, shared) != race);
        simt_control.order = (uint32_t)(n % 3 * n);
        if (race)
            EXPECT_CHECK(": race: ", program_run(steps, shared));
        else
            program_run(steps, shared);
    }
    simt_control.order = 0;
}
