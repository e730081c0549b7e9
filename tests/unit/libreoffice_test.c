/* Tests core/corpus/libreoffice: pairs from small pages that this file writes, pairs that are
 * dropped, and splits by sentence and by page. */
#include "tests/support/test.h"

#include <ctype.h>

#include "core/base/digest.h"
#include "core/base/hash_table.h"
#include "core/corpus/libreoffice.h"

static char root[512], out[600];

static void write_page(const char *language, const char *page, const char *body)
{
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
    put_text(path, html);
}

static void expect_file(const char *name, const char *expected)
{
    assert_string_equal(file_read(&arena, arena_print(&arena, "%s/%s", out, name), 0, NULL),
                        expected);
}

static bool is_in_file(const char *name, const char *text)
{
    const char *content = file_read(&arena, arena_print(&arena, "%s/%s", out, name), 0, NULL);
    bool found = strstr(content, text) != NULL;
    return found;
}

TEST(pairs_paragraphs_by_page_and_id)
{
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
    assert_int_equal(counts.split[SPLIT_TRAIN], 4);
    assert_true(is_in_file("description.json", "\"package_version\": \"7.4\""));
    assert_true(is_in_file("description.json", "\"untranslated\": 1"));
}

/* Writes a page with 300 paragraphs. Many of them share a sentence with others, in one language or
 * in both. */
static void write_many(void)
{
    const char *english = "", *german = "";
    for (int i = 0; i < 300; i++) {
        english = arena_print(&arena, "%s<p id=\"par_%d\">Sentence %d</p>", english, i,
                              i % 5 ? i : i / 20);
        german =
            arena_print(&arena, "%s<p id=\"par_%d\">Satz %d</p>", german, i, i % 7 ? i : i / 40);
    }
    write_page("en-US", "many", english);
    write_page("de", "many", german);
}

/* Enters the lower-cased lines of a file into the table, with the number of their split. Fails if a
 * line already has another number. Returns the number of lines. */
static int note_lines(struct hash_table *table, const char *name, int split)
{
    int lines = 0;
    char *line = file_read(&arena, arena_print(&arena, "%s/%s", out, name), 0, NULL);
    for (char *at = line; *at; at++) *at = (char)tolower((unsigned char)*at);
    for (size_t length; *line; line += length + 1, lines++) {
        length = strcspn(line, "\n");
        assert_int_equal(*hash_table_at(table, line, length, split), split);
    }
    return lines;
}

/* Digests of the files that a Python program makes by the rule in libreoffice.h. */
static const char *const by_sentence[][2] = {
    {"test.en-US", "bde34533a704772a6f2420cdc313a0f126a1919bd4674cd7818367fa45f03ae3"},
    {"test.de", "cd57f42e80d31ea3615848fc4d472b64c5cedca4e5e4c935b3162ea85bd51596"},
    {"dev.en-US", "ac773c5bf608dfee88924218b0b1ec9eadb1ee9cf99758d43d5f1b05be668210"},
    {"dev.de", "54fdffbd7ce869dceba5048232517780c85fef0e746b70e0fab7f83d72743bbf"},
};

static void expect_digests(const char *const file[4][2])
{
    for (int i = 0; i < 4; i++) {
        char digest[DIGEST_TEXT];
        digest_file(arena_print(&arena, "%s/%s", out, file[i][0]), digest);
        assert_string_equal(digest, file[i][1]);
    }
}

TEST(no_sentence_is_in_two_splits)
{
    snprintf(root, sizeof root, "%s", test_folder("libreoffice-many"));
    snprintf(out, sizeof out, "%s", test_folder("libreoffice-many-out"));
    write_many();
    struct libreoffice_options options = {
        .from = "en-US", .to = "de", .root = root, .out = out, .dev = 40, .test = 50};
    struct libreoffice_counts counts = corpus_libreoffice(&options);
    assert_true(counts.groups < counts.pairs);
    static const char *const split[] = {"train", "dev", "test"}, *const side[] = {"en-US", "de"};
    for (int s = 0; s < 2; s++) {
        struct hash_table *table = hash_table_new(&arena, 0);
        int lines[3];
        for (int i = 0; i < 3; i++)
            lines[i] = note_lines(table, arena_print(&arena, "%s.%s", split[i], side[s]), i);
        assert_int_equal(lines[0], counts.split[SPLIT_TRAIN]);
        assert_int_equal(lines[1], 40);
        assert_int_equal(lines[2], 50);
        assert_int_equal(lines[0] + lines[1] + lines[2], counts.pairs);
    }
    expect_digests(by_sentence);
    assert_false(is_in_file("description.json", "\"package_version\": \"")); /* unknown: null */
    const char control[] = "Package: libreoffice-help-de\nSource: x\nVersion: 4:7.4.7-1\nFoo: y\n";
    file_make_folder(arena_print(&arena, "%s/DEBIAN", root));
    file_write(arena_print(&arena, "%s/DEBIAN/control", root), control, sizeof control - 1);
    corpus_libreoffice(&options);
    expect_digests(by_sentence);
    assert_true(is_in_file("description.json", "\"package_version\": \"4:7.4.7-1\""));
}

