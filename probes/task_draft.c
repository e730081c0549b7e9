/* Assigns candidates to splits. Candidates are counted by label and split. A group is tried in a
 * split and removed again if it does not fit. */
#include "probes/task_draft.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"

/* Steps of random numbers. The steps of makers count from 0. */
enum { STEP_TEXT = 1000, STEP_LINES };
enum { LEFT_OUT = -1, PER_TENTH = 10, PARTS = 12 }; /* split ratio 10:1:1 */

struct task_draft task_draft_new(struct arena *arena, const char *name, uint32_t seed, int items)
{
    return (struct task_draft){
        .name = name,
        .key = {seed, random_stream(arena_print(arena, "corpus tasks/%s", name))},
        .items = items,
        .least = items / 2 < TASK_DRAFT_LEAST ? items / 2 : TASK_DRAFT_LEAST,
        .arena = arena,
        .label_index = hash_table_new(arena, 0),
        .text_index = hash_table_new(arena, 0),
        .left = ""};
}

static int label_of(struct task_draft *draft, const char *label)
{
    const int64_t id = *hash_table_at(draft->label_index, label, strlen(label), draft->labels);
    if (id == draft->labels) {
        ARENA_ADD(draft->arena, draft->label, draft->labels, label);
    }
    return (int)id;
}

/* Returns a random number that depends only on the text. */
static uint64_t random_of(const struct task_draft *draft, const char *text)
{
    uint32_t word[4];
    random_block(draft->key, random_stream(text), STEP_TEXT, 0, word);
    return (uint64_t)word[0] << 32 | word[1];
}

bool task_draft_add(struct task_draft *draft, const char *label, const char *group,
                    const char *text)
{
    int64_t *times = hash_table_at(draft->text_index, text, strlen(text), 0);
    if ((*times)++) return false;
    ARENA_ADD(draft->arena, draft->candidate, draft->candidates,
              (struct task_candidate){.text = text,
                                      .label = label_of(draft, label),
                                      .split = LEFT_OUT,
                                      .group = random_of(draft, group ? group : text),
                                      .own = random_of(draft, text)});
    return true;
}

void task_draft_leave(struct task_draft *draft, int count, const char *why, ...)
{
    va_list list;
    if (!count) return;
    va_start(list, why);
    draft->left = arena_print(draft->arena, "%s%s%d %s", draft->left,
                              *draft->left ? ", " : "; left out: ", count,
                              arena_print_list(draft->arena, why, list));
    va_end(list);
}

void task_draft_fail(struct task_draft *draft, const char *why, ...)
{
    va_list list;
    if (draft->problem) return;
    va_start(list, why);
    draft->problem = arena_print_list(draft->arena, why, list);
    va_end(list);
}

int task_draft_random(const struct task_draft *draft, int index, uint32_t step, int bound)
{
    return (int)random_below(draft->key, (uint64_t)index, step, (uint32_t)bound);
}

/* ---- sizes ---- */

/* Returns the number of lines of va (and of te) for `lines` lines of tr: a tenth, but at least
 * 1. */
static int tenth(int lines)
{
    return lines < PER_TENTH ? 1 : lines / PER_TENTH;
}

/* Returns the maximum number of lines of a label in a split: the share of the label in the
 * requested lines. */
static int most_of(const struct task_draft *draft, int split)
{
    const int most = draft->items / draft->labels;
    return split != TASK_TR ? tenth(most) : most ? most : 1;
}

static int least_of(const struct task_draft *draft, int split)
{
    const int least = split == TASK_TR ? draft->least : tenth(draft->least);
    return least < most_of(draft, split) ? least : most_of(draft, split);
}

int task_draft_need(const struct task_draft *draft)
{
    return draft->least + 2 * tenth(draft->least);
}

static int *count_labels(const struct task_draft *draft)
{
    int *count = ARENA_ARRAY(draft->arena, int, draft->labels + 1);
    for (int i = 0; i < draft->candidates; i++) count[draft->candidate[i].label]++;
    return count;
}

/* ---- splits ---- */

/* Sorts by group, which is a random number; within a group by `own`, another random number. */
static int compare_candidates(const void *one, const void *other)
{
    const struct task_candidate *a = one, *b = other;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->own != b->own) return a->own < b->own ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* Assigns the candidates `first` to `end` - 1 to a split. If they do not fit, restores the counts
 * `have` and returns false. */
