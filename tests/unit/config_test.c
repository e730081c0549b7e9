/* Tests core/config/option.h: the messages about refused values, and the text from which ids are
 * computed. If a golden text or digest here changed, no finished stage would be found again. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "tests/support/refused.h"

/* ---- a small section that must not change ---- */

struct fields {
    int epochs, norm;
    double rate, dropout;
    bool shared;
    const char *name;
    struct texts tasks;
    int window; /* value of the custom option, {window: N}; 0: none */
    int late;   /* option that a later version adds */
    int log;
};

static void window_read(const struct tree *value, void *field, struct arena *into)
{
    static const char *const keys[] = {"window", NULL};
    *(int *)field = 0;
    if (!value) return;
    tree_only_keys(value, "toy.span", keys);
    const struct tree *window = tree_get(value, "window");
    if (window) *(int *)field = scalar_int(window, "toy.span.window", 1, 9);
}

static void window_write(const void *field, FILE *out)
{
    if (*(const int *)field) fprintf(out, "{window: %d}", *(const int *)field);
}

static void window_json(const void *field, FILE *out)
{
    const int window = *(const int *)field;
    if (window)
        fprintf(out, "{\"window\":%d}", window);
    else
        fputs("{}", out);
}

static const struct option_custom window_custom = {"{window: N}", window_read, window_write,
                                                   window_json};

#define FIELD(name) offsetof(struct fields, name)
#define TOY_ROWS                                                                                   \
    OPTION_REAL("rate", FIELD(rate), "1e-3", 0, INFINITY, OPTION_ID, "learning rate"),             \
        OPTION_INT("epochs", FIELD(epochs), NULL, 1, 64, OPTION_ID, "passes"),                     \
        OPTION_REAL("dropout", FIELD(dropout), "0.1", 0, 0.9, OPTION_ID, "share"),                 \
        OPTION_CHOICE("norm", FIELD(norm), "pre", "pre|post|sandwich", OPTION_ID, "place"),        \
        OPTION_BOOL("shared", FIELD(shared), "true", OPTION_ID, "one table"),                      \
        OPTION_TEXT("name", FIELD(name), "", OPTION_ID, "a name"),                                 \
        OPTION_TEXTS("tasks", FIELD(tasks), "[]", OPTION_ID, "probes"),                            \
        OPTION_CUSTOM("span", FIELD(window), "{}", &window_custom, OPTION_ID, "attention")

static const struct option toy_rows[] = {TOY_ROWS};
static const struct option later_rows[] = {
    TOY_ROWS,
    OPTION_INT("late", FIELD(late), "4", 0, 9, OPTION_ID, "came later"),
    OPTION_INT("log", FIELD(log), "4", 0, 9, OPTION_NO_ID, "not part of an id"),
};
/* The default of `late` was 4 at its introduction and is 5 now. */
static const struct option changed_rows[] = {
    TOY_ROWS,
    OPTION_INT("late", FIELD(late), "5", 0, 9, OPTION_ID, "came later", .introduced = "4"),
};
/* The default of `late` is 0 if `log` is given. */
static const struct option beside_rows[] = {
    TOY_ROWS,
    OPTION_INT("late", FIELD(late), "4", 0, 9, OPTION_ID, "came later", .beside = "log",
               .then = "0"),
    OPTION_INT("log", FIELD(log), "4", 0, 9, OPTION_ID, "decides"),
};
#define SECTION(rows)                                                                              \
    {                                                                                              \
        "toy", "a toy", rows, COUNT_OF(rows), sizeof(struct fields)                                \
    }
static const struct section toy = SECTION(toy_rows), later = SECTION(later_rows),
                            changed = SECTION(changed_rows), beside = SECTION(beside_rows);

/* Returns the canonical text of a YAML text, in the arena. */
static const char *canonical(const struct section *section, const char *yaml)
{
    struct fields fields;
    section_read(section, tree_parse(&arena, "f.yaml", yaml), &fields, &arena);
    return PRINTED(section_canonical(section, &fields, out));
}

/* ---- refused values ---- */

