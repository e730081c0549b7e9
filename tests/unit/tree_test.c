/* Tests core/config/tree.h: refused texts, their messages, and the time to refuse them. Also tests
 * valid texts, and merged and overridden trees. */
#include "tests/support/test.h"

#include <time.h>

#include "core/config/tree_read.h"
#include "tests/support/refused.h"

static const char *printed(struct arena *into, const struct tree *tree)
{
    char *text = PRINTED(tree_print(tree, out));
    const char *copy = arena_text(into, text);
    return copy;
}

/* ---- refused ---- */

static const struct refused bad_yaml[] = {
    {"a: 1\nb: 2\na: 3\n", "3:1:", "key \"a\" is given twice, first in line 1", NULL},
    {"m:\n  x: 1\n  'x': 2\n", "3:3:", "key \"x\" is given twice, first in line 2", NULL},
    {"a: !!int 3\n", "1:4:", "tags (tag:yaml.org,2002:int) are not supported", NULL},
    {"a: !!python/object:os.system [ls]\n", "1:4:", "tags (", "are not supported"},
    {"a: !mine {b: 1}\n", "1:4:", "tags (!mine) are not supported", NULL},
    {"!!map\na: 1\n", "1:1:", "tags (", NULL},
    {"? !!str a\n: 1\n", "1:3:", "tags (", NULL},
    {"a: 1\n---\nb: 2\n", "2:1:", "a second document starts here; expected one", NULL},
    {"a: 1\n...\nb: 2\n", "3:1:", "did not find expected <document start>", NULL},
    {"---\n---\n", "2:1:", "a second document", NULL},
    {"%YAML 1.2\n---\na: 1\n", "1:1:", "directives (%) are not supported", NULL},
    {"a: 1\n...\n%TAG ! x\n", "3:1:", "directives (%) are not supported", NULL},
    {"a: &x {b: 1}\nc:\n  <<: *x\n",
     "3:3:", "merge keys (<<) are not supported; write the keys out", NULL},
    {"a: *x\n", "1:4:", "alias *x has no anchor &x before it", NULL},
    {"a: &x [1, *x]\n", "1:11:", "alias *x is inside the value that it refers to", NULL},
    {"a: &x {b: {c: *x}}\n", "1:15:", "expected no cycle", NULL},
    {"a: &x 1\nb: &x 2\n", "2:4:", "anchor &x is used twice, first in line 1", NULL},
    {"a: &x k\n*x : 2\n", "2:1:", "an alias as a key", NULL},
    {"[a, b]: 1\n", "1:1:", "a list or a map as a key; expected a word", NULL},
    {"{{a: 1}: 2}\n", "1:2:", "a list or a map as a key", NULL},
    {": 1\n", "1:1:", "did not find expected key", NULL},
    {"? \n: 1\n", "1:2:", "no key before \":\"; expected a word", NULL},
    {"{~: 1}\n", "1:2:", "no key before \":\"", NULL},
    {"a: b: c\n", "1:5:", "mapping values are not allowed", "text that holds \": \" must be"},
    {"a:\n\tb: 1\n", "2:1:", "cannot start any token", "indent with spaces, not tabs"},
    {"a: @b\n", "1:4:", "cannot start any token", "in quotes"},
    {"a: [1, 2\nb: 3\n", "2:2:", "did not find expected ',' or ']'", "starts in line 1"},
    {"a: 1\n b: 2\n", "2:3:", "mapping values are not allowed", "start in one column"},
    {"  a: 1\n b: 2\n", "2:2:", "did not find expected", NULL},
    {"a: 'b\n", "2:1:", "unexpected end of stream", "quoted scalar that starts in line 1"},
    {"a: 1\nb\nc: 2\n", "3:1:", "could not find expected ':'", "expected \": \" after a key"},
    {"a: \"\\q\"\n", "1:5:", "unknown escape character", NULL},
    {"a: \"x\\0y\"\n", "1:4:", "a NUL character inside of a text", NULL},
    {"a: b\xff\n", "1:5:", "byte 0xff is not valid UTF-8", NULL},
    {"a: 1\n# \xc3\xa9\xc3\xa9 \xc0\xaf\n", "2:6:", "byte 0xc0 is not valid UTF-8", NULL},
    {"a: \xed\xa0\x80\n", "1:4:", "byte 0xed is not valid UTF-8", NULL}, /* a surrogate */
    {"a: \xf4\x90\x80\x80\n", "1:4:", "byte 0xf4 is not valid UTF-8", NULL},
    {"a: \xe2\x82", "1:4:", "byte 0xe2 is not valid UTF-8", NULL}, /* cut off */
    {"a: \x1b[31m\n", "1:4:", "control character U+001B", "\"\\u001B\""},
    {"a: x\xe2\x80\xa8y\n", "1:5:", "control character U+2028", NULL},
    {"a: 1\rb: 2\r", "1:5:", "a carriage return alone", NULL},
    {"\xff\xfe\x61", "1:1:", "this is UTF-16; save it as UTF-8", NULL},
    {"\xfe\xff\x61", "1:1:", "this is UTF-16", NULL},
};

