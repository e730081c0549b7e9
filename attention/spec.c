/* Reads the options encoder.attention, decoder.attention and decoder.cross. Converts YAML entries
 * to compositions, and compositions to text and JSON. */
#include <stdlib.h>
#include <string.h>

#include "attention/term.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"

#define FUSION(name) extern const struct fusion_type fusion_##name;
#include "fusion.def"
#undef FUSION
const struct fusion_type *const attention_fusions[] = {
#define FUSION(name) &fusion_##name,
#include "fusion.def"
#undef FUSION
    NULL,
};

#define TERM(name) extern const struct term_type term_##name;
#include "term.def"
#undef TERM
const struct term_type *const attention_terms[] = {
#define TERM(name) &term_##name,
#include "term.def"
#undef TERM
    NULL,
};

enum { WINDOW_MOST = 4096 };

static const struct branch_word {
    const char *name;
    struct attention_reach reach;
} branch_words[] = {
    {"global", {ATTENTION_FAR, ATTENTION_FAR, false}},
    {"forward", {ATTENTION_FAR, 0, false}},
    {"backward", {0, ATTENTION_FAR, false}},
};

const struct attention_spec attention_plain = {.branches = 1,
                                               .branch = {{ATTENTION_FAR, ATTENTION_FAR, false}}};

static bool reach_equal(struct attention_reach a, struct attention_reach b)
{
    return a.before == b.before && a.after == b.after && a.undropped == b.undropped;
}

static bool spec_plain(const struct attention_spec *spec)
{
    return spec->branches == 1 && !spec->terms &&
           reach_equal(spec->branch[0], attention_plain.branch[0]);
}

static struct attention_reach read_branch(const struct tree *tree)
{
    static const char *const keys[] = {"window", "dropout", NULL};
    static const char *const words[] = {"global", "forward", "backward", "{window: m}", NULL};
    if (tree->kind == TREE_SCALAR) {
        for (size_t i = 0; i < COUNT_OF(branch_words); i++)
            if (!strcmp(tree->text, branch_words[i].name)) return branch_words[i].reach;
        word_refuse(tree->location, "branches", "there is no branch", tree->text, words);
    }
    if (tree->kind != TREE_MAP)
        die_at(tree->location, "branches: expected global, forward, backward or {window: m}");
    tree_only_keys(tree, "a branch", keys);
    const struct tree *window = tree_find(tree, "window"), *drop = tree_find(tree, "dropout");
    if (!window)
        die_at(tree->location, "branches: expected global, forward, backward or {window: m}");
    const int m = scalar_int(window, "window", 0, WINDOW_MOST);
    return (struct attention_reach){m, m, drop && !scalar_bool(drop, "dropout")};
}

enum { WORDS = 128 }; /* limit for the number of names of terms and presets, or of fusions */

/* A term or fusion as written: NAME, {NAME: value of the first option} or {NAME: {option:
 * value}}. */
struct named {
    const struct tree *word, *options; /* options: NULL, a scalar or a map */
};

static struct named read_named(const struct tree *tree, const char *what)
{
    if (tree->kind == TREE_SCALAR) return (struct named){tree, NULL};
    if (tree->kind != TREE_MAP || tree->count != 1)
        die_at(tree->location,
               "%s: expected a name, or one name with its options, as {name: {...}}", what);
    return (struct named){tree->key[0], tree->item[0]};
}

/* Reads options into a new struct of the section. They override the options of `preset`, a text;
 * NULL: no preset. */
static void *read_options(const struct section *section, const struct named *named,
                          const char *preset, struct arena *arena)
{
    const struct tree *options = named->options;
    const char *name = named->word->text;
    if (!section) {
        if (options) die_at(options->location, "%s has no options; expected the name alone", name);
        return NULL;
    }
    if (options && options->kind != TREE_MAP) {
        struct tree *map = tree_new(arena, TREE_MAP, options->location);
        tree_add(arena, map, tree_new_text(arena, options->location, section->option[0].key),
                 tree_copy(arena, options));
        options = map;
    }
    if (preset) {
        struct tree *under = tree_parse(arena, name, preset);
        options = options ? tree_merge(arena, under, options) : under;
    }
    void *fields = arena_alloc(arena, section->bytes);
    section_read(section, options, fields, arena);
    return fields;
}

static void read_fusion(const struct tree *tree, struct attention_spec *spec, struct arena *arena)
{
    const struct named named = read_named(tree, "fusion");
    const char *words[WORDS] = {NULL}, *text = scalar_text(named.word, "fusion");
    for (int i = 0; attention_fusions[i]; i++) {
        CHECK(i + 1 < WORDS, "more than %d fusions", i);
        words[i] = attention_fusions[i]->name;
        if (!strcmp(text, words[i])) spec->fusion = attention_fusions[i];
    }
    if (!spec->fusion) word_refuse(named.word->location, "fusion", "unknown word", text, words);
    spec->fusion_options = read_options(spec->fusion->section, &named, NULL, arena);
}