/* Values that the toy section refuses. */
static const struct refused bad_options[] = {
    {"{}", "1:1:", "toy.epochs must be given: passes", NULL},
    {"[1]", "1:1:", "toy: expected a map, got a list", NULL},
    {"12", "1:1:", "toy: expected a map, got a single value", NULL},
    {"epochs: 2\nepohcs: 3", "2:1:", "toy: unknown key \"epohcs\"; nearest is \"epochs\"",
     "expected one of: rate, epochs, dropout, norm, shared, name, tasks, span"},
    {"epochs: 2\n  \nEpochs: 3", "3:1:", "nearest is \"epochs\"", NULL},
    {"learning: 3", "1:1:", "unknown key \"learning\"; expected one of: rate", NULL},
    {"epochs: 12abc", "1:9:", "toy.epochs: expected a whole number from 1 to 64, got \"12abc\"",
     NULL},
    {"epochs: 08", "1:9:", "got \"08\"", NULL},
    {"epochs: 007", "1:9:", "got \"007\"", NULL},
    {"epochs: 0x10", "1:9:", "got \"0x10\"", NULL},
    {"epochs: 0o17", "1:9:", "got \"0o17\"", NULL},
    {"epochs: 1_0", "1:9:", "got \"1_0\"", NULL},
    {"epochs: 1 0", "1:9:", "got \"1 0\"", NULL},
    {"epochs: 4e1", "1:9:", "got \"4e1\"; write 40", NULL},
    {"epochs: 4.0", "1:9:", "got \"4.0\"; write 4", NULL},
    {"epochs: 1.5", "1:9:", "expected a whole number from 1 to 64, got \"1.5\"", NULL},
    {"epochs: 0", "1:9:", "expected a whole number from 1 to 64, got \"0\"", NULL},
    {"epochs: 65", "1:9:", "from 1 to 64, got \"65\"", NULL},
    {"epochs: -3", "1:9:", "from 1 to 64, got \"-3\"", NULL},
    {"epochs: 99999999999999999999", "1:9:", "from 1 to 64", NULL},
    {"epochs: '12'", "1:9:", "got the quoted text \"12\"; remove the quotes", NULL},
    {"epochs: \"many\"", "1:9:", "got the quoted text \"many\"", NULL},
    {"epochs:\n  |\n  12\n", "2:3:", "got the quoted text \"12", NULL},
    {"epochs: many", "1:9:", "whole number from 1 to 64, got \"many\"", NULL},
    {"epochs: +-3", "1:9:", "got \"+-3\"", NULL},
    {"epochs: true", "1:9:", "got \"true\"", NULL},
    {"epochs:", "1:8:", "expected a whole number from 1 to 64, got nothing", NULL},
    {"epochs: ~", "1:9:", "got nothing", NULL},
    {"epochs: null", "1:9:", "got nothing", NULL},
    {"epochs: [3]", "1:9:", "from 1 to 64, got a list", NULL},
    {"epochs: {a: 3}", "1:9:", "from 1 to 64, got a map", NULL},
    {"epochs: 3\nrate: 1e-4x", "2:7:", "toy.rate: expected a number of at least 0, got \"1e-4x\"",
     NULL},
    {"epochs: 3\nrate: 1e", "2:7:", "got \"1e\"", NULL},
    {"epochs: 3\nrate: 1e-", "2:7:", "got \"1e-\"", NULL},
    {"epochs: 3\nrate: 1_000", "2:7:", "got \"1_000\"", NULL},
    {"epochs: 3\nrate: 1,000,000",
     "2:7:", "got \"1,000,000\"; expected one value: several values are a sweep", NULL},
    {"epochs: 3\nrate: 0,5", "2:7:", "got \"0,5\"; expected one value: several values are a sweep",
     NULL},
    {"epochs: 3\nrate: 1,000",
     "2:7:", "got \"1,000\"; expected one value: several values are a sweep", NULL},
    {"epochs: 3\nrate: .nan", "2:7:", "of at least 0, got \".nan\"", NULL},
    {"epochs: 3\nrate: .inf", "2:7:", "of at least 0, got \".inf\"", NULL},
    {"epochs: 3\nrate: -Infinity", "2:7:", "of at least 0, got \"-Infinity\"", NULL},
    {"epochs: 3\nrate: 1e999", "2:7:", "expected a number of at least 0, got \"1e999\"", NULL},
    {"epochs: 3\nrate: 1e-999", "2:7:", "the number is too small: it would be rounded to 0", NULL},
    {"epochs: 3\nrate: 4k", "2:7:", "got \"4k\"", NULL},
    {"epochs: 3\nrate: 00.5", "2:7:", "got \"00.5\"", NULL},
    {"epochs: 3\nrate: .", "2:7:", "got \".\"", NULL},
    {"epochs: 3\nrate: 0x1p3", "2:7:", "got \"0x1p3\"", NULL},
    {"epochs: 3\nrate: -1e-9", "2:7:", "of at least 0, got \"-1e-9\"", NULL},
    {"epochs: 3\ndropout: 10%", "2:10:", "got \"10%\"", NULL},
    {"epochs: 3\ndropout: 1", "2:10:", "toy.dropout: expected a number from 0 to 0.9", NULL},
    {"epochs: 3\nshared: yes", "2:9:", "toy.shared: expected true or false, got \"yes\"",
     "; write true"},
    {"epochs: 3\nshared: no", "2:9:", "; write false", NULL},
    {"epochs: 3\nshared: on", "2:9:", "; write true", NULL},
    {"epochs: 3\nshared: Off", "2:9:", "; write false", NULL},
    {"epochs: 3\nshared: True", "2:9:", "; write true", NULL},
    {"epochs: 3\nshared: 1", "2:9:", "; write true", NULL},
    {"epochs: 3\nshared: 'true'", "2:9:", "got the quoted text \"true\"; remove the quotes", NULL},
    {"epochs: 3\nshared: banana", "2:9:", "expected true or false, got \"banana\"", NULL},
    {"epochs: 3\nshared: [true]", "2:9:", "expected true or false, got a list", NULL},
    {"epochs: 3\nnorm: pots", "2:7:", "toy.norm: unknown word \"pots\"; nearest is \"post\"",
     "expected one of: pre, post, sandwich"},
    {"epochs: 3\nnorm: sandwhich", "2:7:", "nearest is \"sandwich\"", NULL},
    {"epochs: 3\nnorm: everywhere", "2:7:", "\"everywhere\"; expected one of: pre", NULL},
    {"epochs: 3\nnorm: [pre]", "2:7:", "expected one of pre|post|sandwich, got a list", NULL},
    {"epochs: 3\nname:", "2:6:", "toy.name: expected a text, got nothing", "is written \"\""},
    {"epochs: 3\nname: null", "2:7:", "expected a text, got null", NULL},
    {"epochs: 3\nname: [a]", "2:7:", "expected a text, got a list", NULL},
    {"epochs: 3\ntasks: {a: b}", "2:8:", "toy.tasks: expected a list of texts", "got a map"},
    {"epochs: 3\ntasks: [a, [b]]", "2:12:", "expected a text, got a list", NULL},
    {"epochs: 3\nspan: {widnow: 2}",
     "2:8:", "toy.span: unknown key \"widnow\"; nearest is \"window\"", NULL},
    {"epochs: 3\nspan: {window: 10}", "2:16:", "toy.span.window: expected a whole number from 1",
     NULL},
};

