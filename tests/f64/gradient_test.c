/* Every node type's gradient against central differences, on random shapes, with fixed dropout
 * masks. Node types are found in the source files and fusions in the generated list; a type without
 * a case fails the test. */
#include "tests/support/test.h"

#include <glob.h>

#include "tests/support/gradient.h"
#include "tests/support/variant.h"

enum { TRIALS = 6, SEEN = 64, DRAWS = 20 /* of a width that suits a fusion */ };

static const char *seen[SEEN];
static int seen_count;

static bool is_seen(const char *name)
{
    for (int i = 0; i < seen_count; i++)
        if (!strcmp(seen[i], name)) return true;
    return false;
}

static void note_types(const struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        const char *name = graph->node[i]->type->name;
        if (is_seen(name)) continue;
        assert_true(seen_count < SEEN);
        seen[seen_count++] = name;
    }
}

static struct parameter *parameter(struct gradient *g, const char *path, int rows, int columns)
{
    return parameter_get(&g->parameters, path, rows, columns, START_NORMAL, 1);
}

/* Returns a width near a multiple of the vector width. */
static int width(struct gradient *g)
{
    return gradient_between(g, 1, 37);
}

static struct rows *source(struct gradient *g)
{
    return graph_tokens(g->graph, FIELD_SOURCE);
}

static struct rows *target(struct gradient *g)
{
    return graph_tokens(g->graph, FIELD_TARGET);
}

static struct rows *any_rows(struct gradient *g)
{
    switch (gradient_between(g, 0, 3)) {
    case 0:
        return source(g);
    case 1:
        return target(g);
    case 2:
        return graph_pairs(g->graph, FIELD_SOURCE);
    }
    return graph_sentences(g->graph, FIELD_TARGET, gradient_between(g, 1, 3));
}

static void linear(struct gradient *g)
{
    struct value *x = gradient_leaf(g, any_rows(g), width(g));
    gradient_probe(g, linear_build(g->graph, x, width(g), gradient_flip(g), "linear"));
}

/* One weight in both directions, like a table that is embedding and softmax; x has two readers. */
static void linear_shared(struct gradient *g)
{
    const int K = width(g), N = width(g);
    struct parameter *weight = parameter(g, "shared", K, N), *bias = parameter(g, "bias", 1, N);
    struct value *x = gradient_leaf(g, any_rows(g), K);
    struct value *y = linear_build_with(g->graph, x, weight, bias, false, .7, "there");
    struct value *z = linear_build_with(g->graph, y, weight, NULL, true, 1.3, "back");
    gradient_probe(g, y);
    gradient_probe(g, z);
    gradient_probe(g, linear_build_with(g->graph, x, weight, bias, false, 1, "again"));
}

static void linear_of_views(struct gradient *g)
{
    const int a = width(g), b = width(g);
    struct value *x = gradient_leaf(g, any_rows(g), a + b);
    struct value *left = graph_view(g->graph, x, 0, a, "left");
    struct value *right = graph_view(g->graph, x, a, b, "right");
    gradient_probe(g, linear_build(g->graph, right, width(g), true, "of_right"));
    gradient_probe(g, linear_build(g->graph, left, width(g), true, "of_left"));
    gradient_probe(g, linear_build(g->graph, left, width(g), false, "of_left_too"));
}

static void embedding(struct gradient *g)
{
    const int D = 2 * gradient_between(g, 1, 32);
    struct parameter *table = parameter(g, "table", 29, D);
    struct embed_layer layer = {.rows = source(g),
                                .sinusoid = (enum sinusoid_kind)gradient_between(g, 0, 2),
                                .scale = 3,
                                .dropout = gradient_dropout(g),
                                .table = table};
    if (gradient_flip(g)) layer.bias = parameter(g, "bias", 1, D);
    gradient_probe(g, embed_build(g->graph, &layer, "source"));
    layer.rows = target(g), layer.shifted = true, layer.dropout = gradient_dropout(g);
    gradient_probe(g, embed_build(g->graph, &layer, "target"));
}

