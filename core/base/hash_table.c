/* Hash table. A slot stores the hash of its key. So growth does not compute hashes again, and a
 * probe rarely compares the bytes of a different key. */
#include "core/base/hash_table.h"

#include <stdlib.h>
#include <string.h>

struct table_slot {
    const char *key; /* NULL: free */
    uint32_t hash, bytes;
    int64_t value;
};

/* Hashes eight bytes at a time by multiplying and folding. The length is included, so that trailing
 * zero bytes count. */
static uint32_t hash_bytes(const char *key, size_t bytes)
{
    const uint64_t multiplier = 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio */
    uint64_t hash = bytes * multiplier, word;
    for (; bytes >= 8; key += 8, bytes -= 8) {
        memcpy(&word, key, 8);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    if (bytes) {
        word = 0;
        memcpy(&word, key, bytes);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    hash *= multiplier;
    return (uint32_t)(hash >> 32);
}

/* Allocates free slots. */
static void take_slots(struct table *table, size_t capacity)
{
    const size_t bytes = capacity * sizeof *table->slot;
    table->slot = table->arena ? arena_alloc(table->arena, bytes) : heap_alloc(bytes);
    table->capacity = table->allocated = capacity;
}

struct table *table_new(struct arena *arena, size_t expected)
{
    struct table *table = arena ? ARENA_NEW(arena, struct table) : heap_alloc(sizeof *table);
    table->arena = arena;
    table_clear(table, expected);
    return table;
}

void table_clear(struct table *table, size_t expected)
{
    size_t capacity = 16;
    while (capacity < 2 * expected) capacity *= 2;
    table->count = 0;
    if (capacity <= table->allocated) {
        table->capacity = capacity;
        memset(table->slot, 0, capacity * sizeof *table->slot);
        return;
    }
    if (!table->arena) free(table->slot);
    take_slots(table, capacity);
}

void table_free(struct table *table)
{
    if (!table) return;
    CHECK(!table->arena, "the arena frees this table");
    free(table->slot);
    free(table);
}

/* Returns the key's slot, or the free slot for it. */
static struct table_slot *find(const struct table *table, const char *key, size_t bytes,
                               uint32_t hash)
{
    for (size_t i = hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
        struct table_slot *slot = &table->slot[i];
        if (!slot->key) return slot;
        if (slot->hash == hash && slot->bytes == bytes && !memcmp(slot->key, key, bytes))
            return slot;
    }
}

static void grow(struct table *table)
{
    struct table_slot *old = table->slot;
    size_t capacity = table->capacity;
    take_slots(table, 2 * capacity);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].key) *find(table, old[i].key, old[i].bytes, old[i].hash) = old[i];
    if (!table->arena) free(old);
}

int64_t table_get(const struct table *table, const char *key, size_t bytes)
{
    const struct table_slot *slot = find(table, key, bytes, hash_bytes(key, bytes));
    return slot->key ? slot->value : TABLE_ABSENT;
}

int64_t *table_at(struct table *table, const char *key, size_t bytes, int64_t fresh)
{
    CHECK(key && bytes <= UINT32_MAX, "a key of %zu bytes", bytes);
    uint32_t hash = hash_bytes(key, bytes);
    struct table_slot *slot = find(table, key, bytes, hash);
    if (slot->key) return &slot->value;
    if (2 * (table->count + 1) > table->capacity) {
        grow(table);
        slot = find(table, key, bytes, hash);
    }
    table->count++;
    *slot = (struct table_slot){.key = key, .hash = hash, .bytes = (uint32_t)bytes, .value = fresh};
    return &slot->value;
}

void table_put(struct table *table, const char *key, size_t bytes, int64_t value)
{
    CHECK(value != TABLE_ABSENT, "this value means that a key is absent");
    *table_at(table, key, bytes, value) = value;
}
