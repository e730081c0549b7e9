/* All kinds of stages, from the names of their files. */
#include <stdlib.h>
#include <string.h>

#include "experiments/plan/stage.h"

#define KIND(name) extern const struct stage_kind kind_##name;
#include "kind.def"
#undef KIND

static int by_rank(const void *a, const void *b)
{
    const struct stage_kind *x = *(const struct stage_kind *const *)a,
                            *y = *(const struct stage_kind *const *)b;
    return x->rank != y->rank ? x->rank - y->rank : strcmp(x->name, y->name);
}

static void check_kinds(const struct stage_kind *const *kind, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++)
            CHECK(strcmp(kind[i]->name, kind[k]->name) != 0, "two kinds of stages are called %s",
                  kind[i]->name);
        for (int n = 0; kind[i]->inputs[n]; n++) {
            int k = 0;
            while (k < i && strcmp(kind[k]->name, kind[i]->inputs[n]) != 0) k++;
            CHECK(k < i, "%s reads %s, which has no lower rank", kind[i]->name, kind[i]->inputs[n]);
        }
    }
}

const struct stage_kind *const *stage_kinds(void)
{
#define KIND(name) &kind_##name,
    static const struct stage_kind *kind[] = {
#include "kind.def"
        NULL};
#undef KIND
    static bool sorted;
    const int count = COUNT_OF(kind) - 1;
    if (sorted) return kind;
    qsort(kind, (size_t)count, sizeof *kind, by_rank);
    check_kinds(kind, count);
    sorted = true;
    return kind;
}

const struct stage_kind *stage_kind_find(const char *name)
{
    for (const struct stage_kind *const *kind = stage_kinds(); *kind; kind++)
        if (!strcmp((*kind)->name, name)) return *kind;
    return NULL;
}
