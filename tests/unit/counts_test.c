/* Tests exact parameter counts of models, which are written as in a grid. The expected counts come
 * from the papers, or from arithmetic on their equations. No parameters are allocated: the test
 * builds a training list and sums its parameters. */
#include "experiments/grid/settings.h"
#include "tests/support/test.h"

#include "core/model/translator.h"
#include "experiments/grid/grid.h"

static const char *here;

/* Returns the options of a grid with a preset of experiments/models, a recipe (NULL: none) and one
 * more line. */
static struct translator_options options_of(const char *preset, const char *recipe,
                                            const char *line)
{
    const char *path = arena_print(&arena, "%s/g.yaml", here), *shipped = "../../../experiments";
    const char *text = arena_print(&arena,
                                   "grid: g\n"
                                   "corpus: {source: a, target: b, train: t, dev: d, test: e}\n"
                                   "model.preset: %s/models/%s.yaml\n",
                                   shipped, preset);
    if (recipe) text = arena_print(&arena, "%srecipe: %s/recipes/%s.yaml\n", text, shipped, recipe);
    text = arena_print(&arena, "%s%s\n", text, line);
    put_text(path, text);
    return grid_read(&arena, path, NULL, 0, NULL)->row[0].resolved->settings->translator;
}

/* Number of parameters that `line` adds to the preset, without embedding and softmax tables. */
struct extra {
    const char *preset, *line;
    int64_t count;
};

static void expect(const struct extra *extra, size_t count, const char *recipe)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++, extra++) {
        const struct translator_options own = options_of(extra->preset, recipe, extra->line);
        const struct translator_options plain = options_of(extra->preset, recipe, "");
        const int64_t more = translator_count_body(&own) - translator_count_body(&plain);
        if (more != extra->count) {
            print_error("%s, %s\n  has %lld more, expected %lld\n", extra->preset, extra->line,
                        (long long)more, (long long)extra->count);
            wrong++;
        }
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}
#define EXPECT(table) expect(table, COUNT_OF(table), NULL)

#define ENCODER(entry) "encoder.attention: [{" entry "}]"
#define DECODER(entry) "decoder.attention: [{" entry "}]"
#define CROSS(entry) "decoder.cross: [{" entry "}]"

/* ---- the models ---- */

TEST(bodies_and_tables)
{
    static const struct {
        const char *preset, *recipe, *line;
        int64_t body;
        int source, target; /* sizes of the vocabularies */
        int64_t whole;
    } rows[] = {
        {"base", NULL, "", 44141056, 25520, 30100, 88029696}, /* the tables have 85,720 rows */
        {"big", NULL, "", 176362496, 25520, 30100, 264139776},
        {"base", NULL, "model.share: target", 44141056, 25520, 30100, 72618496},
        {"base", NULL, "model.share: all", 44141056, 30100, 30100, 59552256},
        {"base", "xu2019", "", 44141056, 25520, 30100, 88029696}, /* recipes change no count */
        {"big", "yang2018-big", "", 176362496, 25520, 30100, 264139776},
        {"base", "hao2019", "", 44141056, 25520, 30100, 88029696},
        {"small", "song2018", "", 3681280, 32000, 32000, 11873280}, /* one table: 11.9M */
        {"base", "song2018-wmt", "", 44103680, 32000, 32000, 60487680},
        {"big", "song2018-big", "", 176287744, 32000, 32000, 209055744},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct translator_options options =
            options_of(rows[i].preset, rows[i].recipe, rows[i].line);
        assert_int_equal(translator_count_body(&options), rows[i].body);
        assert_int_equal(translator_count(&options, rows[i].source, rows[i].target), rows[i].whole);
        arena_free(&arena);
    }
}

/* Models of Hao et al. 2019, Tables 1 and 2, whose embedding and softmax tables have 85,720 rows.
 * Two numbers of the paper belong to other models than it states. 104M is the number for 6 LSTM and
 * 2 SAN layers, and 102.2M for 7 LSTM layers. */
