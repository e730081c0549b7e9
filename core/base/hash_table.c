/* Hash table. A slot stores the hash of its key. So growth does not compute hashes again, and a
 * probe rarely compares the bytes of a different key. */
#include "core/base/hash_table.h"

#include <string.h>

struct hash_table_slot {
    const char *key; /* NULL: free */
    uint32_t hash, bytes;
    int64_t value;
};

/* Hashes eight bytes at a time by multiplications and shifts. The length is part of the hash, so
 * that keys that differ only in trailing zero bytes have different hashes. */
uint64_t hash_bytes(const char *key, size_t bytes)
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
    return hash * multiplier;
}

/* Allocates free slots. */
static void take_slots(struct hash_table *table, size_t capacity)
{
    table->slot = ARENA_ARRAY(table->arena, struct hash_table_slot, capacity);
    table->capacity = table->allocated = capacity;
}

struct hash_table *hash_table_new(struct arena *arena, size_t expected)
{
    struct hash_table *table = ARENA_NEW(arena, struct hash_table);
    table->arena = arena;
    hash_table_clear(table, expected);
    return table;
}

void hash_table_clear(struct hash_table *table, size_t expected)
{
    size_t capacity = 16;
    while (capacity < 2 * expected) capacity *= 2;
    table->count = 0;
    if (capacity <= table->allocated) {
        table->capacity = capacity;
        memset(table->slot, 0, capacity * sizeof *table->slot);
        return;
    }
    take_slots(table, capacity);
}

/* Returns the slot of the key. If the key is absent, returns the free slot for it. */
static struct hash_table_slot *find(const struct hash_table *table, const char *key, size_t bytes,
                                    uint32_t hash)
{
    for (size_t i = hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
        struct hash_table_slot *slot = &table->slot[i];
        if (!slot->key) return slot;
        if (slot->hash == hash && slot->bytes == bytes && !memcmp(slot->key, key, bytes))
            return slot;
    }
}

static void grow(struct hash_table *table)
{
    struct hash_table_slot *old = table->slot;
    size_t capacity = table->capacity;
    take_slots(table, 2 * capacity);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].key) *find(table, old[i].key, old[i].bytes, old[i].hash) = old[i];
}

int64_t hash_table_get(const struct hash_table *table, const char *key, size_t bytes)
{
    const struct hash_table_slot *slot =
        find(table, key, bytes, (uint32_t)(hash_bytes(key, bytes) >> 32));
    return slot->key ? slot->value : HASH_TABLE_ABSENT;
}

int64_t *hash_table_at(struct hash_table *table, const char *key, size_t bytes, int64_t fresh)
{
    CHECK(key && bytes <= UINT32_MAX, "a key of %zu bytes", bytes);
    uint32_t hash = (uint32_t)(hash_bytes(key, bytes) >> 32);
    struct hash_table_slot *slot = find(table, key, bytes, hash);
    if (slot->key) return &slot->value;
    if (2 * (table->count + 1) > table->capacity) {
        grow(table);
        slot = find(table, key, bytes, hash);
    }
    table->count++;
    *slot = (struct hash_table_slot){
        .key = key, .hash = hash, .bytes = (uint32_t)bytes, .value = fresh};
    return &slot->value;
}

void hash_table_put(struct hash_table *table, const char *key, size_t bytes, int64_t value)
{
    CHECK(value != HASH_TABLE_ABSENT, "this value means that a key is absent");
    *hash_table_at(table, key, bytes, value) = value;
}
