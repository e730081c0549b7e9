/* Sentences in random order go one by one to the fold that has the fewest items of their class. */
#include "probes/folds.h"

#include <string.h>

#include "core/base/random.h"
#include "core/base/table.h"

/* The first item of the same sentence, for each item. */
static const int *first_alike(const struct task_data *data, struct arena *arena)
{
    struct table *known = table_new(arena, (size_t)data->items);
    int *first = ARENA_ARRAY(arena, int, data->items);
    for (int i = 0; i < data->items; i++) {
        const char *text = data->item[i].text;
        first[i] = (int)*table_at(known, text, strlen(text), i);
    }
    return first;
}

static int emptiest(const int *items, int folds)
{
    int least = 0;
    for (int f = 1; f < folds; f++)
        if (items[f] < items[least]) least = f;
    return least;
}

const int *folds_of(const struct task_data *data, int folds, struct arena *arena)
{
    struct arena scratch = {0};
    const struct random_key key = {0, random_stream("probe.folds")};
    const int *first = first_alike(data, &scratch);
    int32_t *order = ARENA_ARRAY(&scratch, int32_t, data->items);
    int *weight = ARENA_ARRAY(&scratch, int, data->items); /* items of a sentence, by the first */
    int *items = ARENA_ARRAY(&scratch, int, data->labels *folds);
    int *fold = ARENA_ARRAY(arena, int, data->items);
    random_permute(key, 0, order, data->items);
    for (int i = 0; i < data->items; i++) weight[first[i]]++;
    for (int k = 0; k < data->items; k++) {
        const int i = order[k];
        if (first[i] != i) continue;
        int *of_class = items + data->item[i].label * folds;
        fold[i] = emptiest(of_class, folds);
        of_class[fold[i]] += weight[i];
    }
    for (int i = 0; i < data->items; i++) fold[i] = fold[first[i]];
    arena_free(&scratch);
    return fold;
}