static void expect_refused(const struct refused *row)
{
    struct fields fields;
    EXPECT_DIE(row->part,
               section_read(&toy, tree_parse(&arena, "dir/f.yaml", row->yaml), &fields, &arena));
    refused_check(row);
}

TEST(what_no_row_allows_is_refused)
{
    for (size_t i = 0; i < COUNT_OF(bad_options); i++) expect_refused(&bad_options[i]);
}

/* ---- accepted values ---- */

TEST(numbers_are_read_as_yaml_does)
{
    static const struct {
        const char *text;
        double value;
    } number[] = {{"1e-4", 1e-4},    {".5", .5},    {"12", 12},        {"-3", -3},  {"5.", 5},
                  {"+1.5E+3", 1500}, {"-.5", -.5},  {"0", 0},          {"-0.0", 0}, {"0.1", 0.1},
                  {"1e22", 1e22},    {"1E3", 1000}, {"1e-300", 1e-300}};
    for (size_t i = 0; i < COUNT_OF(number); i++) {
        const struct tree *scalar = tree_parse(&arena, "f", number[i].text);
        double value = scalar_real(scalar, "x", -INFINITY, INFINITY);
        assert_memory_equal(&value, &number[i].value, sizeof value); /* -0.0 is read as 0 */
    }
    assert_int_equal(scalar_int(tree_parse(&arena, "f", "+7"), "x", 0, 0), 7);
    assert_int_equal(scalar_int(tree_parse(&arena, "f", "-0"), "x", 0, 0), 0);
    assert_int_equal(scalar_int(tree_parse(&arena, "f", "2147483647"), "x", 0, 0), 2147483647);
    EXPECT_DIE("expected a whole number, got \"2147483648\"; 2147483647 is the largest",
               scalar_int(tree_parse(&arena, "f", "2147483648"), "x", 0, 0));
    EXPECT_DIE("expected a number of at most 5, got",
               scalar_real(tree_parse(&arena, "f", "6"), "x", -INFINITY, 5));
}

