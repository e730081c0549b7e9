/* A new section is a row here. Its options are in settings.c, or in the file of the kind of stage
 * that it is about. */
#include "experiments/plan/sections.h"

#include "experiments/plan/settings.h"

static const struct {
    const char *name;
    unsigned uses;
} sections[] = {
    {"task", SECTION_GRID},
    {"corpus", SECTION_POINT | SECTION_PRESET},
    {"model", SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED | SECTION_MODEL},
    {"recipe", SECTION_POINT},
    {"encoder", SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED | SECTION_MODEL},
    {"decoder", SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED | SECTION_MODEL},
    {"train", SECTION_POINT | SECTION_PRESET | SECTION_RECIPE | SECTION_TRAINED},
    {"evaluate", SECTION_POINT | SECTION_RECIPE},
};

static int count_of(const char *const *word)
{
    int count = 0;
    while (word && word[count]) count++;
    return count;
}

const char *const *sections_of(struct arena *arena, unsigned use, const char *const *before,
                               const char *const *after)
{
    const char *const *own = use & SECTION_POINT ? settings_own_sections(arena) : NULL;
    const int most = count_of(before) + (int)COUNT_OF(sections) + count_of(own) + count_of(after);
    const char **name = ARENA_ARRAY(arena, const char *, most + 1);
    int count = 0;
    for (int i = 0; i < count_of(before); i++) name[count++] = before[i];
    for (size_t i = 0; i < COUNT_OF(sections); i++)
        if (sections[i].uses & use) name[count++] = sections[i].name;
    for (int i = 0; i < count_of(own); i++) name[count++] = own[i];
    for (int i = 0; i < count_of(after); i++) name[count++] = after[i];
    return name;
}
