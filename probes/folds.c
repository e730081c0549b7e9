/* Assigns items to folds. Sentences are taken in random order. Each sentence goes to the fold with
 * the fewest items of its class. In a tie, it goes to the fold with the fewest items of all
 * classes. So no fold is empty, even if the classes are small. */
#include "probes/folds.h"

#include <string.h>

#include "core/base/random.h"
#include "core/base/hash_table.h"

/* Returns for each item the first item with the same sentence. */
static const int *first_alike(const struct task_data *data, struct arena *arena)
{
    struct hash_table *known = hash_table_new(arena, (size_t)data->items);
    int *first = ARENA_ARRAY(arena, int, data->items);
    for (int i = 0; i < data->items; i++) {
        const char *text = data->item[i].text;
        first[i] = (int)*hash_table_at(known, text, strlen(text), i);
    }
    return first;
}

static int emptiest(const int *of_class, const int *of_all, int folds)
{
    int least = 0;
    for (int f = 1; f < folds; f++)
        if (of_class[f] < of_class[least] ||
            (of_class[f] == of_class[least] && of_all[f] < of_all[least]))
            least = f;
    return least;
}

const int *folds_of(const struct task_data *data, int folds, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const struct random_key key = {0, random_stream("probe.folds")};
    const int *first = first_alike(data, &scratch);
    int32_t *order = ARENA_ARRAY(&scratch, int32_t, data->items);
    /* At the first item of a sentence: number of items with this sentence. */
    int *weight = ARENA_ARRAY(&scratch, int, data->items);
    int *items = ARENA_ARRAY(&scratch, int, data->labels *folds);
    int *of_all = ARENA_ARRAY(&scratch, int, folds);
    int *fold = ARENA_ARRAY(arena, int, data->items);
    int sentences = 0;
    for (int i = 0; i < data->items; i++) sentences += first[i] == i;
    if (sentences < folds)
        die("%s: %d different sentences; expected at least %d, one for each fold", data->path,
            sentences, folds);
    random_permute(key, 0, order, data->items);
    for (int i = 0; i < data->items; i++) weight[first[i]]++;
    for (int k = 0; k < data->items; k++) {
        const int i = order[k];
        if (first[i] != i) continue;
        int *of_class = items + data->item[i].label * folds;
        fold[i] = emptiest(of_class, of_all, folds);
        of_class[fold[i]] += weight[i];
        of_all[fold[i]] += weight[i];
    }
    for (int i = 0; i < data->items; i++) fold[i] = fold[first[i]];
    return fold;
}

struct task_data folds_part(const struct task_data *data, const int *fold, int folds, int tested,
                            struct arena *arena)
{
    struct task_data part = *data;
    part.item = ARENA_ARRAY(arena, struct task_item, data->items);
    for (int split = 0; split < TASK_SPLITS; split++) part.count[split] = 0;
    for (int i = 0; i < data->items; i++) {
        part.item[i] = data->item[i];
        part.item[i].split = fold[i] == tested                 ? TASK_TE
                             : fold[i] == (tested + 1) % folds ? TASK_VA
                                                               : TASK_TR;
        part.count[part.item[i].split]++;
    }
    return part;
}
