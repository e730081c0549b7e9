/* From YAML to compositions: the entries of encoder.attention, decoder.attention, decoder.cross. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"

#define FUSION(name) extern const struct fusion_type fusion_##name;
#include "fusion.def"
#undef FUSION
static const struct fusion_type *const fusion_types[] = {
#define FUSION(name) &fusion_##name,
#include "fusion.def"
#undef FUSION
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
    return spec->branches == 1 && reach_equal(spec->branch[0], attention_plain.branch[0]);
}

static struct attention_reach read_branch(const struct tree *tree)
{
    static const char *const keys[] = {"window", "dropout", NULL};
    static const char *const words[] = {"global", "forward", "backward", "{window: m}", NULL};
    if (tree->kind == TREE_SCALAR) {
        for (size_t i = 0; i < COUNT_OF(branch_words); i++)
            if (!strcmp(tree->text, branch_words[i].name)) return branch_words[i].reach;
        word_refuse(tree->place, "branches", "there is no branch", tree->text, words);
    }
    if (tree->kind != TREE_MAP)
        die_at(tree->place, "a branch is global, forward, backward or {window: m}");
    tree_only_keys(tree, "a branch", keys);
    const struct tree *window = tree_find(tree, "window"), *drop = tree_find(tree, "dropout");
    if (!window) die_at(tree->place, "a branch is global, forward, backward or {window: m}");
    const int m = scalar_int(window, "window", 0, WINDOW_MOST);
    return (struct attention_reach){m, m, drop && !scalar_bool(drop, "dropout")};
}

static const struct fusion_type *find_fusion(const struct tree *word)
{
    const char *names[COUNT_OF(fusion_types) + 1] = {NULL};
    const char *text = scalar_text(word, "fusion");
    for (size_t i = 0; i < COUNT_OF(fusion_types); i++) {
        if (!strcmp(fusion_types[i]->name, text)) return fusion_types[i];
        names[i] = fusion_types[i]->name;
    }
    char all[256] = "";
    for (size_t i = 0; names[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
    const char *near = word_nearest(text, names);
    die_at(word->place, "fusion: expected %s, got \"%s\"%s%s%s", all, text,
           near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* fusion: gate, or fusion: {gate: {source: input}}. */
static void read_fusion(const struct tree *tree, struct attention_spec *spec, struct arena *arena)
{
    const struct tree *options = NULL, *word = tree;
    if (tree->kind == TREE_MAP) {
        if (tree->count != 1) die_at(tree->place, "fusion: expected one name, as {gate: {...}}");
        word = tree->key[0];
        options = tree->item[0];
    }
    spec->fusion = find_fusion(word);
    const struct section *section = spec->fusion->section;
    if (section) {
        spec->fusion_options = arena_alloc(arena, section->bytes);
        section_read(section, options, spec->fusion_options, arena);
    } else if (options) {
        die_at(options->place, "fusion %s has no options", spec->fusion->name);
    }
}

static void read_branches(const struct tree *tree, struct attention_spec *spec)
{
    if (tree->kind != TREE_LIST || tree->count == 0)
        die_at(tree->place, "branches: expected a list, as [global, {window: 1}]");
    if (tree->count > ATTENTION_BRANCHES)
        die_at(tree->place, "branches: at most %d, got %d", ATTENTION_BRANCHES, tree->count);
    spec->branches = tree->count;
    for (int i = 0; i < tree->count; i++) spec->branch[i] = read_branch(tree->item[i]);
}

static void read_entry(const struct tree *tree, struct attention_entry *entry, struct arena *arena)
{
    static const char *const keys[] = {"layers", "branches", "fusion", NULL};
    if (tree->kind != TREE_MAP)
        die_at(tree->place,
               "an attention entry is a map, as {layers: 1-2, branches: [{window: 1}]}");
    tree_only_keys(tree, "an attention entry", keys);
    entry->place = tree->place;
    const struct tree *layers = tree_find(tree, "layers"), *branches = tree_find(tree, "branches");
    const struct tree *fusion = tree_find(tree, "fusion");
    if (!layers) die_at(tree->place, "layers is missing: say 1-2, 3, all or lower(1/3)");
    entry->layers = scalar_text(layers, "layers");
    struct attention_spec *spec = &entry->spec;
    *spec = attention_plain;
    if (branches) read_branches(branches, spec);
    if (spec->branches == 1 && fusion) die_at(fusion->place, "fusion: one branch needs none");
    if (spec->branches > 1 && !fusion)
        die_at(tree->place, "fusion is missing: %d branches need one", spec->branches);
    if (!fusion) return;
    read_fusion(fusion, spec, arena);
    if (spec->fusion->check) spec->fusion->check(spec, fusion->place);
}

static void read_list(const struct tree *value, void *field, struct arena *arena)
{
    struct attention_list *list = field;
    *list = (struct attention_list){0};
    if (!value) return;
    if (value->kind != TREE_LIST)
        die_at(value->place,
               "expected a list of entries, as [{layers: 1-2, branches: [{window: 1}]}]");
    list->count = value->count;
    list->entry = ARENA_ARRAY(arena, struct attention_entry, value->count + 1);
    for (int i = 0; i < value->count; i++) read_entry(value->item[i], &list->entry[i], arena);
}

/* A positive number at *text, which moves on; 0 when there is none. */
static int number(const char **text)
{
    if (!isdigit((unsigned char)**text)) return 0;
    char *end;
    long n = strtol(*text, &end, 10);
    *text = end;
    return n > 0 && n < 10000 ? (int)n : 0;
}

