/* A hash table from byte strings to numbers: words to counts, tokens to ids.
 *
 * Open addressing with linear probing, at most half full, growing by itself. Keys are not copied:
 * their bytes belong to the caller and must outlive the table. Keys may hold any byte, NUL too. The
 * order of insertion is not remembered: give each key its index as value, and keep an array. */
#pragma once

#include "core/base/arena.h"

enum { TABLE_ABSENT = -1 };

struct table {
    struct table_slot *slot; /* [capacity], a power of two */
    size_t capacity, room;   /* slots in use and in memory */
    size_t count;            /* keys that are in it */
    struct arena *arena;     /* owner of slots, or NULL for the heap */
};

/* An empty table with room for `expected` keys (0 is fine). Lives in the arena; with arena NULL it
 * lives on the heap until table_free. */
struct table *table_new(struct arena *arena, size_t expected);
void table_free(struct table *table); /* heap tables only; NULL is fine */
/* Forgets all keys, as if it were new; its memory it keeps. */
void table_clear(struct table *table, size_t expected);

/* The key's value, or TABLE_ABSENT. */
int64_t table_get(const struct table *table, const char *key, size_t bytes);
/* Sets the key's value, which may not be TABLE_ABSENT. */
void table_put(struct table *table, const char *key, size_t bytes, int64_t value);
/* Where the key's value stands; an absent key is put in with `fresh` as value. Valid until the next
 * table_put or table_at. */
int64_t *table_at(struct table *table, const char *key, size_t bytes, int64_t fresh);