static void expect_refused(const struct refused *row)
{
    EXPECT_DIE(row->part, tree_parse(&arena, "dir/f.yaml", row->yaml));
    refused_check(row);
}

TEST(what_is_not_strict_is_refused)
{
    for (size_t i = 0; i < COUNT_OF(bad_yaml); i++) expect_refused(&bad_yaml[i]);
}

TEST(files_are_refused_by_size_and_nul)
{
    char path[600];
    snprintf(path, sizeof path, "%s/a.yaml", test_folder("config_file"));
    file_write(path, "a: 1\nb: \0\n", 10);
    EXPECT_DIE("a.yaml:2:4: a NUL byte", tree_read(&arena, path));
    file_write(path, "a\0:\0", 4); /* UTF-16 without a byte order mark */
    EXPECT_DIE("a.yaml:1:2: a NUL byte", tree_read(&arena, path));
    size_t bytes = (1 << 20) + 1;
    char *comment = heap_alloc(bytes + 1);
    memset(comment, '#', bytes);
    file_write(path, comment, bytes);
    EXPECT_DIE("1048577 bytes; expected at most 1048576", tree_read(&arena, path));
    EXPECT_DIE("text: 1048577 bytes of YAML; expected at most 1048576",
               tree_parse(&arena, "text", comment));
    free(comment);
    static const char windows[] = "\xef\xbb\xbf"
                                  "a: 1\r\nb:\r\n  - c\r\n";
    file_write(path, windows, sizeof windows - 1);
    assert_string_equal(printed(&arena, tree_read(&arena, path)), "{a: 1, b: [c]}");
    EXPECT_DIE("absent.yaml: cannot be read", tree_read(&arena, "build/tmp/absent.yaml"));
}

/* Returns `count` times `text`, on the heap. */
static char *repeated(const char *text, int count)
{
    size_t length = strlen(text);
    char *all = heap_alloc(length * (size_t)count + 1);
    for (int i = 0; i < count; i++) memcpy(all + length * (size_t)i, text, length);
    return all;
}

static void expect_refused_fast(const char *text, int count, const char *said)
{
    char *all = repeated(text, count);
    const clock_t start = clock(); /* processor time, because the machine may be busy */
    EXPECT_DIE(said, tree_parse(&arena, "x", all));
    if (clock() - start > CLOCKS_PER_SEC * test_slow())
        fail_msg("%d times \"%s\": over a second", count, text);
    free(all);
}

