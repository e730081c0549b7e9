/* A hash table from byte strings to numbers: words to counts, tokens to ids.
 *
 * Open addressing with linear probing, at most half full, grows automatically. Keys are not copied:
 * their bytes belong to the caller and must outlive the table. Keys may contain any byte, also NUL.
 * The order of insertion is not kept: give each key its index as value, and keep an array. */
#pragma once

#include "core/base/arena.h"

enum { TABLE_ABSENT = -1 };

struct table {
    struct table_slot *slot;    /* [capacity], a power of two */
    size_t capacity, allocated; /* number of slots in use, and in memory */
    size_t count;               /* number of keys */
    struct arena *arena;        /* owner of the slots; NULL: the heap */
};

/* Returns an empty table with room for `expected` keys (0 is fine). It lives in the arena; with
 * arena NULL it lives on the heap until table_free. */
struct table *table_new(struct arena *arena, size_t expected);
void table_free(struct table *table); /* heap tables only; NULL is fine */
/* Removes all keys, but keeps the memory. */
void table_clear(struct table *table, size_t expected);

/* Returns the key's value, or TABLE_ABSENT. */
int64_t table_get(const struct table *table, const char *key, size_t bytes);
/* Sets the key's value, which must not be TABLE_ABSENT. */
void table_put(struct table *table, const char *key, size_t bytes, int64_t value);
/* Returns the location of the key's value; adds an absent key with the value `fresh`. Valid until
 * the next table_put or table_at. */
int64_t *table_at(struct table *table, const char *key, size_t bytes, int64_t fresh);
