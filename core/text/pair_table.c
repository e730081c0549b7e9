#include "core/text/pair_table.h"

#include <stdlib.h>

static struct pair_slot *slots_new(size_t count)
{
    struct pair_slot *slot = heap_alloc(count * sizeof *slot);
    for (size_t i = 0; i < count; i++) slot[i].value = PAIR_ABSENT;
    return slot;
}

void pair_table_open(struct pair_table *table)
{
    enum { FIRST = 1 << 12 };
    *table = (struct pair_table){.slot = slots_new(FIRST), .mask = FIRST - 1};
}

void pair_table_close(struct pair_table *table)
{
    free(table->slot);
    *table = (struct pair_table){0};
}

static void grow(struct pair_table *table)
{
    struct pair_slot *old = table->slot;
    size_t count = (size_t)table->mask + 1;
    table->slot = slots_new(2 * count);
    table->mask = (uint32_t)(2 * count - 1);
    for (size_t i = 0; i < count; i++)
        if (old[i].value != PAIR_ABSENT)
            *pair_table_find(table, old[i].left, old[i].right) = old[i];
    free(old);
}

void pair_table_put(struct pair_table *table, int32_t left, int32_t right, int32_t value)
{
    if ((uint32_t)table->count >= table->mask / 2) grow(table);
    struct pair_slot *slot = pair_table_find(table, left, right);
    CHECK(slot->value == PAIR_ABSENT, "pair %d %d is there already", left, right);
    *slot = (struct pair_slot){left, right, value};
    table->count++;
}