TEST(stacks)
{
    static const struct {
        const char *preset, *stack;
        int64_t whole;
    } rows[] = {
        {"base", "[{lstm: 6}]", 97460736},
        {"base", "[{onlstm: 6}]", 110055936},
        {"base", "[{lstm: 6}, {san: 4}]", 110070272},
        {"base", "[{lstm: 6}, {san: 2}]", 103765504},
        {"base", "[{onlstm: 6}, {san: 4}]", 122665472},
        {"base", "[{onlstm: 3}, {san: 3}]", 99042816},
        {"base", "[{onlstm: 3}, {san: 3}]\nencoder.shortcut: true", 99042816},
        {"base", "[{san: 3}, {onlstm: 3}]", 99042816},
        {"base", "[{san: 3}, {onlstm: 3}]\nencoder.shortcut: true", 99042816},
        {"base", "[{lstm: 8}]", 106909184},
        {"base", "[{lstm: 7}]", 102184960},
        {"base", "[{san: 10}]", 100639232},
        {"base", "[{san: 6}]", 88029696},
        {"big", "[{onlstm: 3}, {san: 3}]\nencoder.shortcut: true", 308186112},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct translator_options options = options_of(
            rows[i].preset, NULL, arena_print(&arena, "encoder.stack: %s", rows[i].stack));
        assert_int_equal(translator_count(&options, 25520, 30100), rows[i].whole);
        arena_free(&arena);
    }
    /* Parameters of one layer of each kind, with the gain and offset of its norm. */
    static const struct extra one[] = {
        {"base", "encoder.stack: [{san: 6}, {lstm: 1}]", 4723200 + 2 * 512},
        {"base", "encoder.stack: [{onlstm: 1}, {san: 6}]", 6822400 + 2 * 512},
        {"big", "encoder.stack: [{lstm: 1}, {san: 6}]", 18883584 + 2 * 1024},
        {"big", "encoder.stack: [{onlstm: 1}, {san: 6}]", 27276288 + 2 * 1024},
    };
    EXPECT(one);
}

/* Operations of training that a recurrent layer adds per source token: three passes, with two
 * operations per multiply-add. In each of E directions, the input and the preceding state (both of
 * width D) are multiplied by weights of the gates (of width G). The projection has E D * D weights.
 * A plan assumes sentences of 16 tokens, whose first token has no preceding state. `work` is larger
 * than the operations only if there are recurrent layers. */
TEST(operations)
{
    static const struct {
        const char *layer;
        int E, gates; /* directions; G = gates * D / 2 */
        bool project;
    } rows[] = {
        {"{lstm: 1}", 2, 8, true},
        {"{onlstm: 1}", 2, 12, true},
        {"{onlstm: {chunk: 4}}", 2, 9, true},
        {"{lstm: {direction: backward}}", 1, 8, false},
        {"{onlstm: {direction: forward, projection: true}}", 1, 12, true},
    };
    const double D = 256, tokens = 1e6;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct translator_options plain = options_of("small", NULL, "");
        const struct translator_options more = options_of(
            "small", NULL, arena_print(&arena, "encoder.stack: [{san: 2}, %s]", rows[i].layer));
        const struct translator_cost without = translator_train_cost(&plain, 8000, tokens, tokens),
                                     with = translator_train_cost(&more, 8000, tokens, tokens);
        const double E = rows[i].E, G = rows[i].gates * D / 2;
        const double products = (1 + 15. / 16) * E * D * G + (rows[i].project ? E * D * D : 0);
        assert_float_equal((with.flops - without.flops) / (3 * 2 * tokens * products), 1, 1e-6);
        assert_true(without.work == without.flops);
        assert_true(with.work > with.flops && with.work < 2 * with.flops);
        arena_free(&arena);
    }
}