/* Both outputs, or one of them; x has another reader. */
static void normalization(struct gradient *g)
{
    struct rows *rows = any_rows(g);
    const int D = 4 + width(g);
    struct value *x = gradient_leaf(g, rows, D), *s = gradient_leaf(g, rows, D);
    const struct residual alone = residual_norm_build(g->graph, x, NULL, 0, "alone", "alone.norm");
    const struct residual both =
        residual_norm_build(g->graph, x, s, gradient_dropout(g), "both", "both.norm");
    const struct residual sum =
        residual_norm_build(g->graph, both.normed, s, gradient_dropout(g), "sum", "sum.norm");
    const struct residual last = residual_norm_build(g->graph, sum.sum, alone.normed,
                                                     gradient_dropout(g), "last", "last.norm");
    gradient_probe(g, both.sum);
    gradient_probe(g, last.normed);
    gradient_probe(g, plain_norm_build(g->graph, x, "plain"));
    gradient_probe(g, residual_sum_build(g->graph, both.sum, s, gradient_dropout(g), "addition"));
}

static void feed_forward(struct gradient *g)
{
    struct value *x = gradient_leaf(g, any_rows(g), width(g));
    gradient_probe(g,
                   feed_forward_build(g->graph, x, width(g), gradient_dropout(g), "feedforward"));
}

static void loss(struct gradient *g)
{
    struct value *x = gradient_leaf(g, target(g), 29 + (gradient_flip(g) ? 0 : width(g)));
    loss_build(g->graph, x, LABEL_TOKEN, gradient_flip(g) ? .1 : 0, "loss");
}

static void loss_of_labels(struct gradient *g)
{
    enum { CLASSES = 5 };
    struct value *x = gradient_leaf(g, any_rows(g), CLASSES);
    int32_t *label = ARENA_ARRAY(&g->arena, int32_t, x->rows->count);
    for (int i = 0; i < x->rows->count; i++) label[i] = gradient_between(g, 0, CLASSES - 1);
    g->batch.label = label;
    g->batch.labels = x->rows->count;
    loss_build(g->graph, x, LABEL_GIVEN, gradient_flip(g) ? .1 : 0, "loss");
}

/* Every kind of pool, also of a view; x has other readers. */
static void pool(struct gradient *g)
{
    const int D = width(g);
    struct value *x = gradient_leaf(g, source(g), 2 * D);
    struct value *right = graph_view(g->graph, x, D, D, "right");
    struct value *left = graph_view(g->graph, x, 0, D, "left");
    for (enum pooling kind = POOL_MEAN; kind <= POOL_LAST; kind++) {
        gradient_probe(g, pool_build(g->graph, right, kind, gradient_flip(g),
                                     arena_print(&g->arena, "right.%d", kind)));
        gradient_probe(g, pool_build(g->graph, left, kind, gradient_flip(g),
                                     arena_print(&g->arena, "left.%d", kind)));
    }
}

/* Features of pairs of sentences, of one row and of several; x has two readers. */
static void pairs(struct gradient *g)
{
    for (int each = 1; each <= 2; each++) {
        struct rows *rows = graph_sentences(g->graph, FIELD_SOURCE, each);
        struct value *x = gradient_leaf(g, rows, width(g));
        for (int match = 0; match < 2; match++)
            gradient_probe(g, pair_build(g->graph, x, match,
                                         arena_print(&g->arena, "pair.%d.%d", each, match)));
    }
}

/* Rows of sentences from a table. */
static void queries(struct gradient *g)
{
    const int each = gradient_between(g, 1, 3);
    const struct embed_layer layer = {.rows = graph_sentences(g->graph, FIELD_SOURCE, each),
                                      .scale = 2,
                                      .dropout = gradient_dropout(g),
                                      .table = parameter(g, "queries", each, width(g))};
    gradient_probe(g, embed_build(g->graph, &layer, "rows"));
}

/* Two stacked layers, of which the first has another reader. In six trials: LSTM and ON-LSTM with
 * chunks of 1, 2 and D/2, each in every direction. */
static void recurrence(struct gradient *g)
{
    const int D = 2 * gradient_between(g, 1, 12), chunks[] = {0, 1, 2, D / 2};
    struct value *x = gradient_leaf(g, source(g), D), *y = x;
    gradient_probe(g, x);
    for (int i = 0; i < 2; i++) {
        const int which = 2 * (int)g->trial + i;
        const char *path = i ? "second" : "first";
        const struct recurrence layer = {chunks[which % 4], which % 3 != 1, which % 3 != 2, path,
                                         path};
        y = recurrence_build(g->graph, y, &layer);
        gradient_probe(g, y);
    }
}

/* Some queries per sentence, which attend to its tokens. */
static void attention_of_sentences(struct gradient *g)
{
    const int heads = gradient_between(g, 1, 3), d = gradient_between(g, 1, 18);
    struct rows *rows = graph_sentences(g->graph, FIELD_SOURCE, gradient_between(g, 1, 4));
    struct value *x = gradient_leaf(g, rows, heads * d);
    struct value *memory = gradient_leaf(g, source(g), heads * d);
    gradient_probe(g, attention_cross(g->graph, x, memory, heads, &attention_plain,
                                      gradient_dropout(g), "queries"));
}

