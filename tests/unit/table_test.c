/* core/base/table: inserted entries are found, with both owners of memory, after many growths. */
#include "tests/support/test.h"

#include "core/base/table.h"

enum { KEYS = 20000, KEY_BYTES = 16 };
static char key[KEYS][KEY_BYTES];

static size_t key_write(int i)
{
    return (size_t)snprintf(key[i], KEY_BYTES, "%d", i * 7919);
}

static void holds_many_keys(struct arena *where)
{
    struct table *table = table_new(where, 0);
    for (int i = 0; i < KEYS; i++) {
        size_t bytes = key_write(i);
        assert_int_equal(table_get(table, key[i], bytes), TABLE_ABSENT);
        table_put(table, key[i], bytes, i);
    }
    assert_int_equal(table->count, KEYS);
    for (int i = 0; i < KEYS; i++) assert_int_equal(table_get(table, key[i], strlen(key[i])), i);
    table_put(table, "0", 1, 77); /* key 0 again: its value is replaced */
    assert_int_equal(table_get(table, key[0], 1), 77);
    assert_int_equal(table->count, KEYS);
    if (!where) table_free(table);
}

TEST(holds_many_keys_in_an_arena)
{
    holds_many_keys(&arena);
}

TEST(holds_many_keys_on_the_heap)
{
    holds_many_keys(NULL);
}

TEST(bytes_and_length_make_a_key)
{
    struct table *table = table_new(NULL, 4);
    static const char zeros[32];
    for (int n = 0; n < 32; n++) table_put(table, zeros, (size_t)n, n);
    for (int n = 0; n < 32; n++) assert_int_equal(table_get(table, zeros, (size_t)n), n);
    table_put(table, "a\0b", 3, 100);
    assert_int_equal(table_get(table, "a\0c", 3), TABLE_ABSENT);
    assert_int_equal(table_get(table, "a", 1), TABLE_ABSENT);
    table_free(table);
}

TEST(counts_words)
{
    struct table *table = table_new(NULL, 0);
    const char *word[] = {"to", "be", "or", "not", "to", "be"};
    for (size_t i = 0; i < COUNT_OF(word); i++) ++*table_at(table, word[i], strlen(word[i]), 0);
    assert_int_equal(table_get(table, "to", 2), 2);
    assert_int_equal(table_get(table, "not", 3), 1);
    assert_int_equal(table->count, 4);
    table_free(table);
}
