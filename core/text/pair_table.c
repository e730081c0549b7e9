/* Implements a hash table as in core/base/hash_table.c, but with keys of two integers, which are
 * stored in the slots. */
#include "core/text/pair_table.h"

#include <stdlib.h>
#include <string.h>

/* Marks all slots as free, because a value with all bits set is PAIR_ABSENT. */
static void free_slots(struct pair_table *table, size_t slots)
{
    table->mask = (uint32_t)(slots - 1);
    memset(table->slot, 0xff, slots * sizeof *table->slot);
}

void pair_table_clear(struct pair_table *table, size_t expected)
{
    size_t slots = 256;
    while (slots < 2 * expected) slots *= 2;
    if (slots > table->allocated) {
        table->slot = heap_resize(table->slot, slots * sizeof *table->slot);
        table->allocated = slots;
    }
    free_slots(table, slots);
    table->count = 0;
}

void pair_table_close(struct pair_table *table)
{
    free(table->slot);
    *table = (struct pair_table){0};
}

static void grow(struct pair_table *table)
{
    const struct pair_table old = *table;
    const size_t slots = (size_t)old.mask + 1;
    table->allocated = 2 * slots;
    table->slot = heap_alloc(table->allocated * sizeof *table->slot);
    free_slots(table, table->allocated);
    for (size_t i = 0; i < slots; i++)
        if (old.slot[i].value != PAIR_ABSENT)
            *pair_table_find(table, old.slot[i].left, old.slot[i].right) = old.slot[i];
    free(old.slot);
}

int32_t *pair_table_at(struct pair_table *table, int32_t left, int32_t right, int32_t fresh)
{
    struct pair_slot *slot = pair_table_find(table, left, right);
    if (slot->value == PAIR_ABSENT) {
        if (table->count++ >= table->mask / 2) {
            grow(table);
            slot = pair_table_find(table, left, right);
        }
        *slot = (struct pair_slot){left, right, fresh};
    }
    return &slot->value;
}
