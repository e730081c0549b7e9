/* Tests settings_json, which writes the options in a checkpoint as JSON. The JSON has every option
 * of its sections. Read as a point of a grid, it gives the same model and training, for every
 * variant of attention at every place. */
#include "tests/support/test.h"

#include <jansson.h>

#include "core/config/tree_read.h"
#include "experiments/grid/settings.h"
#include "tests/support/variant.h"

static const struct settings *settings_of(const char *yaml)
{
    struct settings *settings = ARENA_NEW(&arena, struct settings);
    settings_read(settings, tree_merge(&arena, NULL, tree_parse(&arena, "point.yaml", yaml)),
                  &arena);
    return settings;
}

/* Returns settings as JSON or as canonical text. */
static const char *written(const struct settings *settings, bool json)
{
    return PRINTED(if (json) settings_json(settings, out); else settings_canonical(
                       settings, SETTINGS_CORPUS | SETTINGS_MODEL | SETTINGS_TRAIN, NULL, out));
}

/* Checks that the JSON has every option, except for paths of the corpus and train.keep_at, which
 * must be absent. */
static void has_every_option(const char *text)
{
    static const char *const paths[] = {"train",           "dev",    "test",
                                        "test_references", "origin", "codes"};
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    for (const struct sections_row *row = sections_all; row->name; row++) {
        if (!row->bit) continue;
        const json_t *map = json_object_get(json, row->name);
        const bool corpus = row->bit == SETTINGS_CORPUS;
        int absent = 0;
        for (int i = 0; i < row->section->count; i++) {
            const char *key = row->section->option[i].key;
            bool left_out = !corpus && strcmp(key, "keep_at") == 0;
            for (size_t k = 0; corpus && k < COUNT_OF(paths); k++)
                left_out |= !strcmp(key, paths[k]);
            absent += left_out;
            if (!json_object_get(map, key) != left_out)
                fail_msg("%s.%s in %s", row->name, key, text);
        }
        assert_int_equal(json_object_size(map), row->section->count - absent);
    }
    json_decref(json);
}

static void reads_back(void **state)
{
    static const char corpus[] = "corpus: {source: a, target: b, separator: \"\\t\", train: t}\n";
    static const char train[] = "train: {steps: 30, rate: 0.7, keep_best: 3}\n";
    const struct settings *settings =
        settings_of(arena_print(&arena, "%s%s%s", corpus, train, (const char *)*state));
    const char *json = written(settings, true);
    has_every_option(json);
    struct tree *point = tree_merge(&arena, NULL, tree_parse(&arena, "checkpoint.json", json));
    tree_put(&arena, point, "corpus.train", tree_parse(&arena, "path", "t"));
    struct settings again;
    settings_read(&again, point, &arena);
    assert_string_equal(written(&again, false), written(settings, false));
    assert_string_equal(written(&again, true), json);
    assert_int_equal(again.train.keep_best, 3);
}

int main(void)
{
    return variant_run_tests("width: 16, heads: 4, norm: post", reads_back, NULL);
}
