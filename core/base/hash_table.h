/* A hash table from byte strings to numbers: words to counts, tokens to ids.
 *
 * Open addressing with linear probing, at most half full, grows automatically. Keys are not copied:
 * their bytes belong to the caller and must outlive the table. Keys may contain any byte, also NUL.
 * The order of insertion is not kept: give each key its index as value, and keep an array. */
#pragma once

#include "core/base/arena.h"

enum { HASH_TABLE_ABSENT = -1 };

struct hash_table {
    struct hash_table_slot *slot; /* [capacity], a power of two */
    size_t capacity, allocated;   /* number of slots in use, and in memory */
    size_t count;                 /* number of keys */
    struct arena *arena;          /* owner of the slots; NULL: the heap */
};

/* Returns an empty table with room for `expected` keys (0 is fine). It lives in the arena; with
 * arena NULL it lives on the heap until hash_table_free. */
struct hash_table *hash_table_new(struct arena *arena, size_t expected);
void hash_table_free(struct hash_table *table); /* heap tables only; NULL is fine */
/* Removes all keys, but keeps the memory. */
void hash_table_clear(struct hash_table *table, size_t expected);

/* Returns the key's value, or HASH_TABLE_ABSENT. */
int64_t hash_table_get(const struct hash_table *table, const char *key, size_t bytes);
/* Sets the key's value, which must not be HASH_TABLE_ABSENT. */
void hash_table_put(struct hash_table *table, const char *key, size_t bytes, int64_t value);
/* Returns the location of the key's value; adds an absent key with the value `fresh`. Valid until
 * the next hash_table_put or hash_table_at. */
int64_t *hash_table_at(struct hash_table *table, const char *key, size_t bytes, int64_t fresh);