TEST(layers)
{
    static const struct extra rows[] = {
        {"base", "encoder.layers: 7", 3152384},
        {"base", "decoder.layers: 7", 4204032},
        {"big", "encoder.layers: 7", 12596224},
        {"big", "decoder.layers: 7", 16796672},
        {"base", "model.source_bias: false", -512},
        {"base", "model.norm: post", -4 * 512}, /* without final norms */
        {"base", "model.share: target", 0},     /* tables are not in the body */
        {"base", "model.share: all", 0},
        {"base", "model.attention_bias: false", -(6 * 4 + 6 * 8) * 512},
        /* This option affects only projections. The layer that predicts a Gaussian keeps its
         * bias. */
        {"base", "model.attention_bias: false\n" ENCODER("layers: 1, terms: [localness]"),
         270864 - (6 * 4 + 6 * 8) * 512},
        {"base", "model.heads: 1", 0},
        {"base", "encoder.position: none\ndecoder.position: none", 0},
        {"base", "encoder.position: interleaved\ndecoder.position: interleaved", 0},
    };
    EXPECT(rows);
}

/* ---- branches ---- */

TEST(branches_cost_nothing)
{
    static const struct extra rows[] = {
        {"base", ENCODER("layers: 1-2, branches: [{window: 1}]"), 0},
        {"base", ENCODER("layers: all, branches: [forward]"), 0},
        {"base", ENCODER("layers: all, branches: [backward]"), 0},
        {"base", DECODER("layers: all, branches: [{window: 5}]"), 0},
        {"base", ENCODER("layers: 1-2, branches: [{window: 1, dropout: false}]"), 0},
    };
    EXPECT(rows);
}

/* ---- Gaussian terms ---- */

TEST(neighbor_and_local_h)
{
    static const struct extra rows[] = {
        {"base", ENCODER("layers: 1, terms: [neighbor]"), 266760},
        {"base", ENCODER("layers: 1-2, terms: [neighbor]"), 533520},
        {"base", ENCODER("layers: 1-3, terms: [neighbor]"), 800280},
        /* These are all readings of the paper that agree with its number, +0.4M. */
        {"base", ENCODER("layers: 1-3, terms: [{neighbor: {heads: 4}}]"), 397068},
        {"base", ENCODER("layers: 1-2, terms: [{neighbor: {heads: 6}}]"), 398604},
        {"base", ENCODER("layers: all, terms: [{neighbor: {heads: 2}}]"), 395532},
        {"base", ENCODER("layers: 1-2, terms: [{neighbor: {hidden: 384}}]"), 400144},
        {"base", ENCODER("layers: 1-3, terms: [{neighbor: {hidden: 256}}]"), 400152},
        {"base", ENCODER("layers: 1-2, terms: [neighbor_sigma]"), 16},
        {"big", ENCODER("layers: 1-2, terms: [neighbor_sigma]"), 32},
        {"base", ENCODER("layers: 1, terms: [{gauss: {center: self, window: query}}]"), 266760},
        {"base", ENCODER("layers: 1, terms: [local_h]"), 266760},
        {"base", ENCODER("layers: 1-2, terms: [local_h]"), 533520},
        {"base", ENCODER("layers: 1-2, terms: [{local_h: {hard_cut: true}}]"), 533520},
        {"base", ENCODER("layers: 1-2, terms: [{local_h: {heads: 6}}]"), 398604},
        {"big", ENCODER("layers: 1, terms: [neighbor]"), 1066000},
        {"big", ENCODER("layers: 1, terms: [local_h]"), 1066000},
    };
    EXPECT(rows);
}

#define LOCAL "layers: 1-3, terms: [localness]"

