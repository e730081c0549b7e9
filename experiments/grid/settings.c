#include "experiments/grid/settings.h"

#include <string.h>

#include "core/config/tree_read.h"
#include "core/model/checkpoint.h"

struct asked {
    bool given;
    void *fields;
    struct texts parts;
};

/* The i-th section that has options: what every point says, then what kinds add; NULL: the end. */
static const struct section *section_at(int i)
{
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (row->section && !i--) return row->section;
    return i < evaluations_count() ? evaluations[i]->section : NULL;
}

static int index_of(const struct evaluation *evaluation)
{
    int i = 0;
    while (evaluations[i] != evaluation) i++;
    return i;
}

const void *settings_evaluation(const struct settings *settings,
                                const struct evaluation *evaluation)
{
    return settings->asked[index_of(evaluation)].fields;
}

bool settings_evaluates(const struct settings *settings, const struct evaluation *evaluation)
{
    return settings->asked[index_of(evaluation)].given;
}

struct texts settings_parts(const struct settings *settings, const struct evaluation *evaluation)
{
    return evaluation ? settings->asked[index_of(evaluation)].parts : (struct texts){0};
}

/* Names of stages are made of them. */
static void check_names(const struct texts *list, const struct section *section,
                        const struct tree *map)
{
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (!list->count) die_at(map->place, "%s: expected one part at least", section->name);
    for (int i = 0; i < list->count; i++) {
        const char *name = list->text[i];
        if (!*name || name[strspn(name, good)])
            die_at(list->place[i], "%s: \"%s\": expected letters, digits, - and _", section->name,
                   name);
        for (int k = 0; k < i; k++)
            if (!strcmp(name, list->text[k]))
                die_at(list->place[i], "%s: \"%s\" is named twice", section->name, name);
    }
}

/* The checkpoint's words are checked here, long before there is one to select. */
static void check_checkpoint(const struct tree *map, const struct section *section,
                             const char *words, const struct train_options *train,
                             struct arena *arena)
{
    const struct tree *value = tree_get(map, "checkpoint");
    struct place place = value ? value->place : map->place;
    int count;
    const enum checkpoint_choice choice =
        checkpoint_parse(words,
                         arena_print(arena, "%s:%d:%d: %s.checkpoint", place.file, place.line,
                                     place.column, section->name),
                         &count);
    const bool best = choice == CHECKPOINT_BEST || choice == CHECKPOINT_MEAN_OF_BEST;
    const int kept = best ? train->keep_best : train->keep_average;
    if (count > kept)
        die_at(place, "checkpoint: %s needs train.keep_%s of %d at least, it is %d", words,
               best ? "best" : "average", count, kept);
    if (!train->validate_every && train->epochs && count > train->epochs)
        die_at(place, "checkpoint: %s needs %d validations, %d epochs have one each", words, count,
               train->epochs);
}

/* The section of an evaluation at a point. */
static struct asked evaluation_read(const struct evaluation *evaluation, const struct tree *point,
                                    const struct settings *settings, struct arena *arena)
{
    const struct section *section = evaluation->section;
    const struct tree *map = tree_find(point, section->name);
    struct asked asked = {.given = map, .fields = arena_alloc(arena, section->bytes)};
    const char *fields = asked.fields;
    section_read(section, map, asked.fields, arena);
    if (!map) return asked;
    if (evaluation->parts) {
        asked.parts = evaluation->parts(asked.fields, arena);
        check_names(&asked.parts, section, map);
    }
    if (evaluation->checkpoint >= 0) {
        const char *words;
        memcpy(&words, fields + evaluation->checkpoint, sizeof words);
        check_checkpoint(map, section, words, &settings->train, arena);
    }
    if (evaluation->split >= 0) {
        int split;
        memcpy(&split, fields + evaluation->split, sizeof split);
        if (!corpus_has_split(&settings->corpus, split))
            die_at(map->place, "%s.split: the corpus has no %s text (corpus.%s)", section->name,
                   split_names[split], split_names[split]);
    }
    return asked;
}

const char *settings_task(const struct tree *point)
{
    const struct tree *task = tree_get(point, "task");
    return task ? scalar_text(task, "task") : "translation";
}

void settings_check_sections(const struct tree *point, struct arena *arena)
{
    const struct tree *below = tree_get(point, "evaluate");
    if (below) tree_only_keys(below, "evaluate", evaluations_sections(arena, true));
}

static void check_share(const struct settings *settings, const struct tree *point)
{
    if (settings->translator.model.share != SHARE_ALL || settings->corpus.joint) return;
    const struct tree *share = tree_find(point, "model.share");
    die_at(share ? share->place : point->place,
           "model.share: one table for both sides needs corpus.joint: true");
}

