/* Tests encoder.stack: its syntax, texts with the same meaning, and refusals. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "tests/support/seeded_model.h"

static struct encoder_options read_stack(const char *encoder)
{
    return options_of(arena_print(&arena,
                                  "model: {width: 16, heads: 2}\nencoder: %s\n"
                                  "decoder.layers: 1\n",
                                  encoder))
        .encoder;
}

static const char *canonical(const char *encoder)
{
    const struct encoder_options options = read_stack(encoder);
    return PRINTED(section_canonical(&encoder_section, &options, out));
}

#define SAME(a, b) assert_string_equal(canonical(a), canonical(b))
#define DIFFER(a, b) assert_string_not_equal(canonical(a), canonical(b))

TEST(one_meaning_has_one_text)
{
    SAME("{stack: [{san: 6}]}", "{layers: 6}");
    SAME("{stack: [{san: 2}, {san: 2}]}", "{layers: 4}");
    SAME("{stack: [{san: {layers: 3}}], layers: 3}", "{layers: 3}");
    SAME("{stack: [{onlstm: 2}, {onlstm: 1}, {san: 1}]}", "{stack: [{onlstm: 3}, {san: 1}]}");
    SAME("{stack: [{lstm: {layers: 2, direction: both, projection: true}}]}",
         "{stack: [{lstm: 2}]}");
    SAME("{stack: [{lstm: {layers: 1, direction: forward, projection: false}}]}",
         "{stack: [{lstm: {direction: forward}}]}");
    assert_non_null(strstr(canonical("{stack: [{onlstm: 1}, {san: 1}]}"),
                           "encoder.stack=1 onlstm(both, project, chunk 1); 1 san"));
}

TEST(other_meanings_have_others)
{
    DIFFER("{stack: [{onlstm: 1}, {san: 1}]}", "{stack: [{san: 1}, {onlstm: 1}]}");
    DIFFER("{stack: [{onlstm: 1}, {san: 1}]}", "{stack: [{lstm: 1}, {san: 1}]}");
    DIFFER("{stack: [{onlstm: 1}]}", "{stack: [{onlstm: {chunk: 4}}]}");
    DIFFER("{stack: [{lstm: {direction: forward}}]}",
           "{stack: [{lstm: {direction: forward, projection: true}}]}");
    DIFFER("{stack: [{lstm: {direction: forward}}]}", "{stack: [{lstm: {direction: backward}}]}");
    DIFFER("{stack: [{lstm: {direction: forward}}, {lstm: {direction: backward}}]}",
           "{stack: [{lstm: {layers: 2, direction: forward}}]}");
    DIFFER("{stack: [{onlstm: 1}, {onlstm: {chunk: 4}}]}", "{stack: [{onlstm: 2}]}");
    DIFFER("{stack: [{san: 1}, {san: 1}, {lstm: 1}], shortcut: true}",
           "{stack: [{san: 2}, {lstm: 1}], shortcut: true}");
    DIFFER("{stack: [{onlstm: 1}, {san: 1}], shortcut: true}", "{stack: [{onlstm: 1}, {san: 1}]}");
    DIFFER("{stack: [{san: 1}, {san: 1}], shortcut: true}", "{layers: 2}");
}

/* Returns the layers of encoder.attention that have a window, as bits. */
static int windows(const char *encoder)
{
    const struct encoder_options options = read_stack(encoder);
    int bits = 0;
    for (int l = 0; l < options.layers; l++)
        if (options.attention.of_layer[l].branch[0].before == 1) bits |= 1 << l;
    return bits;
}
#define WINDOW(layers) "attention: [{layers: " layers ", branches: [{window: 1}]}]}"

