/* All evaluations, from the names of the files of their kinds. */
#include "experiments/grid/evaluation.h"

#include <string.h>

#define EVALUATION(kind) extern const struct evaluation evaluation_##kind;
#include "evaluation.def"
#undef EVALUATION
#define EVALUATION(kind) &evaluation_##kind,
const struct evaluation *const evaluations[] = {
#include "evaluation.def"
    NULL};
#undef EVALUATION

int evaluations_count(void)
{
    int count = 0;
    while (evaluations[count]) count++;
    return count;
}

static const char evaluate[] = "evaluate.";

const char *const *evaluations_sections(struct arena *arena, bool below)
{
    const char **name = ARENA_ARRAY(arena, const char *, evaluations_count() + 1);
    int count = 0;
    for (int i = 0; evaluations[i]; i++) {
        const char *one = evaluations[i]->section->name;
        const bool is_below = !strncmp(one, evaluate, sizeof evaluate - 1);
        if (is_below == below) name[count++] = is_below ? one + sizeof evaluate - 1 : one;
    }
    return name;
}