static void attention_plain_causal(struct gradient *g)
{
    const int heads = gradient_between(g, 1, 3), d = gradient_between(g, 1, 18);
    struct value *x = gradient_leaf(g, any_rows(g), heads * d);
    struct value *y = attention_self(g->graph, x, heads, true, &attention_plain,
                                     gradient_dropout(g), "attention");
    gradient_probe(g, y);
    gradient_probe(g, x);
}

static void attention_window(struct gradient *g)
{
    static const int windows[] = {0, 1, 2, 5, 100};
    const int window = windows[gradient_between(g, 0, 4)];
    const struct attention_spec spec = {.branches = 1, .branch = {{window, window, false}}};
    const int heads = gradient_between(g, 1, 3), d = gradient_between(g, 1, 18);
    struct value *x = gradient_leaf(g, any_rows(g), heads * d);
    gradient_probe(g, attention_self(g->graph, x, heads, gradient_flip(g), &spec,
                                     gradient_dropout(g), "attention"));
}

static void attention_across(struct gradient *g)
{
    const int heads = gradient_between(g, 1, 3), d = gradient_between(g, 1, 18);
    struct value *x = gradient_leaf(g, target(g), heads * d);
    struct value *memory = gradient_leaf(g, source(g), heads * d);
    gradient_probe(g, attention_cross(g->graph, x, memory, heads, &attention_plain,
                                      gradient_dropout(g), "cross"));
    gradient_probe(g, attention_cross(g->graph, x, memory, heads, &attention_plain,
                                      gradient_dropout(g), "again"));
}

struct gradient_case {
    const char *name;
    void (*build)(struct gradient *g);
};

static const struct gradient_case cases[] = {
    {"linear", linear},
    {"linear_shared", linear_shared},
    {"linear_of_views", linear_of_views},
    {"embedding", embedding},
    {"normalization", normalization},
    {"feed_forward", feed_forward},
    {"loss", loss},
    {"loss_of_labels", loss_of_labels},
    {"pool", pool},
    {"pairs", pairs},
    {"queries", queries},
    {"recurrence", recurrence},
    {"attention_of_sentences", attention_of_sentences},
    {"attention_plain_causal", attention_plain_causal},
    {"attention_window", attention_window},
    {"attention_across", attention_across},
};

static void gradient_agrees(void **state)
{
    const struct gradient_case *one = *state;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        struct gradient g;
        gradient_open(&g, one->name, trial);
        one->build(&g);
        gradient_check(&g);
        note_types(g.graph);
        gradient_close(&g);
    }
}

/* Writes the values that an option may have in YAML. Returns their number; 0 if the option keeps
 * its default. */
static int choices(const struct option *option, char word[8][32])
{
    int count = 0;
    const char *text = option->type == OPTION_TYPE_BOOL     ? "false|true"
                       : option->type == OPTION_TYPE_CHOICE ? option->choices
                                                            : "";
    while (*text && count < 8) {
        const size_t length = strcspn(text, "|");
        snprintf(word[count++], sizeof word[0], "%.*s", (int)length, text);
        text += length + (text[length] == '|');
    }
    return count;
}

/* Writes "gate" or "{gate: {source: input, heads: one}}", the `which`-th combination of all words;
 * false after the last. */
static bool fusion_text(const struct fusion_type *fusion, int which, char *text, size_t capacity)
{
    const struct section *section = fusion->section;
    size_t at = (size_t)snprintf(text, capacity, "{%s: {", fusion->name);
    if (!section) snprintf(text, capacity, "%s", fusion->name);
    for (int i = 0; section && i < section->count; i++) {
        char word[8][32];
        const int count = choices(&section->option[i], word);
        if (!count) continue;
        at += (size_t)snprintf(text + at, capacity - at, "%s: %s, ", section->option[i].key,
                               word[which % count]);
        which /= count;
    }
    if (section) snprintf(text + at, capacity - at, "}}");
    return which == 0;
}

/* Makes the block of a variant with suitable heads and width; false if its branches do not suit
 * it. */