/* Reads a term, by its name or the name of one of its presets. */
static void read_term(const struct tree *tree, struct attention_spec *spec, struct arena *arena)
{
    const struct named named = read_named(tree, "terms");
    struct term_choice *choice = &spec->term[spec->terms++];
    const char *words[WORDS] = {NULL}, *text = scalar_text(named.word, "terms"), *options = NULL;
    int count = 0;
    for (int i = 0; attention_terms[i]; i++) {
        const struct term_type *type = attention_terms[i];
        const struct term_preset *preset = type->presets;
        words[count++] = type->name;
        if (!strcmp(text, type->name)) choice->type = type;
        CHECK(count < WORDS / 2, "more than %d terms", count);
        for (; preset && preset->name; preset++) {
            words[count++] = preset->name;
            if (!strcmp(text, preset->name)) choice->type = type, options = preset->options;
        }
    }
    if (!choice->type) word_refuse(named.word->location, "terms", "unknown term", text, words);
    choice->options = read_options(choice->type->section, &named, options, arena);
}

static void read_terms(const struct tree *tree, struct attention_spec *spec, struct arena *arena)
{
    if (tree->kind != TREE_LIST) die_at(tree->location, "terms: expected a list, as [localness]");
    if (tree->count > ATTENTION_TERMS)
        die_at(tree->location, "terms: expected at most %d, got %d", ATTENTION_TERMS, tree->count);
    for (int i = 0; i < tree->count; i++) read_term(tree->item[i], spec, arena);
}

static void read_branches(const struct tree *tree, struct attention_spec *spec)
{
    if (tree->kind != TREE_LIST || tree->count == 0)
        die_at(tree->location,
               "branches: expected a list of one or more, as [global, {window: 1}]");
    if (tree->count > ATTENTION_BRANCHES)
        die_at(tree->location, "branches: expected at most %d, got %d", ATTENTION_BRANCHES,
               tree->count);
    spec->branches = tree->count;
    for (int i = 0; i < tree->count; i++) spec->branch[i] = read_branch(tree->item[i]);
}

static void read_entry(const struct tree *tree, struct attention_entry *entry, struct arena *arena)
{
    static const char *const keys[] = {"layers", "branches", "terms", "fusion", NULL};
    if (tree->kind != TREE_MAP)
        die_at(tree->location, "expected a map, as {layers: 1-2, branches: [{window: 1}]}");
    tree_only_keys(tree, "an attention entry", keys);
    entry->location = tree->location;
    const struct tree *layers = tree_find(tree, "layers"), *branches = tree_find(tree, "branches");
    const struct tree *terms = tree_find(tree, "terms"), *fusion = tree_find(tree, "fusion");
    if (!layers) die_at(tree->location, "layers is missing: expected 1-2, 3, all or lower(1/3)");
    entry->layers = scalar_text(layers, "layers");
    struct attention_spec *spec = &entry->spec;
    *spec = attention_plain;
    if (branches) read_branches(branches, spec);
    if (terms) read_terms(terms, spec, arena);
    if (spec->branches == 1 && fusion)
        die_at(fusion->location, "fusion: expected no fusion, because there is one branch");
    if (spec->branches > 1 && !fusion)
        die_at(tree->location, "fusion is missing: %d branches need a fusion, such as %s",
               spec->branches, attention_fusions[0]->name);
    if (fusion) read_fusion(fusion, spec, arena);
}

static void read_list(const struct tree *value, void *field, struct arena *arena)
{
    struct attention_list *list = field;
    *list = (struct attention_list){0};
    if (!value) return;
    if (value->kind != TREE_LIST)
        die_at(value->location,
               "expected a list of entries, as [{layers: 1-2, branches: [{window: 1}]}]");
    list->count = value->count;
    list->entry = ARENA_ARRAY(arena, struct attention_entry, value->count + 1);
    for (int i = 0; i < value->count; i++) read_entry(value->item[i], &list->entry[i], arena);
}

/* Returns the word for the branch; NULL if the branch is a window. */
static const char *word_of(struct attention_reach reach)
{
    for (size_t i = 0; i < COUNT_OF(branch_words); i++)
        if (reach_equal(reach, branch_words[i].reach)) return branch_words[i].name;
    return NULL;
}

void attention_write_branch(struct attention_reach reach, FILE *out)
{
    if (word_of(reach))
        fputs(word_of(reach), out);
    else
        fprintf(out, "window(%d%s)", reach.before, reach.undropped ? ", undropped" : "");
}

