/* A new section is a row here, and its fields are in struct settings. What a kind of stage is asked
 * for with is no row: its file has it. */
#include "experiments/grid/sections.h"

#include "experiments/grid/evaluation.h"

enum {
    EVERYWHERE = SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED | SECTION_MODEL
};

/* A section whose fields are in struct settings. */
#define FIELDS(settings_bit, options, field)                                                       \
    .bit = settings_bit, .section = &options, .offset = offsetof(struct settings, field)

const struct sections_row sections_all[] = {
    {.name = "task", .uses = SECTION_GRID},
    {.name = "corpus",
     .uses = SECTION_POINT | SECTION_PRESET,
     FIELDS(SETTINGS_CORPUS, corpus_section, corpus),
     .presets = "corpora",
     .preset = SECTION_PRESET},
    {.name = "model",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, model_section, translator.model),
     .presets = "models",
     .preset = SECTION_PRESET},
    {.name = "recipe", .uses = SECTION_POINT, .presets = "recipes", .preset = SECTION_RECIPE},
    {.name = "encoder",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, encoder_section, translator.encoder)},
    {.name = "decoder",
     .uses = EVERYWHERE,
     FIELDS(SETTINGS_MODEL, decoder_section, translator.decoder)},
    {.name = "train",
     .uses = EVERYWHERE & ~(unsigned)SECTION_MODEL,
     FIELDS(SETTINGS_TRAIN, train_section, train)},
    {.name = "evaluate", .uses = SECTION_POINT | SECTION_RECIPE},
    {.name = NULL},
};
enum { ROWS = COUNT_OF(sections_all) - 1 };

static int count_of(const char *const *word)
{
    int count = 0;
    while (word && word[count]) count++;
    return count;
}

const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after)
{
    const char *const *own = use & SECTION_POINT ? evaluations_sections(arena, false) : NULL;
    const int most = count_of(before) + ROWS + count_of(own) + count_of(after);
    const char **name = ARENA_ARRAY(arena, const char *, most + 1);
    int count = 0;
    for (int i = 0; i < count_of(before); i++) name[count++] = before[i];
    for (int i = 0; i < ROWS; i++)
        if (sections_all[i].uses & use) name[count++] = sections_all[i].name;
    for (int i = 0; i < count_of(own); i++) name[count++] = own[i];
    for (int i = 0; i < count_of(after); i++) name[count++] = after[i];
    return name;
}