static bool variant_build(struct gradient *g, const struct variant *variant)
{
    const struct attention_spec *spec = NULL;
    int heads = 0, D = 0;
    for (int draw = 0; draw < DRAWS && !spec; draw++) {
        const int d = gradient_between(g, 1, 24);
        heads = gradient_between(g, 1, 3), D = heads * (d > 18 ? 16 : d);
        const struct attention_size size = {1, D, heads, gradient_flip(g), NULL};
        spec = variant_spec(variant, &size);
    }
    if (!spec) return false;
    const double dropout = gradient_dropout(g);
    struct rows *rows = variant->place == ATTENTION_ENCODER ? source(g) : target(g);
    const bool causal = variant->place == ATTENTION_DECODER;
    struct value *x = gradient_leaf(g, rows, D), *y;
    if (variant->place == ATTENTION_CROSS)
        y = attention_cross(g->graph, x, gradient_leaf(g, source(g), D), heads, spec, dropout,
                            "attention");
    else
        y = attention_self(g->graph, x, heads, causal, spec, dropout, "attention");
    gradient_probe(g, y);
    return true;
}

/* Checks the gradients of a variant with the first suitable branches of the place, from the
 * trial-th on. */
static void variant_agrees(struct variant variant, uint32_t trial, int elements)
{
    const char *const *lists = variant_branches[variant.place];
    uint32_t count = 0;
    bool built = false;
    while (lists[count]) count++;
    for (uint32_t i = 0; i < count && !built; i++) {
        char name[300];
        struct gradient g;
        variant.branches = lists[(trial + i) % count];
        snprintf(name, sizeof name, "%s, branches: [%s], terms: [%s], fusion: %s",
                 variant_places[variant.place], variant.branches, variant.terms, variant.fusion);
        gradient_open(&g, name, trial);
        built = variant_build(&g, &variant);
        if (built) {
            g.elements = elements;
            gradient_check(&g);
            note_types(g.graph);
        }
        gradient_close(&g);
    }
    if (!built)
        fail_msg("%s: no branches suit terms: [%s], fusion: %s: %s", variant_places[variant.place],
                 variant.terms, variant.fusion, test_die_message);
}

/* Checks every combination of a fusion's words, on several lists of branches. */
static void fusion_agrees(void **state)
{
    const struct fusion_type *fusion = *state;
    struct variant variant = {.terms = ""};
    char text[256];
    for (int which = 0; fusion_text(fusion, which, text, sizeof text); which++)
        for (uint32_t trial = 0; trial < 6; trial++) {
            variant.place = (enum attention_place)(trial % 3);
            variant.fusion = text;
            variant_agrees(variant, trial, 12);
        }
}

/* Checks every example of a term with every example of every fusion, at every place. */
static void term_agrees(void **state)
{
    const struct variants fusions = variants_of_fusions();
    struct variant variant = {.terms = *state};
    uint32_t trial = 0;
    for (int f = 0; f < fusions.count; f++)
        for (int place = ATTENTION_ENCODER; place <= (int)variant_last_place(variant.terms);
             place++) {
            variant.place = (enum attention_place)place;
            variant.fusion = fusions.text[f];
            variant_agrees(variant, trial++, f ? 1 : 12);
        }
}

/* `static const struct node_type NAME = {"name", ...` in a source file. */
static int check_types_of_file(const char *path)
{
    char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    int found = 0;
    for (char *at = text; (at = strstr(at, "const struct node_type ")); at++) {
        char name[64];
        if (sscanf(at, "const struct node_type %*[a-z_] = { \"%63[^\"]\"", name) != 1) continue;
        found++;
        /* A step list has no gradients. */
        if (strcmp(name, "attention_step") && strcmp(name, "store") && !is_seen(name))
            fail_msg("%s: no case reaches the node type \"%s\"", path, name);
    }
    return found;
}

TEST(every_type_has_a_case)
{
    static const char *const sources[] = {"core/layer/*.c", "attention/*.c", "attention/*/*.c"};
    int found = 0;
    for (size_t s = 0; s < COUNT_OF(sources); s++) {
        glob_t files;
        assert_int_equal(glob(sources[s], 0, NULL, &files), 0);
        for (size_t i = 0; i < files.gl_pathc; i++) found += check_types_of_file(files.gl_pathv[i]);
        globfree(&files);
    }
    assert_true(found >= 9);
}

int main(void)
{
    const struct variants terms = variants_of_terms(false);
    omp_set_num_threads(1);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        test_add(0, gradient_agrees, &cases[i], "%s", cases[i].name);
    for (int t = 0; t < terms.count; t++)
        test_add(0, term_agrees, terms.text[t], "terms: [%s]", terms.text[t]);
    for (int i = 0; attention_fusions[i]; i++)
        test_add(0, fusion_agrees, attention_fusions[i], "%s", attention_fusions[i]->name);
    return tests_run();
}