TEST(hostile_input_is_refused_fast)
{
    expect_refused_fast("[", 200000, "x:1:65: nested more than 64 deep");
    expect_refused_fast("[a, ", 200000, "x:1:257: nested more than 64 deep");
    expect_refused_fast("{a: ", 200000, "x:1:257: nested more than 64 deep");
    expect_refused_fast("- ", 200000, "x:1:129: nested more than 64 deep");
    expect_refused_fast("? ", 200000, "x:1:3: a list or a map as a key");
    expect_refused_fast("%TAG !a! tag:b\n", 60000, "x:1:1: directives");
    expect_refused_fast("- &a b\n", 100000, "x:2:3: anchor &a is used twice");
    expect_refused_fast("- \"\\\n", 100000, "did not find expected");
    const char *keys = PRINTED(for (int i = 0; i < 100000; i++) fprintf(out, "k%d: 1\n", i));
    EXPECT_DIE("x:1001:1: too many keys in one map", tree_parse(&arena, "x", keys));
}

TEST(aliases_have_a_budget)
{
    EXPECT_DIE("x:4:", tree_parse(&arena, "x",
                                  "a: &a [1,1,1,1,1,1,1,1,1]\n"
                                  "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                                  "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                                  "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"));
    assert_non_null(strstr(test_die_message, "aliases expand to more than 1000 nodes"));
    /* The depth of an alias includes the depth of its value. */
    char deep[512] = "- &a ";
    for (int i = 0; i < 40; i++) strcat(deep, "[");
    for (int i = 0; i < 40; i++) strcat(deep, "]");
    strcat(deep, "\n- ");
    for (int i = 0; i < 40; i++) strcat(deep, "[");
    strcat(deep, "*a");
    for (int i = 0; i < 40; i++) strcat(deep, "]");
    EXPECT_DIE("x:2:43: nested more than 64 deep", tree_parse(&arena, "x", deep));
    const char *anchors = PRINTED(for (int i = 0; i < 101; i++) fprintf(out, "- &a%d b\n", i));
    EXPECT_DIE("x:101:3: too many anchors; expected at most 100", tree_parse(&arena, "x", anchors));
}

/* ---- accepted ---- */

TEST(good_yaml_is_read)
{
    static const char *const good[][2] = {
        {"", "{}"},
        {"# only a comment\n", "{}"},
        {"---\n", "{}"},
        {"--- \na: 1\n...\n", "{a: 1}"},
        {"\xef\xbb\xbf"
         "a: 1\r\n\r\nb: 2\r\n",
         "{a: 1, b: 2}"},
        {"a: 1e-4\nb: yes\nc: \"12\"\nd: '~'\n", "{a: 1e-4, b: yes, c: \"12\", d: \"~\"}"},
        {"- + Local pattern\n- a, b\n- -5\n- -.5\n- .5\n- '- x'\n",
         "[+ Local pattern, \"a, b\", -5, -.5, .5, \"- x\"]"},
        {"a:\nb: ~\nc: null\n", "{a: ~, b: ~, c: ~}"},
        {"a: |\n  one\n  two\n", "{a: \"one\\ntwo\\n\"}"},
        {"a: \"\\x1b\\u0085\\u2028\\u2029\\t\\\"\\\\\"",
         "{a: \"\\x1B\\x85\\u2028\\u2029\\t\\\"\\\\\"}"},
        {"a: \xc3\xbc"
         "ber\n",
         "{a: \"\xc3\xbc"
         "ber\"}"},
        {"a: &x {b: [1, 2]}\nc: *x\nd: [*x]\n",
         "{a: {b: [1, 2]}, c: {b: [1, 2]}, d: [{b: [1, 2]}]}"},
        {"encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]",
         "{encoder.attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]}"},
        {"[a: 1, {b}]", "[{a: 1}, {b: ~}]"},
        {"'a b': 1\n\"<<\": 2\n", "{\"a b\": 1, \"<<\": 2}"},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        const char *text = printed(&arena, tree_parse(&arena, "f", good[i][0]));
        assert_string_equal(text, good[i][1]);
        /* Printed text reads back unchanged. */
        assert_string_equal(printed(&arena, tree_parse(&arena, "f", text)), text);
    }
}