void settings_read(struct settings *settings, const struct tree *point, struct arena *arena)
{
    const bool translates = !strcmp(settings_task(point), "translation");
    memset(settings, 0, sizeof *settings);
    if (translates)
        section_read(&corpus_section, tree_find(point, "corpus"), &settings->corpus, arena);
    translator_options_read(&settings->translator, point, arena);
    section_read(&train_section, tree_find(point, "train"), &settings->train, arena);
    if (translates) check_share(settings, point);
    if (!settings->train.epochs && !settings->train.steps) {
        const struct tree *train = tree_find(point, "train");
        die_at(train ? train->place : point->place,
               "train: epochs and steps are both 0: one of them must end the training");
    }
    if (settings->train.select == SELECT_BLEU && !settings->train.validate_sentences) {
        const struct tree *select = tree_find(point, "train.select");
        die_at(select ? select->place : point->place,
               "train.select: bleu needs train.validate_sentences above 0");
    }
    struct asked *asked = ARENA_ARRAY(arena, struct asked, evaluations_count());
    for (int i = 0; evaluations[i]; i++)
        asked[i] = evaluation_read(evaluations[i], point, settings, arena);
    settings->asked = asked;
}

struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed)
{
    return (struct translating){.ops = ops,
                                .corpus = corpus,
                                .model = &settings->translator,
                                .train = &settings->train,
                                .seed = seed};
}

void settings_canonical(const struct settings *settings, unsigned wanted,
                        const struct evaluation *evaluation, FILE *out)
{
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (wanted & row->bit)
            section_canonical(row->section, (const char *)settings + row->offset, out);
    if (evaluation)
        section_canonical(evaluation->section, settings_evaluation(settings, evaluation), out);
}

void settings_json(const struct settings *settings, FILE *out)
{
    const char *before = "{";
    for (const struct sections_row *row = sections_all; row->name; row++) {
        if (!row->bit) continue;
        fprintf(out, "%s\"%s\":", before, row->name);
        section_json(row->section, (const char *)settings + row->offset,
                     row->bit != SETTINGS_CORPUS, out);
        before = ",";
    }
    fputc('}', out);
}

const char *const *settings_sections(unsigned wanted, const struct evaluation *evaluation,
                                     struct arena *arena)
{
    int count = 0;
    for (const struct sections_row *row = sections_all; row->name; row++) count++;
    const char **name = ARENA_ARRAY(arena, const char *, count + 2);
    count = 0;
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (wanted & row->bit) name[count++] = row->name;
    if (evaluation) name[count] = evaluation->section->name;
    return name;
}

const struct tree *settings_defaults(struct arena *arena)
{
    struct tree *defaults = tree_new(arena, TREE_MAP, (struct place){.file = "defaults"});
    for (int i = 0; section_at(i); i++)
        for (int k = 0; k < section_at(i)->count; k++) {
            const struct option *option = &section_at(i)->option[k];
            if (!option->fallback) continue;
            const char *path = arena_print(arena, "%s.%s", section_at(i)->name, option->key);
            const char *text = *option->fallback ? option->fallback : "\"\"";
            tree_put(arena, defaults, path, tree_parse(arena, path, text));
        }
    return defaults;
}

const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point)
{
    struct tree *defaults = NULL;
    for (int i = 0; section_at(i); i++)
        for (int k = 0; k < section_at(i)->count; k++) {
            const struct option *option = &section_at(i)->option[k];
            if (!option->beside) continue;
            const struct tree *map = tree_find(point, section_at(i)->name);
            const char *path = arena_print(arena, "%s.%s", section_at(i)->name, option->key);
            if (tree_get(map, option->key) || option_default(option, map) == option->fallback)
                continue;
            if (!defaults) defaults = tree_new(arena, TREE_MAP, (struct place){.file = "defaults"});
            tree_put(arena, defaults, path, tree_parse(arena, path, option->then));
        }
    return defaults;
}

const struct option *settings_option(const char *name)
{
    for (int i = 0; section_at(i); i++) {
        const size_t length = strlen(section_at(i)->name);
        if (strncmp(name, section_at(i)->name, length) || name[length] != '.') continue;
        for (int k = 0; k < section_at(i)->count; k++)
            if (!strcmp(section_at(i)->option[k].key, name + length + 1))
                return &section_at(i)->option[k];
    }
    return NULL;
}

const char *const *settings_names(struct arena *arena)
{
    int count = 0;
    for (int i = 0; section_at(i); i++) count += section_at(i)->count;
    const char **name = ARENA_ARRAY(arena, const char *, count + 1);
    count = 0;
    for (int i = 0; section_at(i); i++)
        for (int k = 0; k < section_at(i)->count; k++)
            name[count++] =
                arena_print(arena, "%s.%s", section_at(i)->name, section_at(i)->option[k].key);
    return name;
}

void settings_help(FILE *out)
{
    for (int i = 0; section_at(i); i++) section_help(section_at(i), OPTION_PATHS, out);
    attention_help(out);
}
