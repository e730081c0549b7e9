/* Makes the task TreeDepth. Sentences are chosen in sets. A set has one sentence of each depth. The
 * sentences of a set have the same length, so that length is independent of depth. They are in the
 * same split. */
#include <stdlib.h>
#include <string.h>

#include "probes/task_makers.h"

enum { MOST_DEPTH = 30, FEWEST_DEPTHS = 3, STEP_ORDER = 0 };

struct depth_counts {
    int sentences[TASK_MOST_WORDS + 1][MOST_DEPTH + 1]; /* by number of words and depth */
};

/* Returns the number of sets of sentences of `words` words that cover depths `low` to `high`. */
static int sets_of(const struct depth_counts *count, int words, int low, int high)
{
    int sets = count->sentences[words][low];
    for (int depth = low + 1; depth <= high; depth++)
        if (count->sentences[words][depth] < sets) sets = count->sentences[words][depth];
    return sets;
}

static int all_sets(const struct depth_counts *count, int low, int high)
{
    int sets = 0;
    for (int words = 0; words <= TASK_MOST_WORDS; words++) sets += sets_of(count, words, low, high);
    return sets;
}

/* Finds the widest range of depths with at least `need` sets; if there is none, the range with the
 * most sets. Of equally wide ranges, the one with the most sets is chosen. Returns the number of
 * sets. */
static int choose_range(const struct depth_counts *count, int need, int *low, int *high)
{
    int best = -1;
    for (int width = MOST_DEPTH; width >= FEWEST_DEPTHS && best < need; width--)
        for (int first = 1; first + width - 1 <= MOST_DEPTH; first++) {
            const int sets = all_sets(count, first, first + width - 1);
            if (sets <= best) continue;
            best = sets;
            *low = first;
            *high = first + width - 1;
        }
    return best;
}

void make_depth(struct task_draft *draft, const struct task_material *from)
{
    const struct task_lines *lines = from->lines;
    struct depth_counts *count = ARENA_NEW(draft->arena, struct depth_counts),
                        *had = ARENA_NEW(draft->arena, struct depth_counts);
    int32_t *order = ARENA_ARRAY(draft->arena, int32_t, lines->sentences + 1);
    int low = 0, high = 0, left = 0;
    for (int i = 0; i < lines->sentences; i++) {
        const int depth = task_material_tree(from, &lines->sentence[i])->depth;
        if (depth <= MOST_DEPTH) count->sentences[lines->sentence[i].words][depth]++;
    }
    const int need = task_draft_need(draft), sets = choose_range(count, need, &low, &high);
    if (sets < need)
        task_draft_fail(draft,
                        "each of the depths %d to %d has %d sentences with the lengths of the "
                        "other depths; needed %d",
                        low, high, sets, need);
    random_permute(draft->key, STEP_ORDER, order, lines->sentences);
    for (int i = 0; i < lines->sentences; i++) {
        const struct task_sentence *sentence = &lines->sentence[order[i]];
        const int words = sentence->words, depth = task_material_tree(from, sentence)->depth;
        const bool fits = depth >= low && depth <= high;
        const int set = fits ? had->sentences[words][depth]++ : 0;
        if (fits && set < sets_of(count, words, low, high))
            task_draft_add(draft, arena_print(draft->arena, "%d", depth),
                           arena_print(draft->arena, "%d %d", words, set), sentence->text);
        else
            left++;
    }
    task_draft_leave(draft, left,
                     "of other depths, or without a sentence of the same length for each depth");
}
