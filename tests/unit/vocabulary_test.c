/* Tests vocabularies: the order of ids, the file, and refused files. */
#include "tests/support/test.h"

#include "core/text/vocabulary.h"

static struct vocabulary build(void)
{
    struct bpe_word word[] = {{"der", 3, 5},   {"ein", 3, 9},      {"Haus", 4, 5},
                              {"<eos>", 5, 7}, {"\xc3\xa4", 2, 5}, {"z", 1, 1}};
    return vocabulary_build(&arena, word, 6);
}

TEST(ids_by_falling_count_then_bytes)
{
    struct vocabulary vocabulary = build();
    const char *const expected[] = {"<pad>", "<eos>", "<unk>",    "ein",
                                    "Haus",  "der",   "\xc3\xa4", "z"};
    assert_int_equal(vocabulary.size, 8);
    for (int id = 0; id < 8; id++) assert_string_equal(vocabulary.token[id], expected[id]);
    assert_int_equal(vocabulary_id(&vocabulary, "Haus", 4), 4);
    assert_int_equal(vocabulary_id(&vocabulary, "derart", 3), 5);
    assert_int_equal(vocabulary.count[3], 9);
    assert_int_equal(vocabulary.count[VOCABULARY_EOS], 0);
}

TEST(text_never_makes_control_symbols)
{
    struct vocabulary vocabulary = build();
    const char *const words[] = {"<eos>", "<pad>", "<unk>", "absent", ""};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        assert_int_equal(vocabulary_id(&vocabulary, words[i], strlen(words[i])), VOCABULARY_UNK);
}

TEST(what_is_written_is_read)
{
    struct vocabulary written = build();
    char *path = arena_print(&arena, "%s/vocabulary", test_folder("vocabulary"));
    vocabulary_write(&written, path);
    size_t bytes;
    char *text = file_read(&arena, path, 0, &bytes);
    struct vocabulary read = vocabulary_parse(&arena, path, text, bytes);
    assert_int_equal(read.size, written.size);
    for (int id = 0; id < read.size; id++) {
        assert_string_equal(read.token[id], written.token[id]);
        assert_int_equal(read.count[id], written.count[id]);
    }
    assert_int_equal(vocabulary_id(&read, "z", 1), 7);
}

TEST(anything_else_is_refused)
{
    static const struct said cases[] = {
        {"", "v: not a vocabulary: 0 whole lines"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na\t1", "v: not a vocabulary: 3 whole lines"},
        {"<pad>\t0\n<unk>\t0\n<eos>\t0\n", "v:2: expected the control symbol <eos>"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na 1\n", "v:4: expected: token TAB count"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na\t1x\n", "v:4: expected: token TAB count"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na\t-1\n", "v:4: expected: token TAB count"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na\t\nb\t1\n", "v:4: expected: token TAB count"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\n\t1\n", "v:4: expected: token TAB count"},
        {"<pad>\t0\n<eos>\t0\n<unk>\t0\na\t2\na\t1\n", "v:5: token \"a\" occurs twice"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(cases); i++) /* volatile for longjmp */
        EXPECT_DIE(cases[i].says,
                   vocabulary_parse(&arena, "v", cases[i].text, strlen(cases[i].text)));
}
