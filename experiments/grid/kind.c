/* All kinds of stages, from the names of their files. */
#include "experiments/grid/kind.h"

#include <string.h>

#define KIND(name) extern const struct stage_kind kind_##name;
#include "kind.def"
#undef KIND
#define KIND(name) &kind_##name,
const struct stage_kind *const stage_kinds[] = {
#include "kind.def"
    NULL};
#undef KIND

int stage_kinds_count(void)
{
    int count = 0;
    while (stage_kinds[count]) count++;
    return count;
}

const struct stage_kind *stage_kind_find(const char *name)
{
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        if (!strcmp((*kind)->name, name)) return *kind;
    return NULL;
}

bool stage_kind_is_seeded(const struct stage_kind *kind)
{
    bool seeded = kind->seeded;
    for (int i = 0; !seeded && kind->inputs && kind->inputs[i]; i++)
        seeded = stage_kind_is_seeded(stage_kind_find(kind->inputs[i]));
    return seeded;
}

const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task)
{
    const struct stage_kind *foreign = kind->task && strcmp(kind->task, task) != 0 ? kind : NULL;
    for (int i = 0; !foreign && kind->inputs && kind->inputs[i]; i++)
        foreign = stage_kind_foreign(stage_kind_find(kind->inputs[i]), task);
    return foreign;
}
