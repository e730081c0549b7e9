/* One composition of attention has one text, so one id, however it is spelled; another one has
 * another. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "core/config/tree_read.h"
#include "core/model/options.h"

/* What the text of an id says of all three places. */
static char *meaning(const char *model, const char *place, const char *entry)
{
    struct arena arena = {0};
    struct translator_options options;
    const char *yaml = arena_print(&arena, "model: {width: 16, %s}\n%s: [{layers: 1-2, %s}]\n",
                                   model, place, entry);
    struct tree *tree = tree_merge(&arena, NULL, tree_parse(&arena, "t", yaml));
    translator_options_read(&options, tree, &arena);
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    attention_custom.write(&options.encoder.attention, out);
    fputs(" | ", out);
    attention_custom.write(&options.decoder.attention, out);
    fputs(" | ", out);
    attention_custom.write(&options.decoder.cross, out);
    fclose(out);
    arena_free(&arena);
    return text;
}

#define ENCODER "encoder.attention"
#define DECODER "decoder.attention"
#define TWO "branches: [global, {window: 1}], fusion: "

struct pair {
    const char *model, *place, *one, *other;
};

static void compare(const struct pair *pair, bool same)
{
    char *one = meaning(pair->model, pair->place, pair->one);
    char *other = meaning(pair->model, pair->place, pair->other);
    if (!strcmp(one, other) != same)
        fail_msg("%s and %s: \"%s\" and \"%s\"", pair->one, pair->other, one, other);
    free(one);
    free(other);
}

static void one_meaning_is_one_text(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"heads: 4", ENCODER, "terms: [localness]", "terms: [{gauss: {center: query}}]"},
        {"heads: 4", ENCODER, "terms: [local_s]", "terms: [{gauss: {heads: 4, hidden: 16}}]"},
        {"heads: 4", ENCODER, "terms: [local_h]", "terms: [{gauss: {window: {fixed: 10.0}}}]"},
        {"heads: 4", ENCODER, "terms: [{gauss: {heads: 2, hidden: 8}}]",
         "terms: [{gauss: {heads: 2}}]"},
        {"heads: 4", ENCODER, "terms: [{neighbor_sigma: {scaling: paper, hidden: 5}}]",
         "terms: [neighbor_sigma]"},
        {"heads: 4", ENCODER,
         "terms: [{gauss: {center: self, window: {fixed: 3}, scaling: paper}}]",
         "terms: [{gauss: {center: self, window: {fixed: 3}}}]"},
        {"heads: 4", ENCODER, "terms: [{gauss: {center: self, window: head, hidden: 5}}]",
         "terms: [{gauss: {center: self, window: head}}]"},
        {"heads: 4", ENCODER, "terms: [{localness: {bias: true}}]", "terms: [localness]"},
        {"heads: 4", ENCODER, "terms: [{neighbor_sigma: {bias: false}}]",
         "terms: [neighbor_sigma]"},
        {"heads: 4", ENCODER, "terms: [{neighbor: {scaling: paper_from_1}}]",
         "terms: [{neighbor: {scaling: paper}}]"},
        {"heads: 4", ENCODER, "terms: [{neighbor_sigma: {scaling: paper_from_1}}]",
         "terms: [neighbor_sigma]"},
        {"heads: 4", ENCODER, "terms: [relpos, localness, {relpos: 2}]",
         "terms: [localness, {relpos: 16}, {relpos: {k: 2}}]"},
        {"heads: 4", ENCODER, "branches: [{window: 1, dropout: true}]", "branches: [{window: 1}]"},
        {"heads: 4", DECODER, "branches: [forward]", "branches: [global]"},
        {"heads: 4", DECODER, "branches: [forward, {window: 1}], fusion: sum",
         "branches: [global, {window: 1}], fusion: sum"},
        {"heads: 4", ENCODER, TWO "gate", TWO "{gate: {source: query, heads: each}}"},
        {"heads: 1", ENCODER, TWO "{gate: {heads: one}}", TWO "gate"},
        {"heads: 1", ENCODER, TWO "{gate: {source: input, heads: each}}", TWO "{gate: input}"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) compare(&pairs[i], true);
}

static void other_meanings_are_other_texts(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"heads: 4", ENCODER, "terms: [{gauss: {center: self, window: head, scaling: paper}}]",
         "terms: [{gauss: {center: self, window: head}}]"},
        {"heads: 4", ENCODER, "terms: [{local_h: {scaling: paper}}]", "terms: [local_h]"},
        {"heads: 4", ENCODER, "terms: [{neighbor: {scaling: paper}}]", "terms: [neighbor]"},
        {"heads: 4", ENCODER, "terms: [{localness: {scaling: paper_from_1}}]",
         "terms: [{localness: {scaling: paper}}]"},
        {"heads: 4", ENCODER, "terms: [{localness: {bias: false}}]", "terms: [localness]"},
        {"heads: 4", ENCODER, "terms: [{neighbor: {bias: false}}]", "terms: [neighbor]"},
        {"heads: 4", ENCODER, "terms: [{local_h: {hard_cut: true}}]", "terms: [local_h]"},
        {"heads: 4", ENCODER, "terms: [{gauss: {heads: 2, hidden: 16}}]",
         "terms: [{gauss: {heads: 2}}]"},
        {"heads: 4", ENCODER, "terms: [{relpos: 2}, {relpos: 3}]",
         "terms: [{relpos: 3}, {relpos: 2}]"},
        {"heads: 4", ENCODER, "branches: [forward]", "branches: [global]"},
        {"heads: 4", ENCODER, "branches: [{window: 4096}]", "branches: [global]"},
        {"heads: 4", ENCODER, "branches: [{window: 1, dropout: false}]", "branches: [{window: 1}]"},
        {"heads: 4", DECODER, "branches: [{window: 0}]", "branches: [global]"},
        {"heads: 4", ENCODER, TWO "{gate: {heads: one}}", TWO "gate"},
        {"heads: 1", ENCODER, TWO "{gate: input}", TWO "gate"},
        {"heads: 4", ENCODER, TWO "squeeze", TWO "{squeeze: {share: branch}}"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) compare(&pairs[i], false);
}

/* A cut that took 200 off the energies had the text hard_cut=true, and other numbers. */
static void another_cut_is_another_text(void **state)
{
    (void)state;
    char *text = meaning("heads: 4", ENCODER, "terms: [{local_h: {hard_cut: true}}]");
    if (!strstr(text, "gauss(gauss.hard_cut=no_weight gauss.window=fixed(10))"))
        fail_msg("\"%s\"", text);
    free(text);
    text = meaning("heads: 4", ENCODER, "terms: [{local_h: {hard_cut: false}}]");
    if (!strstr(text, "gauss(gauss.window=fixed(10))")) fail_msg("\"%s\"", text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_meaning_is_one_text),
        cmocka_unit_test(other_meanings_are_other_texts),
        cmocka_unit_test(another_cut_is_another_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
