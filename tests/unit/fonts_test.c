/* Tests that characters without a font become question marks. A program named fc-list prints the
 * characters that fonts have. */
#include "tests/support/test.h"

#include <sys/stat.h>

#include "core/text/fonts.h"

static void expect(const char *text, const char *drawable, const char *missing)
{
    const char *said;
    size_t bytes = strlen(text);
    assert_string_equal(fonts_drawable(text, &bytes, &said, &arena), drawable);
    assert_int_equal(bytes, strlen(drawable));
    if (missing)
        assert_string_equal(said, missing);
    else
        assert_null(said);
}

TEST(what_no_font_has_is_marked)
{
    const char *folder = test_folder("fonts"), *program = arena_print(&arena, "%s/fc-list", folder);
    static const char script[] =
        "#!/bin/sh\n[ \"$1\" = -f ] && printf '20-7e e4\\n3b1-3c9 4e00\\n'\n";
    put_text(program, script);
    assert_int_equal(chmod(program, 0755), 0);
    setenv("PATH", arena_print(&arena, "%s:%s", folder, getenv("PATH")), 1);
    expect("plain\n", "plain\n", NULL);
    expect("ä λ 一\n", "ä λ 一\n", NULL);
    expect("a\xEF\xBF\xAD"
           "b 𓀀 ü ü\n",
           "a?b ? ? ?\n", "U+FFED, U+13000, U+00FC");
    expect("\xFF λ", "\xFF λ", NULL); /* invalid UTF-8 */
}
