/* Tests shards. A written file can be read back. Damaged and truncated files are refused. */
#include "tests/support/test.h"

#include "core/corpus/corpus_shard.h"

static const int32_t source[] = {3, 4, 1, 1, 5, 1}, target[] = {6, 1, 3, 3, 1, 1};
static const int64_t source_start[] = {0, 3, 4, 6}, target_start[] = {0, 2, 5, 6};
static const int sizes[SIDES] = {6, 7};
enum { HEADER = 32, STARTS = HEADER, TOKENS = STARTS + 2 * 4 * 8, BYTES = TOKENS + 2 * 6 * 4 };

static char *shard(struct arena *into)
{
    struct split split = {.sentences = 3,
                          .side = {{.token = source, .start = source_start},
                                   {.token = target, .start = target_start}}};
    const char *path = arena_print(into, "%s/shard", test_folder("shard"));
    shard_write(path, &split);
    size_t bytes;
    char *content = file_read(into, path, 0, &bytes);
    assert_int_equal(bytes, BYTES);
    return content;
}

TEST(what_is_written_is_read)
{
    struct split split = shard_open("s", shard(&arena), BYTES, sizes);
    assert_int_equal(split.sentences, 3);
    assert_int_equal(split.longest[SIDE_SOURCE], 3);
    assert_int_equal(split.longest[SIDE_TARGET], 3);
    assert_memory_equal(split.side[SIDE_SOURCE].token, source, sizeof source);
    assert_memory_equal(split.side[SIDE_TARGET].token, target, sizeof target);
    assert_memory_equal(split.side[SIDE_SOURCE].start, source_start, sizeof source_start);
    assert_memory_equal(split.side[SIDE_TARGET].start, target_start, sizeof target_start);
}

TEST(damage_is_refused)
{
    static const struct {
        int at, bytes;
        int64_t value;
        const char *message;
    } damage[] = {
        {0, 1, 'X', "s: not a shard"},
        {8, 4, 2, "s: shard of version 2, this program reads version 1"},
        {12, 4, 2, "its header gives another number"},
        {12, 4, -1, "its header gives another number"},
        {16, 8, 7, "its header gives another number"},
        {16, 8, -1, "its header gives another number"},
        {24, 8, INT64_MAX, "its header gives another number"},
        {STARTS, 8, 1, "sentences do not cover the tokens"},
        {STARTS + 24, 8, 5, "sentences do not cover the tokens"},
        {STARTS + 8, 8, 0, "sentence 1 has no tokens"},
        {STARTS + 8, 8, 7, "sentence 1 has no tokens"},
        {STARTS + 8, 8, -1, "sentence 1 has no tokens"},
        {STARTS + 16, 8, 3, "sentence 2 has no tokens"},
        {STARTS + 8, 8, 2, "sentence 1 does not end with <eos>"},
        {TOKENS + 8, 4, 4, "sentence 1 does not end with <eos>"},
        {TOKENS, 4, 6, "sentence 1 has token id 6 of a vocabulary of 6"},
        {TOKENS + 16, 4, -1, "sentence 3 has token id -1 of a vocabulary of 6"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(damage); i++) {
        char *content = shard(&arena);
        memcpy(content + damage[i].at, &damage[i].value, (size_t)damage[i].bytes);
        EXPECT_DIE(damage[i].message, shard_open("s", content, BYTES, sizes));
    }
    char *content = shard(&arena);
    for (volatile size_t bytes = 0; bytes < BYTES; bytes++)
        EXPECT_DIE(bytes < HEADER ? "not a shard" : "its header gives another number",
                   shard_open("s", content, bytes, sizes));
}
