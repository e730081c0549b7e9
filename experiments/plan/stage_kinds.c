/* All kinds of stages, from the names of their files. */
#include <string.h>

#include "experiments/plan/stage.h"

#define KIND(name) extern const struct stage_kind kind_##name;
#include "kind.def"
#undef KIND

const struct stage_kind *const *stage_kinds(void)
{
#define KIND(name) &kind_##name,
    static const struct stage_kind *const kind[] = {
#include "kind.def"
        NULL};
#undef KIND
    return kind;
}

const struct stage_kind *stage_kind_find(const char *name)
{
    for (const struct stage_kind *const *kind = stage_kinds(); *kind; kind++)
        if (!strcmp((*kind)->name, name)) return *kind;
    return NULL;
}