TEST(attention_counts_its_own_layers)
{
    static const char stack[] = "{stack: [{onlstm: 2}, {san: 4}], ";
#define WITH(layers) arena_print(&arena, "%s%s", stack, WINDOW(layers))
    assert_int_equal(windows(WITH("all")), 074);
    assert_int_equal(windows(WITH("lower(1/2)")), 014);
    assert_int_equal(windows(WITH("upper(1/4)")), 040);
    assert_int_equal(windows(WITH("lower(1/3)")), 014); /* `lower` rounds up, `upper` down */
    assert_int_equal(windows(WITH("upper(2/3)")), 060);
    assert_int_equal(windows(WITH("lower(1/1)")), 074);
    assert_int_equal(windows(WITH("'3,5-6'")), 064);
    assert_int_equal(windows("{layers: 12, " WINDOW("10-12")), 07000);
    assert_int_equal(windows("{stack: [{lstm: 2}], " WINDOW("all")), 0); /* no SAN */
    assert_int_equal(windows("{stack: [{san: 1}, {lstm: 1}, {san: 1}], " WINDOW("all")), 5);
    EXPECT_DIE("x.yaml:2:55: layers: 2-3 has layer 2, which is recurrent", read_stack(WITH("2-3")));
}

/* Recurrent layers exist only in the encoder. */
TEST(the_decoder_has_no_stack)
{
    const struct translator_options options =
        options_of("encoder.stack: [{lstm: 2}]\ndecoder: {layers: 2, " WINDOW("all") "\n");
    for (int l = 0; l < 2; l++)
        assert_int_equal(options.decoder.attention.of_layer[l].branch[0].before, 1);
}

TEST(json_comes_back)
{
    static const char *const texts[] = {
        "{stack: [{onlstm: {layers: 2, chunk: 4}}, {san: 1}], shortcut: true}", "{layers: 3}",
        "{layers: 0}"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const struct encoder_options options = read_stack(texts[i]);
        SAME(PRINTED(section_json(&encoder_section, &options, true, out)), texts[i]);
    }
}

static void expect_refused(const char *encoder, const char *said)
{
    EXPECT_DIE(said, read_stack(encoder));
}

TEST(what_is_wrong_is_said)
{
    static const char *const wrong[][2] = {
        {"{stack: []}",
         "x.yaml:2:18: stack: the list is empty; for an encoder without layers write layers: 0"},
        {"{stack: 3}", "x.yaml:2:18: stack: expected a list"},
        {"{stack: [san]}", "x.yaml:2:19: stack: expected one kind with its number"},
        {"{stack: [{onlst: 1}]}",
         "x.yaml:2:20: stack: there is no kind of layer \"onlst\"; nearest is \"onlstm\""},
        {"{stack: [{lstm: 0}]}",
         "x.yaml:2:26: lstm: expected a whole number from 1 to 64, got \"0\""},
        {"{stack: [{san: 40}, {lstm: 25}]}", "stack: 65 layers in all; expected at most 64"},
        {"{stack: [{lstm: {direction: bath}}]}",
         "direction: unknown word \"bath\"; nearest is \"both\""},
        {"{stack: [{lstm: {chunk: 2}}]}", "unknown key \"chunk\""},
        {"{stack: [{onlstm: {chunk: 3}}]}",
         "x.yaml:2:28: chunk: 3 does not divide the width 16; nearest is 2"},
        {"{stack: [{onlstm: {chunk: 7}}]}", "chunk: 7 does not divide the width 16; nearest is 8"},
        {"{stack: [{onlstm: {chunk: 99}}]}", "does not divide the width 16; nearest is 16"},
        {"{stack: [{lstm: {projection: false}}]}", "projection: two directions need a projection"},
        {"{stack: [{lstm: 2}], layers: 3}", "encoder.layers is 3, encoder.stack (line 2) has 2"},
        {"{stack: [{lstm: 2}], shortcut: true}",
         "encoder.shortcut: the stack has one group of layers"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) expect_refused(wrong[i][0], wrong[i][1]);
}

/* The message names the file of the stack, which may be a preset or a base. */
TEST(the_other_file_is_named)
{
    struct translator_options options;
    const struct tree *base = tree_parse(&arena, "base.yaml", "\nencoder.stack: [{lstm: 2}]\n");
    const struct tree *own = tree_parse(&arena, "x.yaml", "encoder.layers: 3\n");
    const struct tree *both = tree_merge(&arena, tree_merge(&arena, NULL, base), own);
    EXPECT_DIE("x.yaml:1:17: encoder.layers is 3, encoder.stack (base.yaml, line 2) has 2",
               translator_options_read(&options, both, &arena));
}
