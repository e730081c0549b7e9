/* Each guess is a function of what it may see: nothing, the number of tokens, the words. */
#include "probes/task_audit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/table.h"
#include "probes/counted_words.h"
#include "probes/folds.h"

static double per_cent(const struct task_data *data, int right)
{
    return 100. * right / data->count[TASK_TE];
}

/* How often each split has each label, [TASK_SPLITS][labels]. */
static int *count_labels(const struct task_data *data, struct arena *arena)
{
    int *count = ARENA_ARRAY(arena, int, TASK_SPLITS * data->labels);
    for (int i = 0; i < data->items; i++)
        count[(int)data->item[i].split * data->labels + data->item[i].label]++;
    return count;
}

/* ---- length ---- */

static int compare_lengths(const void *one, const void *other)
{
    const struct task_item *a = *(const struct task_item *const *)one,
                           *b = *(const struct task_item *const *)other;
    return a->tokens != b->tokens ? a->tokens - b->tokens : a->label - b->label;
}

/* For each number of tokens in tr, ascending, an item with it and with its most frequent label;
 * *lengths of them. */
static const struct task_item **learn_lengths(const struct task_data *data, struct arena *arena,
                                              int *lengths)
{
    const int items = data->count[TASK_TR];
    const struct task_item **item = ARENA_ARRAY(arena, const struct task_item *, items);
    for (int i = 0, tr = 0; i < data->items; i++)
        if (data->item[i].split == TASK_TR) item[tr++] = &data->item[i];
    qsort(item, (size_t)items, sizeof *item, compare_lengths);
    int most = 0;
    *lengths = 0;
    for (int i = 0, next; i < items; i = next) {
        for (next = i; next < items && !compare_lengths(&item[i], &item[next]);) next++;
        const bool fresh = !*lengths || item[*lengths - 1]->tokens != item[i]->tokens;
        if (!fresh && next - i <= most) continue;
        *lengths += fresh;
        item[*lengths - 1] = item[i];
        most = next - i;
    }
    return item;
}

static int length_right(const struct task_data *data, struct arena *arena)
{
    int lengths, right = 0;
    const struct task_item **known = learn_lengths(data, arena, &lengths);
    for (int i = 0; i < data->items; i++) {
        const struct task_item *item = &data->item[i];
        if (item->split != TASK_TE) continue;
        int nearest = 0;
        for (int k = 1; k < lengths; k++)
            if (abs(known[k]->tokens - item->tokens) < abs(known[nearest]->tokens - item->tokens))
                nearest = k;
        right += known[nearest]->label == item->label;
    }
    return right;
}

/* ---- leaks ---- */

static int count_shared(const struct task_data *data, struct arena *arena)
{
    struct table *seen = table_new(arena, (size_t)data->items); /* sentences to bits of splits */
    int shared = 0;
    for (int i = 0; i < data->items; i++) {
        const struct task_item *item = &data->item[i];
        int64_t *splits = table_at(seen, item->text, strlen(item->text), 0);
        const int64_t both = *splits | INT64_C(1) << item->split;
        const bool one_before = *splits && !(*splits & (*splits - 1));
        shared += one_before && both != *splits;
        *splits = both;
    }
    return shared;
}

struct task_audit task_audit(const struct task_data *data)
{
    struct arena scratch = {0};
    struct task_audit audit = {.bare = data->bare};
    const int *count = count_labels(data, &scratch), *tr = count + TASK_TR * data->labels;
    int majority = 0;
    for (int k = 1; k < data->labels; k++)
        if (tr[k] > tr[majority]) majority = k;
    for (int split = 0; split < TASK_SPLITS; split++) {
        audit.items[split] = data->count[split];
        for (int k = 0; k < data->labels; k++)
            audit.classes[split] += count[split * data->labels + k] > 0;
    }
    audit.majority = per_cent(data, count[TASK_TE * data->labels + majority]);
    audit.length = per_cent(data, length_right(data, &scratch));
    audit.words = per_cent(data, counted_words_right(data));
    audit.shared = count_shared(data, &scratch);
    arena_free(&scratch);
    return audit;
}

struct task_audit task_audit_folds(const struct task_data *data, int folds)
{
    struct arena scratch = {0};
    struct task_audit audit = task_audit(data);
    const int *fold = folds ? folds_of(data, folds, &scratch) : NULL;
    if (folds) audit.majority = audit.length = audit.words = 0;
    for (int f = 0; f < folds; f++) {
        const struct task_data part = folds_part(data, fold, folds, f, &scratch);
        const struct task_audit one = task_audit(&part);
        const double share = (double)part.count[TASK_TE] / data->items;
        audit.majority += share * one.majority;
        audit.length += share * one.length;
        audit.words += share * one.words;
    }
    arena_free(&scratch);
    return audit;
}
