/* A hash table that maps byte strings to integers, such as words to counts or tokens to ids.
 *
 * It uses open addressing with linear probing, and grows when more than half of its slots would be
 * full. Keys are not copied: their bytes belong to the caller and must outlive the table. Keys may
 * contain any byte, also NUL. The table does not keep the order of insertion. A caller that needs
 * this order stores the keys in an array, and the indices as values in the table. */
#pragma once

#include "core/base/arena.h"

enum { HASH_TABLE_ABSENT = -1 };

struct hash_table {
    struct hash_table_slot *slot; /* [capacity]; the capacity is a power of two */
    size_t capacity, allocated;   /* number of slots in use; number of slots in memory, which may be
                                     larger after hash_table_clear */
    size_t count;                 /* number of keys */
    struct arena *arena;          /* owner of the slots */
};

/* Returns an empty table in the arena, with room for `expected` keys, which may be 0. */
struct hash_table *hash_table_new(struct arena *arena, size_t expected);
/* Removes all keys and makes room for `expected` keys. Reuses the memory if it is large enough. */
void hash_table_clear(struct hash_table *table, size_t expected);

/* Returns the key's value, or HASH_TABLE_ABSENT. */
int64_t hash_table_get(const struct hash_table *table, const char *key, size_t bytes);
/* Sets the key's value, which must not be HASH_TABLE_ABSENT. */
void hash_table_put(struct hash_table *table, const char *key, size_t bytes, int64_t value);
/* Returns a pointer to the key's value. Adds an absent key with the value `fresh`. The pointer is
 * valid until the next hash_table_put or hash_table_at. */
int64_t *hash_table_at(struct hash_table *table, const char *key, size_t bytes, int64_t fresh);

/* Returns a hash of bytes, which is the same in every run. */
uint64_t hash_bytes(const char *key, size_t bytes);
