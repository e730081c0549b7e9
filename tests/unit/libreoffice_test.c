/* core/corpus/libreoffice: pairs out of small pages written here; what is dropped, and the
 * splits. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/table.h"
#include "core/corpus/libreoffice.h"

static char root[512], out[600];

static void write_page(const char *language, const char *page, const char *body)
{
    struct arena arena = {0};
    const char *folder =
        arena_print(&arena, "%s/usr/share/libreoffice/help/%s/text/shared", root, language);
    file_make_folder(folder);
    const char *html =
        arena_print(&arena,
                    "<!DOCTYPE html>\n<html lang=\"%s\"><head><title>no</title></head>"
                    "<body><header><p dir=\"auto\">no id</p></header>"
                    "<div>%s</div><div id=\"DEBUG\" class=\"debug\">"
                    "<p id=\"bm_module\">for developers: %s</p></div></body></html>",
                    language, body, language);
    const char *path = arena_print(&arena, "%s/%s.html", folder, page);
    file_write(path, html, strlen(html));
    arena_free(&arena);
}

static void expect_file(const char *name, const char *expected)
{
    struct arena arena = {0};
    assert_string_equal(file_read(&arena, arena_print(&arena, "%s/%s", out, name), 0, NULL),
                        expected);
    arena_free(&arena);
}

static bool is_in_file(const char *name, const char *text)
{
    struct arena arena = {0};
    const char *content = file_read(&arena, arena_print(&arena, "%s/%s", out, name), 0, NULL);
    bool found = strstr(content, text) != NULL;
    arena_free(&arena);
    return found;
}

static void pairs_paragraphs_by_page_and_id(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "%s", test_folder("libreoffice"));
    snprintf(out, sizeof out, "%s", test_folder("libreoffice-out"));
    write_page("en-US", "a",
               "<h1 id=\"hd_1\">Insert  a\n frame</h1>"
               "<p id=\"par_1\">Press <span class=\"switchinline\">"
               "<span hidden=\"true\" class=\"MAC\">Command</span>"
               "<span hidden=\"true\" id=\"defaulttext1\"><b>Ctrl</b></span></span>+F4.</p>"
               "<p id=\"par_2\">only here</p>"
               "<p id=\"par_3\"><img src=\"x.png\" alt=\"no\"></p>"
               "<p id=\"par_4\">Twice</p><p id=\"par_4\">Twice again</p>"
               "<p id=\"par_5\">SQRT(4)</p>"
               "<p id=\"par_6\">one two three four, five &amp; six</p>");
    write_page("de", "a",
               "<p id=\"par_6\">eins zwei drei vier, fünf &amp; sechs</p>"
               "<p id=\"par_5\">SQRT(4)</p>"
               "<p id=\"par_4\">Zweimal</p><p id=\"par_4\">Noch zweimal</p>"
               "<p id=\"par_3\"></p>"
               "<p id=\"par_1\">Drücken Sie <span class=\"switchinline\">"
               "<span hidden=\"true\" class=\"MAC\">Befehl</span>"
               "<span hidden=\"true\" id=\"defaulttext1\"><b>Strg</b></span></span>+F4.</p>"
               "<h1 id=\"hd_1\">Rahmen&nbsp;<br>einfügen</h1>");
    write_page("en-US", "b", "<h2 id=\"hd_1\">Insert a frame</h2>");
    write_page("de", "b", "<h2 id=\"hd_1\">Rahmen einfügen</h2>");
    write_page("en-US", "c", "<p id=\"par_1\">a page that was not translated</p>");

    struct libreoffice_options options = {
        .from = "en-US", .to = "de", .root = root, .out = out, .version = "7.4", .max_words = 5};
    struct libreoffice_counts counts = corpus_libreoffice(&options);
    expect_file("train.en-US", "Insert a frame\nPress Ctrl+F4.\nTwice\nTwice again\n");
    expect_file("train.de", "Rahmen einfügen\nDrücken Sie Strg+F4.\nZweimal\nNoch zweimal\n");
    expect_file("dev.de", "");
    assert_int_equal(counts.pages, 3);
    assert_int_equal(counts.pages_unpaired, 1);
    assert_int_equal(counts.paragraphs, 9);
    assert_int_equal(counts.paragraphs_unpaired, 1);
    assert_int_equal(counts.empty, 1);
    assert_int_equal(counts.untranslated, 1);
    assert_int_equal(counts.too_long, 1);
    assert_int_equal(counts.duplicate, 1);
    assert_int_equal(counts.pairs, 4);
    assert_int_equal(counts.train, 4);
    assert_true(is_in_file("description.json", "\"package_version\": \"7.4\""));
    assert_true(is_in_file("description.json", "\"untranslated\": 1"));
}

/* 300 paragraphs of which many share a sentence with others, on one side or on both. */
static void write_many(void)
{
    struct arena arena = {0};
    const char *english = "", *german = "";
    for (int i = 0; i < 300; i++) {
        english = arena_print(&arena, "%s<p id=\"par_%d\">Sentence %d</p>", english, i,
                              i % 5 ? i : i / 20);
        german =
            arena_print(&arena, "%s<p id=\"par_%d\">Satz %d</p>", german, i, i % 7 ? i : i / 40);
    }
    write_page("en-US", "many", english);
    write_page("de", "many", german);
    arena_free(&arena);
}