TEST(overrides_are_options_like_others)
{
    struct tree *tree = tree_parse(&arena, "f", "{toy: {epochs: 3}}");
    struct fields fields;
    tree_override(&arena, tree, "toy.epochs=12abc");
    EXPECT_DIE("command line: toy.epochs=12abc: toy.epochs: expected a whole number from 1 to 64",
               section_read(&toy, tree_find(tree, "toy"), &fields, &arena));
}

TEST(one_line_whatever_the_text_holds)
{
    struct fields fields;
    EXPECT_DIE(
        "got the quoted text \"a?b?[31m\"",
        section_read(&toy, tree_parse(&arena, "f", "epochs: \"a\\nb\\e[31m\""), &fields, &arena));
}

/* ---- sections ---- */

TEST(defaults_are_filled_in)
{
    struct fields fields;
    section_read(&toy, tree_parse(&arena, "f", "{epochs: 3, tasks: one, norm: sandwich}"), &fields,
                 &arena);
    assert_int_equal(fields.epochs, 3);
    assert_true(fields.rate == 1e-3);
    assert_true(fields.dropout == .1);
    assert_int_equal(fields.norm, 2);
    assert_string_equal(section_choice(&toy, "norm", &fields, &arena), "sandwich");
    assert_true(fields.shared);
    assert_string_equal(fields.name, "");
    assert_int_equal(fields.tasks.count, 1);
    assert_string_equal(fields.tasks.text[0], "one");
    assert_int_equal(fields.tasks.location[0].column, 20);
    assert_int_equal(fields.window, 0);
    EXPECT_DIE("toy: toy.epochs must be given", section_read(&toy, NULL, &fields, &arena));
}

/* In messages about a part of a section, keys have no section prefix. An absent option gets its
 * default. If it has no default, its field is unchanged. */
TEST(a_part_keeps_what_it_does_not_say)
{
    struct fields fields = {.epochs = 7};
    section_read_part(&toy, tree_parse(&arena, "f", "{norm: post}"), &fields, &arena);
    assert_int_equal(fields.epochs, 7);
    assert_int_equal(fields.norm, 1);
    assert_string_equal(section_choice(&toy, "norm", &fields, &arena), "post");
    assert_true(fields.rate == 1e-3);
    EXPECT_DIE(
        "f:1:8: norm: unknown word \"sandwch\"",
        section_read_part(&toy, tree_parse(&arena, "f", "{norm: sandwch}"), &fields, &arena));
}

static const char frozen_yaml[] = "span: {window: 3}\nepochs: 12\nrate: 25e-5\nnorm: post\n"
                                  "dropout: .10\nshared: false\ntasks: [a, \"b, c\"]\n"
                                  "name: \"two\\nlines = \\\"\xc3\xbc\\\"\"\n";
static const char frozen_text[] = "toy.epochs=12\n"
                                  "toy.name=\"two\\nlines = \\\"\xc3\xbc\\\"\"\n"
                                  "toy.norm=post\n"
                                  "toy.rate=0.00025\n"
                                  "toy.shared=false\n"
                                  "toy.span={window: 3}\n"
                                  "toy.tasks=[\"a\", \"b, c\"]\n";
