/* Reads and checks all sections of a point. A check that only one kind of stage needs is in the
 * kind's file. */
#include "experiments/grid/settings.h"

#include <string.h>

#include "core/config/tree_read.h"
#include "core/model/checkpoint_choice.h"

const struct evaluated *settings_evaluated(const struct settings *settings,
                                           const struct evaluation *evaluation)
{
    static const struct evaluated none = {.asked = false};
    int i = 0;
    while (evaluation && evaluations[i] != evaluation) i++;
    return evaluation ? &settings->evaluated[i] : &none;
}

/* Dies at a part whose name has invalid characters, or is in the list twice. */
static void check_names(const struct texts *list, const struct section *section)
{
    for (int i = 0; i < list->count; i++) {
        const char *name = list->text[i];
        const size_t stem = strspn(name, NAME_SIGNS);
        if (!stem || (name[stem] && name[stem] != '@') || name[strspn(name, PART_SIGNS)])
            die_at(list->location[i], "%s: \"%s\": expected letters, digits, - and _",
                   section->name, name);
        for (int k = 0; k < i; k++)
            if (!strcmp(name, list->text[k]))
                die_at(list->location[i], "%s: \"%s\" is named twice; expected it once",
                       section->name, name);
    }
}

/* Checks the option `checkpoint` before anything runs. Dies if training would not keep enough
 * checkpoints, or would have too few validations. */
static void check_checkpoint(const struct tree *map, const struct section *section,
                             const char *words, const struct train_options *train,
                             struct arena *arena)
{
    const struct tree *value = tree_get(map, "checkpoint");
    struct location location = value ? value->location : map->location;
    int count;
    const char *at = location.line ? arena_print(arena, "%s:%d:%d", location.file, location.line,
                                                 location.column)
                                   : location.file;
    const enum checkpoint_choice choice = checkpoint_parse(
        words, arena_print(arena, "%s: %s.checkpoint", at, section->name), false, &count);
    const bool best = choice == CHECKPOINT_BEST || choice == CHECKPOINT_MEAN_OF_BEST;
    const int kept = best ? train->keep_best : train->keep_average;
    if (count > kept)
        die_at(location, "checkpoint: %s needs train.keep_%s of at least %d, but it is %d", words,
               best ? "best" : "average", count, kept);
    /* There is also a validation after the last step. Without validate_every, each epoch has a
     * validation, and may consist of one step. */
    const int every = train->validate_every ? train->validate_every : 1;
    int most = train->steps ? train->steps / every + (train->steps % every > 0) : count;
    if (!train->validate_every && train->epochs && train->epochs < most) most = train->epochs;
    if (count > most)
        die_at(
            location,
            "checkpoint: %s needs %d validations, but the training has %d at most (train.epochs, "
            "train.steps, train.validate_every)",
            words, count, most);
}

const void *section_field(const struct section *section, const char *key, const char *choices,
                          const void *fields)
{
    for (int i = 0; i < section->count; i++) {
        const struct option *option = &section->option[i];
        if (!strcmp(option->key, key) &&
            (!choices || (option->choices && !strcmp(option->choices, choices))))
            return (const char *)fields + option->offset;
    }
    return NULL;
}

/* Reads the section of an evaluation from a point. */
static struct evaluated evaluation_read(const struct evaluation *evaluation,
                                        const struct tree *point, const struct settings *settings,
                                        struct arena *arena)
{
    const struct section *section = evaluation->section;
    const struct tree *map = tree_find(point, section->name);
    if (!map) return (struct evaluated){.fields = section_defaults(section)};
    char *fields = arena_alloc(arena, section->bytes);
    struct evaluated read = {.asked = map, .fields = fields};
    section_read(section, map, fields, arena);
    if (evaluation->parts) {
        read.parts = evaluation->parts(fields, arena);
        check_names(&read.parts, section);
    }
    const char *const *words = section_field(section, "checkpoint", NULL, fields);
    const int *split = section_field(section, "split", SECTION_SPLITS, fields);
    if (words) check_checkpoint(map, section, *words, &settings->train, arena);
    if (split && !corpus_has_split(&settings->corpus, *split))
        die_at(map->location, "%s.split: the corpus has no %s text (corpus.%s)", section->name,
               split_names[*split], split_names[*split]);
    return read;
}

const char *settings_task(const struct tree *point)
{
    const struct tree *task = tree_get(point, "task");
    return task ? scalar_text(task, "task") : "translation";
}

/* Returns the evaluation whose files replace all inputs (evaluation.alone); NULL if the point has a
 * model. */
static const struct evaluation *alone_at(const struct tree *point)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct evaluation *found = NULL;
    for (int i = 0; !found && evaluations[i]; i++) {
        const struct section *section = evaluations[i]->section;
        const struct tree *map = tree_find(point, section->name);
        if (!evaluations[i]->alone || !map) continue;
        void *fields = arena_alloc(&arena, section->bytes);
        section_read(section, map, fields, &arena);
        if (evaluations[i]->alone(fields)) found = evaluations[i];
    }
    return found;
}