/* Puts the lines of a file into the table with the number of their split; fails if one is there
 * with another. Returns how many lines. */
static int note_lines(struct arena *arena, struct table *table, const char *name, int split)
{
    int lines = 0;
    size_t bytes;
    const char *line = file_read(arena, arena_print(arena, "%s/%s", out, name), 0, &bytes);
    for (size_t length; *line; line += length + 1, lines++) {
        length = strcspn(line, "\n");
        assert_int_equal(*table_at(table, line, length, split), split);
    }
    return lines;
}

static void no_sentence_is_in_two_splits(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "%s", test_folder("libreoffice-many"));
    snprintf(out, sizeof out, "%s", test_folder("libreoffice-many-out"));
    write_many();
    struct libreoffice_options options = {
        .from = "en-US", .to = "de", .root = root, .out = out, .dev = 40, .test = 50};
    struct libreoffice_counts counts = corpus_libreoffice(&options);
    assert_true(counts.groups < counts.pairs);
    struct arena arena = {0};
    static const char *const split[] = {"train", "dev", "test"}, *const side[] = {"en-US", "de"};
    for (int s = 0; s < 2; s++) {
        struct table *table = table_new(&arena, 0);
        int lines[3];
        for (int i = 0; i < 3; i++)
            lines[i] =
                note_lines(&arena, table, arena_print(&arena, "%s.%s", split[i], side[s]), i);
        assert_int_equal(lines[0], counts.train);
        assert_int_equal(lines[1], 40);
        assert_int_equal(lines[2], 50);
        assert_int_equal(lines[0] + lines[1] + lines[2], counts.pairs);
    }
    char before[DIGEST_TEXT], after[DIGEST_TEXT];
    digest_file(arena_print(&arena, "%s/test.de", out), before);
    assert_false(is_in_file("description.json", "\"package_version\": \"")); /* unknown: null */
    const char control[] = "Package: libreoffice-help-de\nSource: x\nVersion: 4:7.4.7-1\nFoo: y\n";
    file_make_folder(arena_print(&arena, "%s/DEBIAN", root));
    file_write(arena_print(&arena, "%s/DEBIAN/control", root), control, sizeof control - 1);
    corpus_libreoffice(&options);
    digest_file(arena_print(&arena, "%s/test.de", out), after);
    assert_string_equal(before, after);
    assert_true(is_in_file("description.json", "\"package_version\": \"4:7.4.7-1\""));
    arena_free(&arena);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "%s", test_folder("libreoffice-refused"));
    snprintf(out, sizeof out, "%s/out", root);
    struct libreoffice_options options = {.from = "en-US", .to = "de", .root = root, .out = out};
    EXPECT_DIE("no help of LibreOffice is below it", corpus_libreoffice(&options));
    write_many();
    options.to = "fr";
    EXPECT_DIE("no help in \"fr\"; there are: de, en-US", corpus_libreoffice(&options));
    options.to = "en-US";
    EXPECT_DIE("--from and --to are both en-US", corpus_libreoffice(&options));
    options.to = "de";
    options.test = 10000;
    EXPECT_DIE("pairs are too few for 0 in dev and 10000 in test", corpus_libreoffice(&options));
    assert_false(file_is_folder(out));
    options.root = "build/tmp/absent";
    EXPECT_DIE("build/tmp/absent: is not a folder", corpus_libreoffice(&options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_paragraphs_by_page_and_id),
        cmocka_unit_test(no_sentence_is_in_two_splits),
        cmocka_unit_test(refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests_name("libreoffice", tests, NULL, NULL);
}