static const char frozen_id[] = "310d3836d3955fb2b135ec1ec9f40ad8dc0cef1a1ab66814d59e0acd0c7a4571";

TEST(canonical_text_is_frozen)
{
    char id[DIGEST_TEXT];
    const char *text = canonical(&toy, frozen_yaml);
    assert_string_equal(text, frozen_text);
    digest_bytes(text, strlen(text), id);
    assert_string_equal(id, frozen_id);
    /* All options with a default have this default, given or not. So only options without default
     * remain. */
    assert_string_equal(canonical(&toy, "epochs: 3"), "toy.epochs=3\n");
    assert_string_equal(canonical(&toy, "{epochs: 3, rate: 0.001, dropout: 1e-1, norm: pre,"
                                        " shared: true, name: '', tasks: [], span: {}}"),
                        "toy.epochs=3\n");
    /* A text and a list with one text give the same id. */
    assert_string_equal(canonical(&toy, "{epochs: 3, tasks: a}"),
                        canonical(&toy, "{tasks: [a], epochs: 3}"));
}

TEST(a_new_row_moves_no_id)
{
    assert_string_equal(canonical(&later, frozen_yaml), frozen_text);
    assert_string_equal(canonical(&later, "{epochs: 3, late: 5, log: 7}"),
                        "toy.epochs=3\ntoy.late=5\n");
    /* `log` is not part of the id. */
    assert_string_equal(canonical(&toy, "epochs: 3"), canonical(&later, "{epochs: 3, log: 7}"));
}

TEST(a_changed_default_keeps_the_meaning_of_ids)
{
    const char *old_default = canonical(&later, "{epochs: 3}");         /* late is 4 */
    const char *old_five = canonical(&later, "{epochs: 3, late: 5}");   /* late is 5 */
    const char *new_default = canonical(&changed, "{epochs: 3}");       /* late is 5 */
    const char *new_four = canonical(&changed, "{epochs: 3, late: 4}"); /* late is 4 */
    assert_string_equal(new_default, old_five);
    assert_string_equal(new_four, old_default);
    assert_string_not_equal(new_default, old_default);
}

/* With `log`, the default of `late` is 0 instead of 4. The id contains late=0, as if it were
 * given. */
TEST(a_default_beside_another_option)
{
    assert_string_equal(canonical(&beside, "epochs: 3"), "toy.epochs=3\n");
    assert_string_equal(canonical(&beside, "{epochs: 3, log: 4}"), "toy.epochs=3\ntoy.late=0\n");
    assert_string_equal(canonical(&beside, "{epochs: 3, log: 4, late: 4}"), "toy.epochs=3\n");
}

/* Returns the JSON of a YAML text. It has all options, or only those that are part of the id. */
static const char *json_of(const struct section *section, const char *yaml, bool all)
{
    struct fields fields;
    section_read(section, tree_parse(&arena, "f.yaml", yaml), &fields, &arena);
    return PRINTED(section_json(section, &fields, all, out));
}

TEST(json_says_all_and_reads_back)
{
    const char *json = json_of(&toy, frozen_yaml, true);
    assert_string_equal(json, "{\"dropout\":0.1,\"epochs\":12,\"name\":\"two\\nlines = "
                              "\\\"\xc3\xbc\\\"\",\"norm\":\"post\",\"rate\":0.00025,"
                              "\"shared\":false,\"span\":{\"window\":3},"
                              "\"tasks\":[\"a\",\"b, c\"]}");
    assert_string_equal(canonical(&toy, json), frozen_text);
    assert_string_equal(json_of(&toy, json, true), json);
    /* Options that are not given are printed with their defaults. */
    assert_string_equal(json_of(&later, "epochs: 3", true),
                        "{\"dropout\":0.1,\"epochs\":3,\"late\":4,\"log\":4,\"name\":\"\","
                        "\"norm\":\"pre\",\"rate\":0.001,\"shared\":true,\"span\":{},"
                        "\"tasks\":[]}");
    /* `log` is not part of the id. */
    assert_null(strstr(json_of(&later, "epochs: 3", false), "\"log\""));
    assert_non_null(strstr(json_of(&later, "epochs: 3", false), "\"late\":4,"));
}

