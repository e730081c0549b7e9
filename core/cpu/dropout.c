/* Computes the dropout factors of any range of values. Also has the scratch memory of each thread.
 * This memory exists until the thread ends, so that ops need not allocate memory in each call. */
#include <pthread.h>
#include <stdlib.h>

#include "core/cpu/vec.h"

/* factor[i] = 1 / (1 - p) if value at + i of [T, D] is kept, else 0. Random numbers are computed
 * for groups of 128 values. An eighth of a group that is fully inside of the range is stored as one
 * vector. */
void CPU(dropout_row)(const struct step *step, struct dropout dropout, int D, int64_t at,
                      int64_t count, real *factor)
{
    const struct random_key key = {step->seed, dropout.stream};
    const uint64_t index = (uint64_t)(step->first_row[dropout.rows] * D + at);
    const uint64_t end = index + (uint64_t)count;
    for (uint64_t group = index / 128; group * 128 < end; group++) {
        struct dropout_group blocks = dropout_blocks(key, group, step->number, 0);
        for (int eighth = 0; eighth < 8; eighth++) {
            uint64_t first = group * 128 + (uint64_t)eighth * 16;
            if (first + 16 <= index || first >= end) continue;
            vec x = dropout_factor(&blocks, eighth, dropout);
            if (first >= index && first + 16 <= end) {
                vec_store(factor + (first - index), LANES, x);
                continue;
            }
            for (uint64_t i = 0; i < 16; i++)
                if (first + i >= index && first + i < end) factor[first + i - index] = x[i];
        }
    }
}

enum { SCRATCH_SLOTS = 16 };
static _Thread_local struct scratch {
    real *memory;
    int64_t count;
} scratch_slot[SCRATCH_SLOTS];

/* When a thread ends, its scratch memory is freed. OpenMP ends threads if their number is
 * reduced. */
static pthread_key_t scratch_owner;

static void scratch_free(void *slots)
{
    struct scratch *scratch = slots;
    for (int slot = 0; slot < SCRATCH_SLOTS; slot++) free(scratch[slot].memory);
}

static void scratch_own(void)
{
    CHECK(pthread_key_create(&scratch_owner, scratch_free) == 0, "no key for scratch");
}

real *CPU(scratch)(int slot, int64_t count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    CHECK(slot < SCRATCH_SLOTS, "scratch slot %d", slot);
    struct scratch *scratch = &scratch_slot[slot];
    if (scratch->count < count) {
        pthread_once(&once, scratch_own);
        pthread_setspecific(scratch_owner, scratch_slot);
        free(scratch->memory);
        size_t bytes = ((size_t)(count + count / 2) * sizeof(real) + 63) / 64 * 64;
        scratch->memory = cpu_alloc(bytes);
        scratch->count = (int64_t)(bytes / sizeof(real));
    }
    return scratch->memory;
}
