/* Tests canonical texts of attention. All spellings of one composition have the same text, so the
 * same id. Different compositions have different texts. */
#include "tests/support/test.h"

#include "tests/support/seeded_model.h"

/* Returns the canonical texts of encoder, decoder and cross attention. If `json` is true, options
 * are first written as JSON and read again. */
static char *meaning_of(const char *model, const char *place, const char *entry, bool json)
{
    struct translator_options options = options_of(arena_print(
        &arena, "model: {width: 16, %s}\n%s: [{layers: 1-2, %s}]\n", model, place, entry));
    if (json) {
        const char *head = "{\"model\": {\"width\": 16, \"heads\": %d}, \"encoder\": ";
        options = options_of(PRINTED(fprintf(out, head, options.model.heads);
                                     section_json(&encoder_section, &options.encoder, true, out);
                                     fputs(", \"decoder\": ", out);
                                     section_json(&decoder_section, &options.decoder, true, out);
                                     fputc('}', out)));
    }
    return PRINTED(attention_custom.write(&options.encoder.attention, out); fputs(" | ", out);
                   attention_custom.write(&options.decoder.attention, out); fputs(" | ", out);
                   attention_custom.write(&options.decoder.cross, out));
}

static char *meaning(const char *model, const char *place, const char *entry)
{
    return meaning_of(model, place, entry, false);
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
}

TEST(one_meaning_is_one_text)
{
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

TEST(other_meanings_are_other_texts)
{
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
        {"heads: 4", ENCODER, "terms: [{neighbor: {window: layer, hidden: 5}}]",
         "terms: [{neighbor: {window: layer}}]"},
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

/* The attention options in the metadata of a saved model are read back unchanged. Plain attention
 * is left out. */
TEST(json_comes_back)
{
    static const char *const entries[] = {
        "branches: [{window: 1, dropout: false}]",
        "branches: [{window: 2}, backward], fusion: {squeeze: {r: 4, share: branch}}",
        "branches: [{window: 2}, global], fusion: sum",
        TWO "{gate: {source: input, heads: each}}",
        "terms: [{relpos: {k: 3, values: false}}, local_h, {relpos: 2}, alibi]",
        "terms: [{gauss: {window: {fixed: 2.5}, hard_cut: true, heads: 1}}]",
        "terms: [{gauss: {window: head, scaling: paper_from_1, bias: false, hidden: 3}}]",
    };
    for (size_t i = 0; i < COUNT_OF(entries); i++) {
        char *one = meaning("heads: 4", ENCODER, entries[i]);
        char *other = meaning_of("heads: 4", ENCODER, entries[i], true);
        assert_true(strlen(one) > strlen(" |  | "));
        assert_string_equal(one, other);
    }
    char *plain = meaning("heads: 4", ENCODER, "branches: [global]");
    assert_string_equal(plain, " |  | ");
}

/* The maximum number of terms and of branches is accepted. One more is refused. */
TEST(lists_have_an_end)
{
    static const char terms[] = "terms: [alibi, relpos, alibi, relpos",
                      branches[] =
                          "fusion: sum, branches: [global, global, global, global, global, "
                          "global, global, global";
    _Static_assert(ATTENTION_TERMS == 4 && ATTENTION_BRANCHES == 8, "lists of so many");
    char text[200];
    meaning("heads: 4", ENCODER, strcat(strcpy(text, terms), "]"));
    meaning("heads: 4", ENCODER, strcat(strcpy(text, branches), "]"));
    EXPECT_DIE("terms: expected at most 4, got 5",
               meaning("heads: 4", ENCODER, strcat(strcpy(text, terms), ", alibi]")));
    EXPECT_DIE("branches: expected at most 8, got 9",
               meaning("heads: 4", ENCODER, strcat(strcpy(text, branches), ", global]")));
}

/* Older programs wrote hard_cut=true for a cut that subtracted 200 from the energies. The cut has
 * other results now, so it has another text. */
TEST(another_cut_is_another_text)
{
    char *text = meaning("heads: 4", ENCODER, "terms: [{local_h: {hard_cut: true}}]");
    if (!strstr(text, "gauss(gauss.hard_cut=no_weight gauss.window=fixed(10))"))
        fail_msg("\"%s\"", text);
    text = meaning("heads: 4", ENCODER, "terms: [{local_h: {hard_cut: false}}]");
    if (!strstr(text, "gauss(gauss.window=fixed(10))")) fail_msg("\"%s\"", text);
}
