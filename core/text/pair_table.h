/* A hash table from pairs of non-negative numbers to non-negative numbers. Used in the inner loops
 * of BPE (two symbols) and of BLEU (an n-gram and its next word). Open addressing, at most half
 * full, on the heap. */
#pragma once

#include "core/base/base.h"

enum { PAIR_ABSENT = -1 };

struct pair_slot {
    int32_t left, right;
    int32_t value; /* PAIR_ABSENT: free */
};

struct pair_table {
    struct pair_slot *slot; /* [mask + 1], a power of two */
    uint32_t mask, count;
    size_t allocated; /* slots in memory */
};

/* Removes all pairs; reserves room for `expected` pairs. A new table starts as {0}. */
void pair_table_clear(struct pair_table *table, size_t expected);
void pair_table_close(struct pair_table *table);
/* Returns the location of the pair's value, valid until the next call. An absent pair gets the
 * value `fresh`. */
int32_t *pair_table_at(struct pair_table *table, int32_t left, int32_t right, int32_t fresh);

/* Returns the pair's slot, or the free slot for it. */
static inline struct pair_slot *pair_table_find(const struct pair_table *table, int32_t left,
                                                int32_t right)
{
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    uint32_t i = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & table->mask;
    for (;; i = (i + 1) & table->mask) {
        struct pair_slot *slot = &table->slot[i];
        if (slot->value == PAIR_ABSENT || (slot->left == left && slot->right == right)) return slot;
    }
}

/* Returns the pair's value, or PAIR_ABSENT. */
static inline int32_t pair_table_get(const struct pair_table *table, int32_t left, int32_t right)
{
    return pair_table_find(table, left, right)->value;
}