TEST(places_are_those_of_the_text)
{
    char name[] = "f.yaml";
    struct tree *tree = tree_parse(&arena, name, "# c\na:\n  b:   12\n  \xc3\xbc: [x,  y]\n");
    name[0] = 0; /* the name is copied */
    struct tree *b = tree_find(tree, "a.b"), *list = tree_find(tree, "a.\xc3\xbc");
    assert_string_equal(b->location.file, "f.yaml");
    assert_int_equal(b->location.line, 3);
    assert_int_equal(b->location.column, 8);
    assert_int_equal(list->item[1]->location.line, 4);
    assert_int_equal(list->item[1]->location.column, 11); /* characters, not bytes */
    assert_int_equal(tree_find(tree, "a")->key[1]->location.column, 3);
    assert_int_equal(tree_location(tree, "a.b").column, 8);
    assert_int_equal(tree_location(tree, "a.c").line, 3); /* location of `a` */
    assert_int_equal(tree_location(tree, "c.d").line, tree->location.line);
}

/* ---- by hand ---- */

TEST(dotted_paths_are_nested_maps)
{
    struct tree *tree = tree_parse(&arena, "f", "a.b: {c.d: 1}\na.e: 2\nw/o x.: 3\n");
    assert_string_equal(tree_find(tree, "a.b.c.d")->text, "1");
    assert_string_equal(tree_find(tree, "a.e")->text, "2");
    assert_string_equal(tree_find(tree, "w/o x.")->text, "3");
    assert_null(tree_find(tree, "a.b.c.e"));
    assert_null(tree_find(tree, "a.e.f"));
    tree = tree_merge(&arena, NULL, tree);
    assert_string_equal(printed(&arena, tree), "{a: {b: {c: {d: 1}}, e: 2}, w/o x.: 3}");
    assert_int_equal(tree_find(tree, "a")->count, 2);
    assert_null(tree_get(tree, "a.b"));
    assert_null(tree_get(NULL, "a"));
}

TEST(merging_replaces_all_but_maps)
{
    static const char *const merge[][3] = {
        {"{a: 1, b: 2}", "{b: 3, c: 4}", "{a: 1, b: 3, c: 4}"},
        {"{a: {b: 1, c: 2}}", "{a.c: 3, a.d: 4}", "{a: {b: 1, c: 3, d: 4}}"},
        {"{a.b: 1}", "{a: {c: 2}}", "{a: {b: 1, c: 2}}"},
        {"{a: [1, 2]}", "{a: [3]}", "{a: [3]}"},
        {"{a: {b: 1}}", "{a: 5}", "{a: 5}"},
        {"{a: 5}", "{a.b: 1}", "{a: {b: 1}}"},
        {"{a: 1}", "{}", "{a: 1}"},
        {"{}", "{w/o x.: {0.5: 1}}", "{w/o x.: {0.5: 1}}"},
    };
    for (size_t i = 0; i < COUNT_OF(merge); i++) {
        struct tree *under = tree_parse(&arena, "u", merge[i][0]);
        struct tree *over = tree_parse(&arena, "o", merge[i][1]);
        struct tree *merged = tree_merge(&arena, under, over);
        assert_string_equal(printed(&arena, merged), merge[i][2]);
        assert_string_equal(printed(&arena, under), merge[i][0]);
    }
    struct tree *under = tree_parse(&arena, "u", "{a: {b: 1}}");
    struct tree *over = tree_parse(&arena, "o", "{c: {d: 2}}");
    struct tree *merged = tree_merge(&arena, under, over);
    tree_override(&arena, merged, "a.b=7"); /* the result shares no nodes with its sources */
    tree_override(&arena, merged, "c.d=8");
    assert_string_equal(printed(&arena, merged), "{a: {b: 7}, c: {d: 8}}");
    assert_string_equal(printed(&arena, under), "{a: {b: 1}}");
    assert_string_equal(printed(&arena, over), "{c: {d: 2}}");
    EXPECT_DIE("o:2:1: \"a.b\" is given twice, first in line 1",
               tree_merge(&arena, NULL, tree_parse(&arena, "o", "a: {b: 1}\na.b: 2\n")));
    EXPECT_DIE("o:2:1: \"a\" is given twice, first in line 1",
               tree_merge(&arena, NULL, tree_parse(&arena, "o", "a.b: 1\na: 2\n")));
}