void settings_read(struct settings *settings, const struct tree *point, struct arena *arena)
{
    memset(settings, 0, sizeof *settings);
    settings->alone = alone_at(point);
    const bool translates = !strcmp(settings_task(point), "translation") && !settings->alone;
    const struct tree *corpus = tree_find(point, "corpus");
    if (translates && !corpus)
        die_at(point->location, "corpus is missing: expected corpus: PRESET or "
                                "corpus: {source: en, target: de, train: ..}");
    if (translates) section_read(&corpus_section, corpus, &settings->corpus, arena);
    translator_options_read(&settings->translator, point, arena);
    section_read(&train_section, tree_find(point, "train"), &settings->train, arena);
    if (translates && settings->translator.model.share == SHARE_ALL && !settings->corpus.joint)
        die_at(tree_location(point, "model.share"),
               "model.share: one table for both sides needs corpus.joint: true");
    if (translates && settings->translator.model.norm == NORM_NONE)
        die_at(tree_location(point, "model.norm"),
               "model.norm: none is for recurrent layers, but the decoder of a translator has "
               "attention; expected another norm");
    const struct train_options *defaults = section_defaults(&train_section);
    if (translates && settings->train.batch_pairs != defaults->batch_pairs)
        die_at(tree_location(point, "train.batch_pairs"),
               "train.batch_pairs: is an option of the task logic; this grid's task is "
               "translation: expected train.batch_tokens");
    if (!settings->train.epochs && !settings->train.steps)
        die_at(
            tree_location(point, tree_find(point, "train.steps") ? "train.steps" : "train.epochs"),
            "train: epochs and steps are both 0; expected one of them above 0");
    if (settings->train.select == SELECT_BLEU && !settings->train.validate_sentences)
        die_at(tree_location(point, "train.select"),
               "train.select: bleu needs train.validate_sentences above 0");
    int count = 0;
    while (evaluations[count]) count++;
    struct evaluated *read = ARENA_ARRAY(arena, struct evaluated, count);
    for (int i = 0; i < count; i++)
        read[i] = evaluation_read(evaluations[i], point, settings, arena);
    settings->evaluated = read;
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
        section_canonical(evaluation->section, settings_evaluated(settings, evaluation)->fields,
                          out);
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
    struct names names = {.arena = arena};
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (wanted & row->bit) names_add(&names, row->name);
    if (evaluation) names_add(&names, evaluation->section->name);
    return names_end(&names);
}

/* ---- every option ---- */

/* Returns the i-th section that has options: first the rows of sections_all, then the sections of
 * kinds. Returns NULL if i is too large. */
static const struct section *section_at(int i)
{
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (row->section && !i--) return row->section;
    for (const struct evaluation *const *kind = evaluations; *kind; kind++)
        if (!i--) return (*kind)->section;
    return NULL;
}

void settings_check(const struct tree *point, struct arena *arena)
{
    const struct section *section;
    for (int i = 0; (section = section_at(i)); i++) {
        const struct tree *map = tree_find(point, section->name);
        if (map) section_read(section, map, arena_alloc(arena, section->bytes), arena);
    }
}

/* State of an iteration over all options; {0} at the start. */
struct walk {
    int sections;
    const struct section *section;
    const struct option *option;
};

static bool next_option(struct walk *at)
{
    if (at->option && ++at->option < at->section->option + at->section->count) return true;
    at->section = section_at(at->sections++);
    at->option = at->section ? at->section->option : NULL;
    return at->section;
}

static const char *path_of(const struct walk *at, struct arena *arena)
{
    return arena_print(arena, "%s.%s", at->section->name, at->option->key);
}

static void put_default(struct tree **defaults, const struct walk *at, const char *text,
                        struct arena *arena)
{
    const char *path = path_of(at, arena);
    if (!*defaults) *defaults = tree_new(arena, TREE_MAP, (struct location){.file = "defaults"});
    tree_put(arena, *defaults, path, tree_parse(arena, path, text));
}

const struct tree *settings_defaults(struct arena *arena)
{
    struct tree *defaults = NULL;
    for (struct walk at = {0}; next_option(&at);) {
        const char *text = at.option->fallback;
        if (text) put_default(&defaults, &at, *text ? text : "\"\"", arena);
    }
    return defaults;
}

const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point)
{
    struct tree *defaults = NULL;
    for (struct walk at = {0}; next_option(&at);) {
        if (!at.option->beside) continue;
        const struct tree *map = tree_find(point, at.section->name);
        if (!tree_get(map, at.option->key) && option_default(at.option, map) != at.option->fallback)
            put_default(&defaults, &at, at.option->then, arena);
    }
    return defaults;
}

const struct option *settings_option(const char *name)
{
    for (struct walk at = {0}; next_option(&at);) {
        const size_t length = strlen(at.section->name);
        if (!strncmp(name, at.section->name, length) && name[length] == '.' &&
            !strcmp(name + length + 1, at.option->key))
            return at.option;
    }
    return NULL;
}

const char *const *settings_names(struct arena *arena)
{
    struct names names = {.arena = arena};
    for (struct walk at = {0}; next_option(&at);) names_add(&names, path_of(&at, arena));
    return names_end(&names);
}

void settings_help(const char *topic, FILE *out)
{
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (row->section && !strcmp(row->topic, topic))
            section_help(row->section, OPTION_PATHS, out);
    /* The topic of all sections of kinds is "evaluate". */
    for (int i = 0; evaluations[i] && !strcmp(topic, "evaluate"); i++)
        section_help(evaluations[i]->section, OPTION_PATHS, out);
}
