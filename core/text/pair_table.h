/* A hash table that maps pairs of non-negative integers to non-negative integers. It is used in the
 * inner loops of BPE (pairs of symbols) and BLEU (pairs of an n-gram and the next word). It has
 * open addressing, is at most half full, and is on the heap. */
#pragma once

#include "core/base/base.h"

enum { PAIR_ABSENT = -1 };

struct pair_slot {
    int32_t left, right;
    int32_t value; /* PAIR_ABSENT: the slot is free */
};

struct pair_table {
    struct pair_slot *slot; /* [mask + 1]; this number is a power of two */
    uint32_t mask, count;
    size_t allocated; /* number of slots for which there is memory */
};

/* Removes all pairs, and reserves memory for `expected` pairs. Call this function first, with a
 * table that is {0}. */
void pair_table_clear(struct pair_table *table, size_t expected);
void pair_table_close(struct pair_table *table);
/* Returns a pointer to the pair's value, valid until the next call. If the pair is absent, first
 * adds it with the value `fresh`. */
int32_t *pair_table_at(struct pair_table *table, int32_t left, int32_t right, int32_t fresh);

/* Returns the slot of the pair. If the pair is absent, returns the free slot in which to put it. */
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
