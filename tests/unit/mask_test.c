/* Tests core/base/mask.h. Masked standard output has only text, tabs and line ends. The output does
 * not depend on how the bytes are divided into writes. */
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>

#include "core/base/mask.h"
#include "core/base/mask_output.h"

/* Returns the output of a child process. The child writes text[bytes] to its masked stdout, flushes
 * after every `piece` bytes, and exits. */
static const char *printed(struct arena *into, const char *text, size_t bytes, size_t piece)
{
    const char *path = arena_print(into, "%s/out", test_folder("mask"));
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int file = open(path, O_CREAT | O_WRONLY, 0666);
        if (file < 0 || dup2(file, STDOUT_FILENO) < 0) _exit(2);
        mask_stdout();
        for (size_t i = 0; i < bytes; i += piece) {
            const size_t count = bytes - i < piece ? bytes - i : piece;
            if (fwrite(text + i, 1, count, stdout) != count || fflush(stdout) != 0) _exit(3);
        }
        _exit(fclose(stdout) == 0 ? 0 : 4);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return file_read(into, path, 0, NULL);
}

TEST(only_text_in_lines_passes)
{
    static const char *const text[][2] = {
        {"plain\ttext\nGr\xc3\xb6\xc3\x9f"
         "e \xe6\xbc\xa2 \xf0\x9f\x98\x80 \xc2\xa0.\r\n",
         NULL},
        {"\x1b[31mred\x1b]0;title\a\b\v\f\x7f", "?[31mred?]0;title?????"},
        {"a\rb\r\r\n", "a?b?\r\n"},
        {"\xc2\x9b"
         "31m\xc2\x85.",
         "?31m?."},
        {"\xe2\x80\xae"
         "abc\xe2\x80\xa8.",
         "?abc?."},
        {"\xff\xc3|\xe2\x82|\xf0\x9f\x98|\xc0\x80\xed\xa0\x80\xf5.", "??|??|???|??????."},
        {"end\xe2\x82", "end??"},
        {"end\r", "end?"},
    };
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        for (size_t piece = 1; piece < 8; piece++) {
            const char *out = printed(&arena, text[i][0], strlen(text[i][0]), piece);
            assert_string_equal(out, text[i][1] ? text[i][1] : text[i][0]);
        }
        assert_int_equal(mask_spares(text[i][0]), !text[i][1]);
    }
    assert_int_equal(strlen(printed(&arena, "a\0b", 3, 3)), 3);
}

TEST(a_whole_line_is_masked)
{
    assert_string_equal(PRINTED(mask_line(out, "%s: %s", "a\nb", "\x1b[2J\tc\xff")),
                        "a?b: ?[2J?c?\n");
}

/* A write to a full disk fails: fflush reports an error, and errno has the reason. */
TEST(a_full_disk_is_an_error_of_the_stream)
{
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int file = open("/dev/full", O_WRONLY);
        if (file < 0 || dup2(file, STDOUT_FILENO) < 0) _exit(2);
        mask_stdout();
        puts("text");
        errno = 0;
        _exit(fflush(stdout) == EOF && errno == ENOSPC && ferror(stdout) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
