/* Defines the list of all kinds of stages, which make generates from the names of their files. */
#include "experiments/grid/kind.h"

#include <string.h>

#include "probes/vectors.h"

#define KIND(name) extern const struct stage_kind kind_##name;
#include "kind.def"
#undef KIND
#define KIND(name) &kind_##name,
const struct stage_kind *const stage_kinds[] = {
#include "kind.def"
    NULL};
#undef KIND

const struct stage_kind *stage_kind_find(const char *name)
{
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        if (!strcmp((*kind)->name, name)) return *kind;
    return NULL;
}

const char *stage_kind_part(const char *part, struct arena *arena)
{
    const size_t bytes = strlen(part), end = strlen(VECTORS_START);
    const bool start = bytes > end && !strcmp(part + bytes - end, VECTORS_START);
    return arena_print(arena, "%.*s%s", (int)strcspn(part, "@"), part, start ? VECTORS_START : "");
}

bool stage_kind_is_seeded(const struct stage_kind *kind)
{
    bool seeded = kind->traits & KIND_SEEDED;
    for (int i = 0; !seeded && kind->inputs && kind->inputs[i]; i++)
        seeded = stage_kind_is_seeded(stage_kind_find(kind->inputs[i]));
    return seeded;
}

/* Returns the first kind that belongs to another task, among these kinds and their direct and
 * indirect inputs; NULL if there is none. */
static const struct stage_kind *foreign_among(const char *const *name, const char *task)
{
    const struct stage_kind *foreign = NULL;
    for (; !foreign && name && *name; name++)
        foreign = stage_kind_foreign(stage_kind_find(*name), task);
    return foreign;
}

const char *const *stage_kind_inputs(const struct stage_kind *kind, const char *task)
{
    const bool other = kind->other_inputs && foreign_among(kind->inputs, task);
    return other ? kind->other_inputs : kind->inputs;
}

const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task)
{
    if (kind->task && strcmp(kind->task, task) != 0) return kind;
    return foreign_among(stage_kind_inputs(kind, task), task);
}