TEST(trees_are_the_same_only_with_the_same_texts_in_the_same_order)
{
    static const char *const text[] = {"{a: 1, b: [x, {c: 2}]}",
                                       "{a: 1, b: [x, {c: 2}]}",
                                       "{a: 1.0, b: [x, {c: 2}]}",
                                       "{a: \"1\", b: [x, {c: 2}]}",
                                       "{b: [x, {c: 2}], a: 1}",
                                       "{a: 1, b: [x]}",
                                       "{a: 1}"};
    const struct tree *first = tree_parse(&arena, "f", text[0]);
    for (size_t i = 0; i < COUNT_OF(text); i++)
        assert_int_equal(tree_same(first, tree_parse(&arena, "f", text[i])), i < 2);
    assert_true(tree_same(NULL, NULL));
    assert_false(tree_same(first, NULL));
}

TEST(overrides_go_through_the_same_reader)
{
    static const char *const good[][3] = {
        {"{a: {b: 1}}", "a.b=c", "{a: {b: c}}"},
        {"{a.b: 1, c: 2}", "a.b=3", "{a: {b: 3}, c: 2}"},
        {"{a.b: 1}", "a.c=3", "{a: {b: 1, c: 3}}"},
        {"{}", "a.b.c=[1, {d: 2}]", "{a: {b: {c: [1, {d: 2}]}}}"},
        {"{a: 1}", "a={b: 2}", "{a: {b: 2}}"},
        {"{}", "a=b=c", "{a: b=c}"},
        {"{}", "a=\"\"", "{a: \"\"}"},
        {"{}", "seeds=+4,5", "{seeds: \"+4,5\"}"},
        {"{}", "seeds=1,2,3", "{seeds: \"1,2,3\"}"},
        {"{a: &x {b: 1}, c: *x}", "a.b=2", "{a: {b: 2}, c: {b: 1}}"},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        struct tree *tree = tree_parse(&arena, "f", good[i][0]);
        tree_override(&arena, tree, good[i][1]);
        assert_string_equal(printed(&arena, tree), good[i][2]);
    }
    static const char *const bad[][2] = {
        {"a", "command line: a: expected key=value"},
        {"=3", "command line: =3: expected key=value"},
        {"a=", "command line: a=: no value after \"=\"; an empty text is written 'a=\"\"'"},
        {"a= ", "no value after \"=\""},
        {"a.b=~", "command line: a.b=~: \"~\" is not a value; '~a.b' removes the key of the file"},
        {"a=null", "\"null\" is not a value"},
        {"a=[1,", "command line: a=[1,: did not find expected"},
        {"a=!!int 3", "command line: a=!!int 3: tags"},
        {"a={b: 1, b: 2}",
         "command line: a={b: 1, b: 2}: key \"b\" is given twice; expected it once"},
        {"a.b=1", "command line: a.b=1: \"a\" is a single value (f:1), so \"a.b\" cannot be set"},
        {"l.b.c=1", "command line: l.b.c=1: \"l\" is a list (f:1), so \"l.b.c\" cannot be set"},
        {"a=\xff", "is not valid UTF-8"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct tree *tree = tree_parse(&arena, "f", "{a: 1, l: [2]}");
        EXPECT_DIE(bad[i][1], tree_override(&arena, tree, bad[i][0]));
    }
}
