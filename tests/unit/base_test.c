/* Tests core/base. Philox equals the library Random123, SHA-256 equals FIPS 180-2, files are never
 * partial, and hash tables keep their entries when they grow. */
#include "tests/support/test.h"

#include <Random123/philox.h>
#include <sys/resource.h>

#include "core/base/digest.h"
#include "core/base/mask.h"
#include "core/base/path.h"
#include "core/base/random.h"
#include "core/base/hash_table.h"

TEST(philox_equals_random123)
{
    for (uint32_t i = 0; i < 1000; i++) {
        struct random_key key = {i * 2654435761u, i ^ 77};
        uint64_t block = (uint64_t)i * 0x123456789abcull;
        philox4x32_ctr_t counter = {{(uint32_t)block, (uint32_t)(block >> 32), i + 5, i % 7}};
        philox4x32_key_t philox_key = {{key.seed, key.stream}};
        philox4x32_ctr_t expected = philox4x32(counter, philox_key);
        uint32_t word[4];
        random_block(key, block, i + 5, i % 7, word);
        assert_memory_equal(word, expected.v, sizeof word);
    }
}

TEST(permutation_is_one_and_repeats)
{
    struct random_key key = {7, random_stream("shuffle")};
    int32_t a[100], b[100], seen[100] = {0};
    random_permute(key, 1, a, 100);
    random_permute(key, 1, b, 100);
    assert_memory_equal(a, b, sizeof a);
    for (int i = 0; i < 100; i++) seen[a[i]]++;
    for (int i = 0; i < 100; i++) assert_int_equal(seen[i], 1);
    random_permute(key, 2, b, 100);
    assert_memory_not_equal(a, b, sizeof a);
}

