/* From YAML to compositions: the entries of encoder.attention. */
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

const struct attention_spec attention_plain = {.branches = 1, .branch = {{ATTENTION_GLOBAL}}};

static struct branch read_branch(const struct tree *tree)
{
    static const char *const keys[] = {"window", NULL};
    if (tree->kind == TREE_SCALAR && !strcmp(tree->text, "global"))
        return (struct branch){ATTENTION_GLOBAL};
    if (tree->kind != TREE_MAP)
        die_at(tree->place, "a branch is global or {window: m}%s%s%s",
               tree->kind == TREE_SCALAR ? ", got \"" : "",
               tree->kind == TREE_SCALAR ? tree->text : "", tree->kind == TREE_SCALAR ? "\"" : "");
    tree_only_keys(tree, "a branch", keys);
    const struct tree *window = tree_find(tree, "window");
    if (!window) die_at(tree->place, "a branch is global or {window: m}");
    return (struct branch){scalar_int(window, "window", 0, WINDOW_MOST)};
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
    if (!branches || branches->kind != TREE_LIST || branches->count == 0)
        die_at(branches ? branches->place : tree->place,
               "branches: expected a list, as [global, {window: 1}]");
    struct attention_spec *spec = &entry->spec;
    if (branches->count > ATTENTION_BRANCHES)
        die_at(branches->place, "branches: at most %d, got %d", ATTENTION_BRANCHES,
               branches->count);
    spec->branches = branches->count;
    for (int i = 0; i < branches->count; i++) spec->branch[i] = read_branch(branches->item[i]);
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

void attention_resolve(struct attention_list *list, int layers, struct arena *arena)
{
    int *owner = ARENA_ARRAY(arena, int, layers + 1);
    list->layers = layers;
    for (int i = 0; i < list->count; i++) {
        const char *text = list->entry[i].layers;
        int from, to;
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

/* "1: window(1); 2: global, window(1) gate(gate.heads=one)": only layers that are not plain. */
static void write_list(const void *field, FILE *out)
{
    const struct attention_list *list = field;
    const char *between = "";
    for (int l = 0; l < list->layers; l++) {
        const struct attention_spec *spec = &list->of_layer[l];
        if (spec->branches == 1 && spec->branch[0].window == ATTENTION_GLOBAL) continue;
        fprintf(out, "%s%d:", between, l + 1);
        between = "; ";
        for (int r = 0; r < spec->branches; r++) {
            if (spec->branch[r].window == ATTENTION_GLOBAL)
                fprintf(out, "%s global", r ? "," : "");
            else
                fprintf(out, "%s window(%d)", r ? "," : "", spec->branch[r].window);
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

const struct option_custom attention_custom = {
    "list of {layers, branches, fusion}", read_list, write_list};

void attention_help(FILE *out)
{
    fputs("encoder.attention: a list of {layers, branches, fusion}\n"
          "  layers    1-2, 3, 1,4-6, all, lower(1/3), upper(1/2); the other layers are global\n"
          "  branches  [global, {window: m}, ...]: keys at most m positions away\n"
          "  fusion    one output of several branches: NAME, or {NAME: {option: value}}\n",
          out);
    for (size_t i = 0; i < COUNT_OF(fusion_types); i++) {
        fprintf(out, "    %-8s %s\n", fusion_types[i]->name, fusion_types[i]->help);
        if (fusion_types[i]->section) section_help(fusion_types[i]->section, out);
    }
}