TEST(localness)
{
    static const struct extra rows[] = {
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: {fixed: 10}}}]"), 266760},
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: layer}}]"), 533520},
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: query}}]"), 270864},
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: head}}]"), 266768},
        {"base", ENCODER("layers: 1, terms: [localness]"), 270864},
        {"base", ENCODER("layers: 1-2, terms: [local_s]"), 541728},
        {"base", ENCODER(LOCAL), 812592},
        {"base", ENCODER("layers: 1-3, terms: [{localness: {scaling: paper}}]"), 812592},
        {"base", ENCODER("layers: all, terms: [localness]"), 1625184},
        {"base", ENCODER("layers: 1-3, terms: [{gauss: {window: {fixed: 10}}}]"), 800280},
        {"base", ENCODER("layers: 1-3, terms: [{gauss: {window: layer}}]"), 1600560},
        {"base", ENCODER("layers: 1-3, terms: [{gauss: {window: head}}]"), 800304},
        {"base", ENCODER("layers: 1-3, terms: [{localness: {scaling: paper_from_1}}]"), 812592},
        /* The following counts exclude the biases b [512] and c [16] or [8] of equations 7 to 9. */
        {"base", ENCODER("layers: 1, terms: [{localness: {bias: false}}]"), 270864 - 528},
        {"base", ENCODER("layers: 1-3, terms: [{localness: {bias: false}}]"), 3 * 270336},
        {"base", ENCODER("layers: 1, terms: [{local_h: {bias: false}}]"), 266760 - 520},
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: head, bias: false}}]"), 266768 - 520},
        {"base", ENCODER("layers: 1, terms: [{gauss: {window: layer, bias: false}}]"),
         533520 - 2 * 520},
        {"base", ENCODER("layers: 1, terms: [{neighbor_sigma: {bias: false}}]"), 8},
        {"big", ENCODER("layers: 1, terms: [localness]"), 1082400},
        {"big", ENCODER("layers: 1, terms: [{localness: {bias: false}}]"), 1082400 - 1056},
        {"big", ENCODER(LOCAL), 3247200},
        {"big", ENCODER("layers: 1-3, terms: [{gauss: {window: {fixed: 10}}}]"), 3198000},
        {"big", ENCODER("layers: 1-3, terms: [{gauss: {window: layer}}]"), 6396000},
        {"big", ENCODER("layers: 1-3, terms: [{gauss: {window: head}}]"), 3198048},
        /* The terms are in the three lowest layers of each network (Yang et al., Table 3). */
        {"base", DECODER(LOCAL), 812592},
        {"base", CROSS(LOCAL), 812592},
        {"base", DECODER("layers: 1-3, terms: [{gauss: {window: layer}}]"), 1600560},
        {"base", ENCODER(LOCAL) "\n" DECODER(LOCAL), 2 * 812592},
        {"base", ENCODER(LOCAL) "\n" DECODER(LOCAL) "\n" CROSS(LOCAL), 3 * 812592},
        /* One head of width d = 512 (Table 5) has d^2 + d + 2d + 2 parameters. */
        {"base", "model.heads: 1\n" ENCODER("layers: 1, terms: [localness]"), 263682},
    };
    EXPECT(rows);
}

/* ---- relative positions ---- */

#define BLOCKS_12(term)                                                                            \
    "encoder.attention: [{layers: all, terms: [" term "]}]\n"                                      \
    "decoder.attention: [{layers: all, terms: [" term "]}]\n"
#define BLOCKS_18(term) BLOCKS_12(term) "decoder.cross: [{layers: all, terms: [" term "]}]\n"

TEST(relative_positions)
{
    static const struct extra rows[] = {
        {"base", ENCODER("layers: 1, terms: [relpos]"), 4224},
        {"base", CROSS("layers: 1, terms: [{relpos: 16}]"), 4224},
        {"base", ENCODER("layers: 1, terms: [{relpos: {values: false}}]"), 2112},
        {"base", ENCODER("layers: all, terms: [relpos]"), 25344},
        {"base", BLOCKS_12("relpos"), 50688},
        {"base", BLOCKS_12("{relpos: 20}"), 62976},
        {"base", BLOCKS_18("relpos"), 76032},
        {"big", BLOCKS_18("{relpos: {k: 16}}"), 76032}, /* heads are as wide as base's */
    };
    EXPECT(rows);
}

/* Parameters in Table 4 of Yang et al., which prints tenths of a million. All counts agree under
 * three assumptions. The embedding and softmax tables have 85,720 rows (German) or 124,586 rows
 * (Chinese). Three layers have localness. All 18 attention blocks have relative positions. */