enum { PAGES = 60 };

/* Writes a page. It has four sentences that are on no other page, and the first of them occurs
 * twice. The page shares one sentence with two other pages. One sentence is on all pages, but its
 * case and its translation differ between pages. */
static void write_page_of_many(int page, const char *language, const char *mark)
{
    const char *body = "";
    for (int i = 0; i < 5; i++)
        body = arena_print(&arena, "%s<p id=\"own_%d\">page %d, own %d%s</p>", body, i, page, i % 4,
                           mark);
    body = arena_print(&arena, "%s<p id=\"three\">three of %d%s</p>", body, page / 3, mark);
    const char *all = *mark      ? arena_print(&arena, "see %d%s", page, mark)
                      : page % 2 ? "SEE ALSO"
                                 : "See also";
    write_page(language, arena_print(&arena, "p%d", page),
               arena_print(&arena, "%s<h1 id=\"all\">%s</h1>", body, all));
}

/* Digests of the files that a Python program makes by the rule in libreoffice.h. */
static const char *const by_page[][2] = {
    {"test.en-US", "589afbc35e0e3bddff2aac8ff2a46be69ff05d0afbc0e84b4f7f9fbd4a807ade"},
    {"test.de", "9277ef7178c9af33f1a5c95bc17cb0926fc2839346694fe4f75a55fa9d1178ee"},
    {"dev.en-US", "3e1acc28dd7f818b64c3f9941f800e43485f88f40567030c8b88575abd3420d4"},
    {"dev.de", "91e41169e8b453ca8e2ddd49fb5dd8a1373e15d05cde3b921322a602baed3005"},
};

TEST(pages_are_in_one_split)
{
    snprintf(root, sizeof root, "%s", test_folder("libreoffice-pages"));
    snprintf(out, sizeof out, "%s", test_folder("libreoffice-pages-out"));
    for (int page = 0; page < PAGES; page++) {
        write_page_of_many(page, "en-US", "");
        write_page_of_many(page, "de", " (de)");
    }
    struct libreoffice_options options = {.from = "en-US",
                                          .to = "de",
                                          .root = root,
                                          .out = out,
                                          .dev = 40,
                                          .test = 50,
                                          .by_page = true};
    struct libreoffice_counts counts = corpus_libreoffice(&options);
    static const char *const split[] = {"train", "dev", "test"}, *const side[] = {"en-US", "de"};
    for (int s = 0; s < 2; s++) {
        struct hash_table *table = hash_table_new(&arena, 0);
        int lines = 0;
        for (int i = 0; i < 3; i++)
            lines += note_lines(table, arena_print(&arena, "%s.%s", split[i], side[s]), i);
        assert_int_equal(lines, counts.pairs);
        for (int page = 0; page < PAGES; page++) {
            int64_t own[4];
            for (int i = 0; i < 4; i++) {
                const char *text =
                    arena_print(&arena, "page %d, own %d%s", page, i, s ? " (de)" : "");
                own[i] = hash_table_get(table, text, strlen(text));
                assert_int_equal(own[i], own[0]);
            }
        }
    }
    assert_true(is_in_file("train.en-US", "SEE ALSO"));
    assert_true(is_in_file("train.en-US", "See also"));
    assert_int_equal(counts.pairs, 320);
    assert_int_equal(counts.split[SPLIT_DEV], 43);
    assert_int_equal(counts.split[SPLIT_TEST], 52);
    assert_int_equal(counts.split_pages[SPLIT_DEV], 10);
    assert_int_equal(counts.split_pages[SPLIT_TEST], 13);
    assert_int_equal(counts.shared, 36);
    expect_digests(by_page);
    assert_true(is_in_file("description.json", "\"split\": \"page\""));
    corpus_libreoffice(&options);
    expect_digests(by_page);
    options.by_page = false;
    corpus_libreoffice(&options);
    assert_false(is_in_file("description.json", "split"));
    assert_false(is_in_file("description.json", "shared"));
    options.by_page = true;
    options.test = 300; /* there are 320 pairs */
    EXPECT_DIE("pairs are too few for 40 in dev and 300 in test", corpus_libreoffice(&options));
}

TEST(refuses_what_it_cannot_do)
{
    snprintf(root, sizeof root, "%s", test_folder("libreoffice-refused"));
    snprintf(out, sizeof out, "%s/out", root);
    struct libreoffice_options options = {.from = "en-US", .to = "de", .root = root, .out = out};
    EXPECT_DIE("has no help of LibreOffice", corpus_libreoffice(&options));
    write_many();
    options.to = "fr";
    EXPECT_DIE("no help in \"fr\"; expected one of: de, en-US", corpus_libreoffice(&options));
    options.to = "en-US";
    EXPECT_DIE("--from and --to are both en-US", corpus_libreoffice(&options));
    options.to = "de";
    options.test = 10000;
    EXPECT_DIE("pairs are too few for 0 in dev and 10000 in test", corpus_libreoffice(&options));
    assert_false(file_is_folder(out));
    options.root = "build/tmp/absent";
    EXPECT_DIE("build/tmp/absent: is not a folder", corpus_libreoffice(&options));
}
