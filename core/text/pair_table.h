/* A hash table from pairs of symbols to numbers: the inner loop of learning and applying BPE.
 * Open addressing, at most half full; lives on the heap. Symbols are not negative. */
#ifndef CORE_TEXT_PAIR_TABLE_H
#define CORE_TEXT_PAIR_TABLE_H

#include "core/base/base.h"

enum { PAIR_ABSENT = -1 };

struct pair_slot {
    int32_t left, right;
    int32_t value; /* PAIR_ABSENT: free */
};

struct pair_table {
    struct pair_slot *slot; /* [mask + 1], a power of two */
    uint32_t mask;
    int32_t count;
};

void pair_table_open(struct pair_table *table);
void pair_table_close(struct pair_table *table);
/* Puts in a pair that is absent. */
void pair_table_put(struct pair_table *table, int32_t left, int32_t right, int32_t value);

/* The pair's slot, or the free one where it would go. */
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

/* The pair's value, or PAIR_ABSENT. */
static inline int32_t pair_table_get(const struct pair_table *table, int32_t left, int32_t right)
{
    return pair_table_find(table, left, right)->value;
}

#endif
