#include "tests/support/variant.h"

#include <string.h>

#include "attention/term.h"
#include "core/config/tree_read.h"
#include "tests/support/test.h"

const char *const variant_places[] = {"encoder", "decoder", "cross"};
const char *const variant_branches[3][VARIANT_LISTS] = {
    [ATTENTION_ENCODER] = {"global", "{window: 1}", "global, {window: 1}", "backward", "forward",
                           "global, forward, backward, {window: 5}", "{window: 17}, {window: 0}",
                           "forward, backward", "{window: 4}, global, {window: 1, dropout: false}"},
    [ATTENTION_DECODER] = {"global", "{window: 2}", "global, {window: 1}", "{window: 20}, forward",
                           "forward, {window: 1}, {window: 2}, {window: 5}"},
    [ATTENTION_CROSS] = {"global", "global, global", "global, global, global"}};

static void add(struct variants *variants, const void *type, const char *text)
{
    CHECK(variants->count < VARIANTS, "too many examples");
    variants->type[variants->count] = type;
    variants->text[variants->count++] = text;
}

static void add_examples(struct variants *variants, const void *type, const char *name,
                         const char *const *examples)
{
    for (int k = 0; examples && examples[k]; k++)
        add(variants, type, arena_print(&arena, "{%s: %s}", name, examples[k]));
    if (!examples) add(variants, type, name);
}

/* True for the first text of its type. */
static bool variant_is_first(const struct variants *variants, int at)
{
    return at == 0 || variants->type[at] != variants->type[at - 1];
}

/* Adds lists of terms of different types, each as long as a block allows, until every type was
 * used. */
static void add_together(struct variants *variants)
{
    const int alone = variants->count;
    const char *line = "";
    for (int i = 1, terms = 0; i < alone; i++) {
        if (!variant_is_first(variants, i)) continue;
        if (terms == ATTENTION_TERMS) {
            add(variants, attention_terms, line);
            line = "", terms = 0;
        }
        line = arena_print(&arena, "%s%s%s", line, terms++ ? ", " : "", variants->text[i]);
    }
    add(variants, attention_terms, line);
}

struct variants variants_of_terms(bool presets)
{
    struct variants variants = {0};
    add(&variants, NULL, "");
    for (int i = 0; attention_terms[i]; i++) {
        const struct term_type *type = attention_terms[i];
        add_examples(&variants, type, type->name, type->examples);
        for (int k = 0; presets && type->presets && type->presets[k].name; k++)
            add(&variants, type, type->presets[k].name);
    }
    add_together(&variants);
    return variants;
}

struct variants variants_of_fusions(void)
{
    struct variants variants = {0};
    add(&variants, NULL, "");
    for (int i = 0; attention_fusions[i]; i++)
        add_examples(&variants, attention_fusions[i], attention_fusions[i]->name,
                     attention_fusions[i]->examples);
    return variants;
}

enum attention_place variant_last_place(const char *terms)
{
    for (int i = 0; attention_terms[i]; i++)
        if (attention_terms[i]->map && strstr(terms, attention_terms[i]->name))
            return ATTENTION_DECODER;
    return ATTENTION_CROSS;
}

const char *variant_model(struct arena *into, const char *sizes, const char *terms,
                          const char *fusion)
{
    static const char *const branches[] = {"{window: 1}, backward", "global, {window: 1}",
                                           "global, global"};
    static const char *const key[] = {"encoder.attention", "decoder.attention", "decoder.cross"};
    const char *yaml =
        arena_print(into, "model: {%s}\nencoder.layers: 1\ndecoder.layers: 1\n", sizes);
    for (int p = 0; p < 3; p++)
        yaml = arena_print(into, "%s%s: [{layers: 1, branches: [%s], terms: [%s]%s%s}]\n", yaml,
                           key[p], *fusion ? branches[p] : "global",
                           p > (int)variant_last_place(terms) ? "" : terms,
                           *fusion ? ", fusion: " : "", fusion);
    return yaml;
}

const struct attention_spec *variant_spec(const struct variant *variant,
                                          const struct attention_size *size)
{
    const char *yaml =
        arena_print(&arena, "[{layers: 1, branches: [%s], terms: [%s]%s%s}]", variant->branches,
                    variant->terms, *variant->fusion ? ", fusion: " : "", variant->fusion);
    struct attention_list list;
    if (setjmp(test_die_jump)) {
        die_set_hook(NULL, NULL);
        return NULL;
    }
    die_set_hook(test_die_catch, NULL);
    attention_custom.read(tree_parse(&arena, yaml, yaml), &list, &arena);
    attention_resolve(&list, variant->place, size, &arena);
    die_set_hook(NULL, NULL);
    return &list.of_layer[0];
}

/* Encoders of LSTM and of ON-LSTM with chunks of 1, 2 and 8, each in one direction or both.
 * STACKS encoders cover every kind in every direction, without and with a shortcut. */
enum { TURNS = 3, STACKS = 2 * TURNS };
static const char *stack_model(const char *sizes, int which)
{
    static const char *const turned[] = {"both", "forward", "backward"};
    const char *direction[4];
    for (int i = 0; i < 4; i++) direction[i] = turned[(i + which) % TURNS];
    return arena_print(
        &arena,
        "model: {%s}\nencoder: {stack: [{lstm: {direction: %s}}, {onlstm: {direction: "
        "%s}}, {onlstm: {direction: %s, chunk: 2, projection: true}}, {san: 1}, "
        "{onlstm: {direction: %s, chunk: 8}}], shortcut: %s}\ndecoder.layers: 1\n",
        sizes, direction[0], direction[1], direction[2], direction[3],
        which < TURNS ? "false" : "true");
}

int variant_run_tests(const char *sizes, CMUnitTestFunction test, CMUnitTestFunction crossed)
{
    const struct variants terms = variants_of_terms(false);
    const struct variants fusions = variants_of_fusions();
    for (int t = 0; t < terms.count; t++)
        for (int f = 0; f < fusions.count; f++) {
            const char *term = terms.text[t], *fusion = fusions.text[f];
            if (!variant_is_first(&terms, t) && !variant_is_first(&fusions, f)) continue;
            test_add(0, crossed && t && f ? crossed : test,
                     variant_model(&arena, sizes, term, fusion), "terms: [%s], fusion: %s", term,
                     fusion);
        }
    for (int i = 0; i < STACKS; i++) test_add(0, test, stack_model(sizes, i), "stack %d", i);
    return tests_run();
}