/* lower(1/3), upper(1/2): a share of the stack, rounded up to whole layers. */
static bool read_share(const char *text, int layers, int *from, int *to)
{
    const bool upper = !strncmp(text, "upper(", 6);
    if (!upper && strncmp(text, "lower(", 6)) return false;
    text += 6;
    int over = number(&text), under = *text == '/' ? (text++, number(&text)) : 0;
    if (!over || !under || over > under || strcmp(text, ")")) return false;
    /* lower(1/3) and upper(2/3) share a stack of any depth between them. */
    int share = upper ? layers * over / under : (layers * over + under - 1) / under;
    *from = upper ? layers - share + 1 : 1;
    *to = upper ? layers : share;
    return true;
}

static void claim(struct attention_list *list, int **owner, int which, int from, int to)
{
    const struct attention_entry *entry = &list->entry[which];
    if (from > to || to > list->layers)
        die_at(entry->place, "layers: %s leaves the stack of %d layers", entry->layers,
               list->layers);
    for (int l = from; l <= to; l++) {
        if ((*owner)[l - 1])
            die_at(entry->place, "layer %d is named twice (first at line %d)", l,
                   list->entry[(*owner)[l - 1] - 1].place.line);
        (*owner)[l - 1] = which + 1;
    }
}

/* A branch that would see nothing, or nothing but the query itself, is a slip. */
static void check_place(const struct attention_entry *entry, enum attention_place place)
{
    for (int r = 0; r < entry->spec.branches; r++) {
        const struct attention_reach reach = entry->spec.branch[r];
        if (place == ATTENTION_DECODER && reach.before == 0 && reach.after == ATTENTION_FAR)
            die_at(entry->place, "branches: backward sees later words, which the decoder has not "
                                 "got; here every branch is causal: global, forward, {window: m}");
        if (place == ATTENTION_CROSS &&
            (reach.before != ATTENTION_FAR || reach.after != ATTENTION_FAR))
            die_at(entry->place, "branches: cross attention has global only: a target word has no "
                                 "place among the source words");
    }
}

void attention_resolve(struct attention_list *list, enum attention_place place, int layers,
                       struct arena *arena)
{
    int *owner = ARENA_ARRAY(arena, int, layers + 1);
    list->layers = layers;
    for (int i = 0; i < list->count; i++) {
        const char *text = list->entry[i].layers;
        int from, to;
        check_place(&list->entry[i], place);
        if (!strcmp(text, "all")) {
            claim(list, &owner, i, 1, layers);
            continue;
        }
        if (read_share(text, layers, &from, &to)) {
            claim(list, &owner, i, from, to);
            continue;
        }
        for (;;) {
            from = to = number(&text);
            if (from && *text == '-') text++, to = number(&text);
            if (!from || !to || (*text && *text != ','))
                die_at(list->entry[i].place,
                       "layers: expected 1-2, 3, 1,4-6, all, lower(1/3) or upper(1/2), got \"%s\"",
                       list->entry[i].layers);
            claim(list, &owner, i, from, to);
            if (!*text) break;
            text++;
        }
    }
    struct attention_spec *spec = ARENA_ARRAY(arena, struct attention_spec, layers + 1);
    for (int l = 0; l < layers; l++)
        spec[l] = owner[l] ? list->entry[owner[l] - 1].spec : attention_plain;
    list->of_layer = spec;
}

static void write_branch(struct attention_reach reach, FILE *out)
{
    for (size_t i = 0; i < COUNT_OF(branch_words); i++)
        if (reach_equal(reach, branch_words[i].reach)) {
            fputs(branch_words[i].name, out);
            return;
        }
    fprintf(out, "window(%d%s)", reach.before, reach.undropped ? ", undropped" : "");
}

/* "1: window(1); 2: global, window(1) gate(gate.heads=one)": only layers that are not plain. */
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
            write_branch(spec->branch[r], out);
        }
        if (!spec->fusion) continue;
        fprintf(out, " %s(", spec->fusion->name);
        if (spec->fusion->section) {
            char *text = NULL;
            size_t bytes = 0;
            FILE *lines = open_memstream(&text, &bytes);
            section_canonical(spec->fusion->section, spec->fusion_options, lines);
            fclose(lines);
            for (char *at = text; *at; at++) fputc(*at == '\n' ? (at[1] ? ' ' : ')') : *at, out);
            if (!bytes) fputc(')', out);
            free(text);
        } else {
            fputc(')', out);
        }
    }
}

const struct option_custom attention_custom = {"list of {layers, branches, fusion}", read_list,
                                               write_list};

void attention_help(FILE *out)
{
    fputs("encoder.attention, decoder.attention, decoder.cross: a list of {layers, branches, "
          "fusion}\n"
          "  layers    1-2, 3, 1,4-6, all, lower(1/3), upper(1/2); the other layers are global\n"
          "  branches  [global, forward, backward, {window: m}, ...]: all keys, those up to the\n"
          "            query, those from it on, those at most m positions away; default [global]\n"
          "  fusion    one output of several branches: NAME, or {NAME: {option: value}}\n",
          out);
    for (size_t i = 0; i < COUNT_OF(fusion_types); i++) {
        fprintf(out, "    %-8s %s\n", fusion_types[i]->name, fusion_types[i]->help);
        if (fusion_types[i]->section) section_help(fusion_types[i]->section, out);
    }
}