TEST(table_4_of_yang)
{
    static const char both[] =
        "encoder.attention: [{layers: 1-3, terms: [localness, relpos]}, {layers: 4-6, terms: "
        "[relpos]}]\ndecoder.attention: [{layers: all, terms: [relpos]}]\n"
        "decoder.cross: [{layers: all, terms: [relpos]}]\n";
    static const struct {
        const char *preset, *line;
        int64_t german;
        const char *german_printed;
        int64_t chinese;
        const char *chinese_printed;
    } rows[] = {
        {"base", "", 88029696, "88.0", 107929088, "107.9"},
        {"base", BLOCKS_18("relpos"), 88105728, "88.1", 108005120, "108.0"},
        {"base", ENCODER(LOCAL), 88842288, "88.8", 108741680, "108.7"},
        {"base", both, 88918320, "88.9", 108817712, "108.8"},
        {"big", "", 264139776, "264.1", 303938560, "303.9"},
        {"big", ENCODER(LOCAL), 267386976, "267.4", 307185760, "307.2"},
        {"big", both, 267463008, "267.5", 307261792, "307.3"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct translator_options options =
            options_of(rows[i].preset, "yang2018", rows[i].line);
        const int64_t german = translator_count(&options, 25520, 30100);
        const int64_t chinese = translator_count(&options, 44586, 40000);
        assert_int_equal(german, rows[i].german);
        assert_int_equal(chinese, rows[i].chinese);
        assert_string_equal(arena_print(&arena, "%.1f", (double)german / 1e6),
                            rows[i].german_printed);
        assert_string_equal(arena_print(&arena, "%.1f", (double)chinese / 1e6),
                            rows[i].chinese_printed);
        arena_free(&arena);
    }
}

/* ---- fusions ---- */

TEST(hybrids)
{
    static const struct extra rows[] = {
        {"base", ENCODER("layers: 1, branches: [global, {window: 1}], fusion: gate"), 4096},
        {"base", ENCODER("layers: 1-2, branches: [global, {window: 1}], fusion: gate"), 8192},
        {"base",
         ENCODER("layers: 1, branches: [global, {window: 1}], fusion: {gate: {source: input}}"),
         512},
        {"base",
         ENCODER("layers: 1-2, branches: [global, {window: 1}], fusion: {gate: {source: input}}"),
         1024},
        {"base",
         ENCODER("layers: 1, branches: [global, {window: 1}], fusion: {gate: {heads: one}}"), 512},
        {"base",
         ENCODER("layers: 1, branches: [global, {window: 1}], fusion: {gate: {source: input, "
                 "heads: each}}"),
         4096},
        {"base", ENCODER("layers: 1, branches: [global, {window: 1}], fusion: concat"), 262144},
        {"base", ENCODER("layers: 1-2, branches: [global, {window: 1}], fusion: concat"), 524288},
        {"base",
         ENCODER("layers: 1, branches: [global, {window: 1}, {window: 2}, {window: 5}], fusion: "
                 "concat"),
         786432},
        {"base", ENCODER("layers: all, branches: [global, {window: 1}], fusion: sum"), 0},
    };
    EXPECT(rows);
}

/* Model e1 of Song et al.: every layer of the encoder has four branches, and every layer of the
 * decoder has two. */
#define E1(fusion)                                                                                 \
    "encoder.attention: [{layers: all, branches: [global, forward, backward, {window: 5}], "       \
    "fusion: " fusion "}]\n"                                                                       \
    "decoder.attention: [{layers: all, branches: [global, {window: 5}], fusion: " fusion "}]\n"

TEST(hysan)
{
    static const struct extra rows[] = {
        {"small", E1("sum"), 0},
        {"base", E1("sum"), 0},
        {"big", E1("sum"), 0},
        {"small", E1("concat"), 524288},
        {"base", E1("concat"), 6291456},
        {"big", E1("concat"), 25165824},
        {"small", E1("squeeze"), 32768},
        {"base", E1("squeeze"), 393216}, /* the paper prints 383K */
        {"big", E1("squeeze"), 1572864},
        {"base", E1("{squeeze: 16}"), 393216},
        {"base", E1("{squeeze: {r: 32}}"), 196608},
        {"base", E1("{squeeze: {r: 16, share: branch}}"), 1179648}, /* 6 gates a layer, not 2 */
    };
    expect(rows, COUNT_OF(rows), "song2018");
}

AT_START(here = test_folder("counts"));