TEST(digest_of_abc)
{
    char text[DIGEST_TEXT];
    digest_bytes("abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(file_appears_only_when_committed)
{
    char path[600];
    snprintf(path, sizeof path, "%s/a", test_folder("base_file"));
    struct file_writer writer = file_create(path);
    fputs("hello", writer.stream);
    assert_false(file_exists(path));
    file_commit(&writer);
    assert_int_equal(file_bytes(path), 5);
    EXPECT_DIE("cannot be read", digest_file("build/tmp/absent", (char[DIGEST_TEXT]){0}));
}

/* Two processes in different containers may have the same process number and write the same file.
 * Each version is complete, and the last version remains. */
TEST(writers_of_one_number_keep_apart)
{
    char path[600];
    snprintf(path, sizeof path, "%s/a", test_folder("base_writers"));
    struct file_writer first = file_create(path), second = file_create(path);
    fputs("first", first.stream);
    fputs("the second", second.stream);
    file_commit(&first);
    assert_int_equal(file_bytes(path), 5);
    file_commit(&second);
    assert_int_equal(file_bytes(path), 10);
}

/* The first access to a path in a guarded folder needs a file descriptor. If there is no free
 * descriptor, the file must not seem to be absent. Otherwise gc would treat the record of a grid as
 * removed. */
TEST(what_cannot_be_looked_at_is_not_absent)
{
    const char *folder = test_folder("base_look");
    const char *path = arena_print(&arena, "%s/a", folder);
    struct rlimit files, none;
    file_write(path, "x", 1);
    path_guard(folder);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = files.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_DIE("base_look/a: cannot be accessed: Too many open files", file_exists(path));
    EXPECT_DIE("cannot be accessed", file_is_folder(path));
    EXPECT_DIE("cannot be accessed", file_bytes(path));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_true(file_exists(path) && file_bytes(path) == 1 && !file_is_folder(path));
    assert_false(file_exists(arena_print(&arena, "%s/b/c", folder)));
    EXPECT_DIE("the path leaves the runs folder",
               file_read(&arena, arena_print(&arena, "%s/../base_file/a", folder), 0, NULL));
}

TEST(what_users_wrote_is_masked)
{
    char text[] = "a\nb\033[31m\tc\x7f ä";
    mask_text(text);
    assert_string_equal(text, "a?b?[31m?c? ä");
    EXPECT_DIE("row two?lines", die("row %s", "two\nlines"));
    char c1[] = "caf\xc3\xa9 \xc2\x9b"
                "31m \xc2\xa0";
    mask_text(c1);
    assert_string_equal(c1, "caf\xc3\xa9 ?31m \xc2\xa0");
}

TEST(a_long_message_keeps_its_reason)
{
    char name[9001], whole[MESSAGE_BYTES - 20];
    for (int i = 0; i < 9000; i += 3) memcpy(name + i, "\xe2\x82\xac", 3); /* the euro sign */
    for (volatile int shift = 0; shift < 3; shift++) {
        name[9000 - shift] = 0;
        name[9000 - shift - 1] = 'x';
        EXPECT_DIE("/a \xe2\x82\xac", die("/a %s: No space", name));
        EXPECT_DIE("\xe2\x82\xac [...] \xe2\x82\xac", die("/a %s: No space", name));
        EXPECT_DIE("x: No space", die("/a %s: No space", name));
    }
    memset(whole, 'y', sizeof whole - 1);
    whole[sizeof whole - 1] = 0;
    EXPECT_DIE(whole, die("/a %s: No space", whole));
}

/* A file may contain any time. Times outside of the calendar are printed as "unknown", and no cast
 * overflows. The date of 951782400 is from `date -u -d @951782400`. */
TEST(every_time_can_be_printed)
{
    static const char format[] = "%Y-%m-%d %H:%M:%S";
    static const double never[] = {1e17, -1e17, 1e300, -1e300, INFINITY, -INFINITY, NAN, 3e11};
    char text[TIME_TEXT];
    for (int utc = 0; utc < 2; utc++)
        for (size_t i = 0; i < COUNT_OF(never); i++)
            assert_string_equal(time_print(text, format, never[i], utc), "unknown");
    assert_string_equal(time_print(text, format, 951782400.9, true), "2000-02-29 00:00:00");
    assert_string_equal(time_print(text, format, -0.5, true), "1969-12-31 23:59:59");
    assert_int_equal(strlen(time_print(text, format, 253402214000, false)), 19); /* year 9999 */
}

TEST(arena_is_zeroed_and_aligned)
{
    for (int i = 1; i < 2000; i += 37) {
        char *memory = arena_alloc(&arena, (size_t)i);
        const int align = i >= 64 ? 64 : i >= 32 ? 32 : 16;
        assert_int_equal((uintptr_t)memory % (unsigned)align, 0);
        const char *odd = arena_text(&arena, "odd"); /* texts have no gaps */
        assert_ptr_equal(arena_text(&arena, ""), odd + sizeof "odd");
        for (int j = 0; j < i; j++) assert_int_equal(memory[j], 0);
        memset(memory, 1, (size_t)i);
    }
}

TEST(arrays_grow_one_by_one)
{
    int *heap = NULL, *kept = NULL;
    for (int i = 0; i < 3000; i++) {
        HEAP_MORE(heap, i);
        heap[i] = i;
        ARENA_MORE(&arena, kept, i);
        kept[i] = i;
    }
    for (int i = 0; i < 3000; i++) assert_true(heap[i] == i && kept[i] == i);
    free(heap);
}

TEST(names_in_a_folder)
{
    static const char *const there[] = {"b", "a.json", ".hidden", "B", "a.json.tmp-12", "\xc3\xa4"};
    static const char *const expected[] = {"B", "a.json", "b", "\xc3\xa4"};
    int count = -1;
    const char *folder = test_folder("base_names");
    for (size_t i = 0; i < COUNT_OF(there); i++)
        file_write(arena_print(&arena, "%s/%s", folder, there[i]), "", 0);
    const char **name = file_folder_names(&arena, folder, &count);
    assert_int_equal(count, COUNT_OF(expected));
    for (int i = 0; i < count; i++) assert_string_equal(name[i], expected[i]);
    assert_null(name[count]);
    assert_null(file_folder_names(&arena, arena_print(&arena, "%s/none", folder), &count));
    assert_int_equal(count, 0);
    EXPECT_DIE("cannot be read",
               file_folder_names(&arena, arena_print(&arena, "%s/%0300d", folder, 0), &count));
}

TEST(a_temporary_folder_is_new)
{
    const char *where = test_folder("base_temporary");
    char *one = file_temporary_folder(where), *other = file_try_temporary_folder(where);
    assert_true(file_is_folder(one) && file_is_folder(other) && strcmp(one, other) != 0);
    free(one);
    free(other);
    EXPECT_DIE("build/tmp/absent: cannot make a temporary folder: No such file or directory",
               file_temporary_folder("build/tmp/absent"));
    assert_null(file_try_temporary_folder("build/tmp/absent"));
}

enum { KEYS = 20000, KEY_BYTES = 16 };
static char key[KEYS][KEY_BYTES];

static size_t key_write(int i)
{
    return (size_t)snprintf(key[i], KEY_BYTES, "%d", i * 7919);
}

TEST(holds_many_keys)
{
    struct hash_table *table = hash_table_new(&arena, 0);
    for (int i = 0; i < KEYS; i++) {
        size_t bytes = key_write(i);
        assert_int_equal(hash_table_get(table, key[i], bytes), HASH_TABLE_ABSENT);
        hash_table_put(table, key[i], bytes, i);
    }
    assert_int_equal(table->count, KEYS);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(hash_table_get(table, key[i], strlen(key[i])), i);
    hash_table_put(table, "0", 1, 77); /* sets key 0 again, which replaces its value */
    assert_int_equal(hash_table_get(table, key[0], 1), 77);
    assert_int_equal(table->count, KEYS);
}

TEST(bytes_and_length_make_a_key)
{
    struct hash_table *table = hash_table_new(&arena, 4);
    static const char zeros[32];
    for (int n = 0; n < 32; n++) hash_table_put(table, zeros, (size_t)n, n);
    for (int n = 0; n < 32; n++) assert_int_equal(hash_table_get(table, zeros, (size_t)n), n);
    hash_table_put(table, "a\0b", 3, 100);
    assert_int_equal(hash_table_get(table, "a\0c", 3), HASH_TABLE_ABSENT);
    assert_int_equal(hash_table_get(table, "a", 1), HASH_TABLE_ABSENT);
}

TEST(counts_words)
{
    struct hash_table *table = hash_table_new(&arena, 0);
    const char *word[] = {"to", "be", "or", "not", "to", "be"};
    for (size_t i = 0; i < COUNT_OF(word); i++)
        ++*hash_table_at(table, word[i], strlen(word[i]), 0);
    assert_int_equal(hash_table_get(table, "to", 2), 2);
    assert_int_equal(hash_table_get(table, "not", 3), 1);
    assert_int_equal(table->count, 4);
}