TEST(help_stands_in_columns)
{
    char *text = PRINTED(section_help(&toy, OPTION_PATHS, out));
    assert_string_equal(text, "toy: a toy\n"
                              "  toy.rate     real >= 0          1e-3        learning rate\n"
                              "  toy.epochs   int 1..64          (required)  passes\n"
                              "  toy.dropout  real 0..0.9        0.1         share\n"
                              "  toy.norm     pre|post|sandwich  pre         place\n"
                              "  toy.shared   true|false         true        one table\n"
                              "  toy.name     text               \"\"          a name\n"
                              "  toy.tasks    list of texts      []          probes\n"
                              "  toy.span     {window: N}        {}          attention\n");
}

/* ---- a word, or a map of one word to a number ---- */

struct span {
    struct numbered width, pool;
    bool cut;
};
#define SPAN(name) offsetof(struct span, name)
static const struct option span_rows[] = {
    OPTION_NUMBERED("width", SPAN(width), "query", "query|layer|{fixed: D}", 0.01, 100,
                    "query|layer|fixed(%)", OPTION_ID, "width"),
    OPTION_NUMBERED("pool", SPAN(pool), "last", "last|mean|{queries: K}", 1, 64,
                    "last|mean|queries %", OPTION_ID, "pool", .whole = true),
    OPTION_BOOL("cut", SPAN(cut), "false", OPTION_ID, "cut", .canonical = "false|no_weight"),
};
static const struct section span = {"span", "a span", span_rows, COUNT_OF(span_rows),
                                    sizeof(struct span)};

static const struct span *span_of(const char *yaml)
{
    struct span *fields = ARENA_NEW(&arena, struct span);
    section_read(&span, tree_parse(&arena, "f", yaml), fields, &arena);
    return fields;
}

TEST(a_word_or_a_number)
{
    static const struct {
        const char *yaml, *canonical, *json;
    } known[] = {
        {"{}", "", "{\"cut\":false,\"pool\":\"last\",\"width\":\"query\"}"},
        {"{width: query, pool: last, cut: false}", "",
         "{\"cut\":false,\"pool\":\"last\",\"width\":\"query\"}"},
        {"{width: layer, pool: mean, cut: true}",
         "span.cut=no_weight\nspan.pool=mean\nspan.width=layer\n",
         "{\"cut\":true,\"pool\":\"mean\",\"width\":\"layer\"}"},
        {"{width: {fixed: 25e-1}, pool: {queries: 2}}",
         "span.pool=queries 2\nspan.width=fixed(2.5)\n",
         "{\"cut\":false,\"pool\":{\"queries\":2},\"width\":{\"fixed\":2.5}}"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const struct span *fields = span_of(known[i].yaml);
        const char *json = PRINTED(section_json(&span, fields, true, out));
        assert_string_equal(PRINTED(section_canonical(&span, fields, out)), known[i].canonical);
        assert_string_equal(json, known[i].json);
        assert_string_equal(PRINTED(section_canonical(&span, span_of(json), out)),
                            known[i].canonical);
    }
    const struct span *fields = span_of("{width: {fixed: 10}, pool: mean}");
    assert_int_equal(fields->width.index, 2);
    assert_true(fields->width.number == 10);
    assert_int_equal(fields->pool.index, 1);
    assert_true(fields->pool.number == 0);
    EXPECT_DIE("f:1:9: span.width: unknown word \"layr\"; nearest is \"layer\"",
               span_of("{width: layr}"));
    EXPECT_DIE("f:1:9: span.width: unknown word \"{fixed: D}\"", span_of("{width: '{fixed: D}'}"));
    EXPECT_DIE("f:1:10: span.width: unknown key \"fixd\"; nearest is \"fixed\"",
               span_of("{width: {fixd: 3}}"));
    EXPECT_DIE("f:1:9: span.width: expected one of query|layer|{fixed: D}, got a map",
               span_of("{width: {}}"));
    EXPECT_DIE("span.width.fixed: expected a number from 0.01", span_of("{width: {fixed: 0}}"));
    EXPECT_DIE("span.pool.queries: expected a whole number from 1",
               span_of("{pool: {queries: 2.5}}"));
}