static bool try_split(struct task_draft *draft, int first, int end, int split, int *have,
                      const int *count)
{
    bool fits = true;
    for (int i = first; i < end; i++) {
        const int label = draft->candidate[i].label;
        draft->candidate[i].split = split;
        fits &= ++have[label] <= count[label] / PARTS || split == TASK_TR;
    }
    for (int i = first; i < end && !fits; i++) have[draft->candidate[i].label]--;
    return fits;
}

/* Assigns a split to every group. Counts the candidates in `have` [TASK_SPLITS][labels]. */
static void assign(struct task_draft *draft, int *have)
{
    const int *count = count_labels(draft);
    for (int i = 0, end; i < draft->candidates; i = end) {
        for (end = i + 1; end < draft->candidates; end++)
            if (draft->candidate[end].group != draft->candidate[i].group) break;
        int split = TASK_TE;
        while (!try_split(draft, i, end, split, have + split * draft->labels, count)) split--;
    }
}

/* Keeps the same number of lines of each label in a split: as many as the rarest label has, but at
 * most most_of. */
static void balance(struct task_draft *draft, const int *have)
{
    int *taken = ARENA_ARRAY(draft->arena, int, TASK_SPLITS * draft->labels), left = 0;
    for (int split = 0; split < TASK_SPLITS; split++) {
        const int least = least_of(draft, split);
        draft->each[split] = most_of(draft, split);
        for (int k = 0; k < draft->labels; k++) {
            const int there = have[split * draft->labels + k];
            if (there < draft->each[split]) draft->each[split] = there;
            if (there < least)
                task_draft_fail(draft, "class %s has %d sentences for %s; needed %d%s",
                                draft->label[k], there, task_split_names[split], least,
                                draft->left);
        }
    }
    for (int i = 0; i < draft->candidates; i++) {
        struct task_candidate *one = &draft->candidate[i];
        if (taken[one->split * draft->labels + one->label]++ < draft->each[one->split]) continue;
        one->split = LEFT_OUT;
        left++;
    }
    task_draft_leave(draft, left, "so that all classes have the same size");
}

void task_draft_split(struct task_draft *draft)
{
    const int *count = count_labels(draft), need = task_draft_need(draft);
    for (int k = 0; k < draft->labels; k++)
        if (count[k] < need)
            task_draft_fail(draft, "class %s has %d sentences; needed %d%s", draft->label[k],
                            count[k], need, draft->left);
    if (draft->labels < 2)
        task_draft_fail(draft, "%d class%s of at least %d sentences; needed two%s", draft->labels,
                        draft->labels == 1 ? "" : "es", need, draft->left);
    if (draft->problem) return;
    int *have = ARENA_ARRAY(draft->arena, int, TASK_SPLITS * draft->labels);
    qsort(draft->candidate, (size_t)draft->candidates, sizeof *draft->candidate,
          compare_candidates);
    assign(draft, have);
    balance(draft, have);
}

/* ---- text ---- */

void task_draft_write(const struct task_draft *draft, FILE *out)
{
    int32_t *order = ARENA_ARRAY(draft->arena, int32_t, draft->candidates + 1);
    random_permute(draft->key, STEP_LINES, order, draft->candidates);
    for (int split = 0; split < TASK_SPLITS; split++)
        for (int i = 0; i < draft->candidates; i++) {
            const struct task_candidate *one = &draft->candidate[order[i]];
            if (one->split != split) continue;
            fprintf(out, "%s\t%s\t%s\n", task_split_names[split], draft->label[one->label],
                    one->text);
        }
}

void task_draft_print(const struct task_draft *draft, FILE *out)
{
    const char **label = ARENA_ARRAY(draft->arena, const char *, draft->labels);
    memcpy(label, draft->label, sizeof *label * (size_t)draft->labels);
    qsort(label, (size_t)draft->labels, sizeof *label, compare_texts);
    const char *about =
        draft->about ? draft->about : arena_join(draft->arena, label, draft->labels, ", ");
    mask_line(out, "%-12s tr %d, va %d, te %d; %d classes: %s%s", draft->name,
              draft->each[TASK_TR] * draft->labels, draft->each[TASK_VA] * draft->labels,
              draft->each[TASK_TE] * draft->labels, draft->labels, about, draft->left);
}