/* Writes a name with its options: " gate(gate.heads=one gate.source=input)". */
static void write_named(const char *name, const struct section *section, const void *options,
                        FILE *out)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *lines = heap_stream(&text, &bytes);
    if (section) section_canonical(section, options, lines);
    fclose(lines);
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '\n') text[i] = i + 1 < bytes ? ' ' : '\0';
    fprintf(out, " %s(%s)", name, bytes ? text : "");
    free(text);
}

/* Writes the layers that differ from plain attention: "1: window(1); 2: global, window(1)
 * gate(gate.heads=one); 3: global + gauss()". */
static void write_list(const void *field, FILE *out)
{
    const struct attention_list *list = field;
    const char *between = "";
    for (int l = 0; l < list->layers; l++) {
        const struct attention_spec *spec = &list->of_layer[l];
        if (spec_plain(spec)) continue;
        fprintf(out, "%s%d:", between, l + 1);
        between = "; ";
        for (int r = 0; r < spec->branches; r++) {
            fputs(r ? ", " : " ", out);
            attention_write_branch(spec->branch[r], out);
        }
        for (int k = 0; k < spec->terms; k++) {
            fputs(" +", out);
            write_named(spec->term[k].type->name, spec->term[k].type->section,
                        spec->term[k].options, out);
        }
        if (spec->fusion)
            write_named(spec->fusion->name, spec->fusion->section, spec->fusion_options, out);
    }
}

/* Writes a name with its options: {"gate":{"heads":"one","source":"input"}}. If it has no options,
 * writes only the name: "sum". */
static void json_named(const char *name, const struct section *section, const void *options,
                       FILE *out)
{
    fprintf(out, section ? "{\"%s\":" : "\"%s\"", name);
    if (!section) return;
    section_json(section, options, true, out);
    fputc('}', out);
}

/* Writes an entry for each layer with attention, including plain ones. */
static void json_list(const void *field, FILE *out)
{
    const struct attention_list *list = field;
    const char *between = "";
    fputc('[', out);
    for (int l = 0; l < list->layers; l++) {
        const struct attention_spec *spec = &list->of_layer[l];
        if (list->recurrent && list->recurrent[l]) continue;
        fprintf(out, "%s{\"layers\":%d,\"branches\":[", between, l + 1);
        between = ",";
        for (int r = 0; r < spec->branches; r++) {
            const struct attention_reach reach = spec->branch[r];
            if (r) fputc(',', out);
            if (word_of(reach))
                fprintf(out, "\"%s\"", word_of(reach));
            else
                fprintf(out, "{\"window\":%d%s}", reach.before,
                        reach.undropped ? ",\"dropout\":false" : "");
        }
        fputs("],\"terms\":[", out);
        for (int k = 0; k < spec->terms; k++) {
            const struct term_choice *term = &spec->term[k];
            if (k) fputc(',', out);
            json_named(term->type->name, term->type->section, term->options, out);
        }
        fputc(']', out);
        if (spec->fusion) {
            fputs(",\"fusion\":", out);
            json_named(spec->fusion->name, spec->fusion->section, spec->fusion_options, out);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

const struct option_custom attention_custom = {"list of {layers, branches, terms, fusion}",
                                               read_list, write_list, json_list};

static void help_named(const char *name, const char *help, const struct section *section, FILE *out)
{
    fprintf(out, "    %-10s %s\n", name, help);
    if (section) section_help(section, OPTION_PATHS, out);
}

void attention_help(FILE *out)
{
    fputs("encoder.attention, decoder.attention, decoder.cross: a list of\n"
          "{layers, branches, terms, fusion}\n"
          "  layers    1-2, 3, 1,4-6, all, lower(1/3), upper(1/2); 1 is the lowest; layers\n"
          "            without an entry have branches: [global]\n"
          "  branches  [global, forward, backward, {window: m}, ...]: all keys, keys up to the\n"
          "            query, keys from the query on, keys at most m positions away; default\n"
          "            [global]; {window: m, dropout: false}: without dropout of its weights\n"
          "  terms     additions to energies or values: a list of names, {NAME: value of the\n"
          "            first option} or {NAME: {option: value}}\n",
          out);
    for (int i = 0; attention_terms[i]; i++) {
        const struct term_type *type = attention_terms[i];
        help_named(type->name, type->help, type->section, out);
        for (const struct term_preset *p = type->presets; p && p->name; p++)
            fprintf(out, "    %-14s = {%s: %s}\n", p->name, type->name, p->options);
    }
    fputs("  fusion    function that makes one output of several branches; written as a term\n",
          out);
    for (int i = 0; attention_fusions[i]; i++)
        help_named(attention_fusions[i]->name, attention_fusions[i]->help,
                   attention_fusions[i]->section, out);
}
