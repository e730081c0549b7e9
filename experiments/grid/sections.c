/* Defines the table of sections. For a new section, add a row here and fields in struct settings.
 * Sections of kinds of stages are defined in the kinds' files. */
#include "experiments/grid/sections.h"

#include <string.h>

#include "core/config/word.h"

enum {
    EVERYWHERE = SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED | SECTION_MODEL
};

/* Members of a row for a section with fields in struct settings. */
#define FIELDS(settings_bit, topic_, options, field)                                               \
    .bit = settings_bit, .topic = topic_, .section = &options,                                     \
    .offset = offsetof(struct settings, field)

const struct sections_row sections_all[] = {
    {.name = "task", .uses = SECTION_GRID},
    {.name = "corpus",
     .uses = SECTION_POINT | SECTION_PRESET,
     FIELDS(SETTINGS_CORPUS, "corpus", corpus_section, corpus),
     .presets = "corpora",
     .preset = SECTION_PRESET},
    {.name = "model",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, "model", model_section, translator.model),
     .presets = "models",
     .preset = SECTION_PRESET},
    {.name = "recipe", .uses = SECTION_POINT, .presets = "recipes", .preset = SECTION_RECIPE},
    {.name = "encoder",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, "model", encoder_section, translator.encoder)},
    {.name = "decoder",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, "model", decoder_section, translator.decoder)},
    {.name = "train",
     .uses = EVERYWHERE & ~(unsigned)SECTION_MODEL,
     FIELDS(SETTINGS_TRAIN, "train", train_section, train)},
    {.name = "evaluate", .uses = SECTION_POINT | SECTION_PRESET | SECTION_RECIPE},
    {.name = NULL},
};

#define EVALUATION(kind) extern const struct evaluation evaluation_##kind;
#include "evaluation.def"
#undef EVALUATION
#define EVALUATION(kind) &evaluation_##kind,
const struct evaluation *const evaluations[] = {
#include "evaluation.def"
    NULL};
#undef EVALUATION

void names_add(struct names *names, const char *name)
{
    ARENA_ADD(names->arena, names->name, names->count, name);
}

const char *const *names_end(struct names *names)
{
    names_add(names, NULL);
    return names->name;
}

static void add_all(struct names *names, const char *const *word)
{
    while (word && *word) names_add(names, *word++);
}

/* Returns the name of a kind's section after "evaluate."; NULL if the section is not below
 * `evaluate`. */
static const char *below_evaluate(const struct evaluation *evaluation)
{
    static const char evaluate[] = "evaluate.";
    const char *name = evaluation->section->name;
    return strncmp(name, evaluate, strlen(evaluate)) ? NULL : name + strlen(evaluate);
}

const char *const *sections_below_evaluate(struct arena *arena)
{
    struct names names = {.arena = arena};
    for (int i = 0; evaluations[i]; i++)
        if (below_evaluate(evaluations[i])) names_add(&names, below_evaluate(evaluations[i]));
    return names_end(&names);
}

const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after)
{
    struct names names = {.arena = arena};
    add_all(&names, before);
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (row->uses & use) names_add(&names, row->name);
    for (int i = 0; use & (SECTION_POINT | SECTION_RECIPE) && evaluations[i]; i++)
        if (!below_evaluate(evaluations[i])) names_add(&names, evaluations[i]->section->name);
    if (use & SECTION_SHORT) add_all(&names, sections_below_evaluate(arena));
    add_all(&names, after);
    return names_end(&names);
}

const char *sections_path(struct arena *arena, const char *key)
{
    const char *first = arena_text_range(arena, key, strcspn(key, "."));
    const bool is_short = key[strlen(first)] && word_known(first, sections_below_evaluate(arena));
    return is_short ? arena_print(arena, "evaluate.%s", key) : key;
}
