/* Makes the tasks Length and BigramShift. */
#include <string.h>

#include "probes/task_makers.h"

void make_length(struct task_draft *draft, const struct task_material *from)
{
    static const int last[] = {8, 12, 16, 20, 25, TASK_MOST_WORDS}; /* maximum words of each bin */
    const struct task_lines *lines = from->lines;
    int bin[TASK_MOST_WORDS + 1] = {0}, count[COUNT_OF(last)] = {0};
    for (int words = 1; words <= TASK_MOST_WORDS; words++)
        bin[words] = bin[words - 1] + (words - 1 == last[bin[words - 1]]);
    for (int i = 0; i < lines->sentences; i++) count[bin[lines->sentence[i].words]]++;
    for (int b = 0; b < (int)COUNT_OF(last); b++) {
        const bool rare = count[b] < task_draft_need(draft);
        const char *label = arena_print(draft->arena, "%d", b);
        for (int i = 0; i < lines->sentences && !rare; i++)
            if (bin[lines->sentence[i].words] == b)
                task_draft_add(draft, label, NULL, lines->sentence[i].text);
        if (rare)
            task_draft_leave(draft, count[b], "of class %d, which needs %d", b,
                             task_draft_need(draft));
    }
}

bool make_either(struct task_draft *draft, const struct task_lines *lines, int index, uint32_t step,
                 const int32_t *word, const char *label, const char *group)
{
    const struct task_sentence *sentence = &lines->sentence[index];
    if (!task_draft_random(draft, index, step, 2))
        return task_draft_add(draft, "O", NULL, sentence->text);
    const char *text = task_lines_join(draft->arena, lines, word, sentence->words);
    return hash_table_get(lines->known, text, strlen(text)) == HASH_TABLE_ABSENT &&
           task_draft_add(draft, label, group, text);
}

void make_shift(struct task_draft *draft, const struct task_material *from)
{
    enum { STEP_SHIFTED, STEP_PLACE };
    const struct task_lines *lines = from->lines;
    int same = 0, known = 0;
    for (int i = 0; i < lines->sentences; i++) {
        const struct task_sentence *sentence = &lines->sentence[i];
        const int at = task_draft_random(draft, i, STEP_PLACE, sentence->words - 2);
        int32_t word[TASK_MOST_WORDS];
        memcpy(word, sentence->word, sizeof *word * (size_t)sentence->words);
        word[at] = sentence->word[at + 1];
        word[at + 1] = sentence->word[at];
        if (word[at] == word[at + 1])
            same++;
        else
            known += !make_either(draft, lines, i, STEP_SHIFTED, word, "I", NULL);
    }
    task_draft_leave(draft, same, "whose two words are equal");
    task_draft_leave(draft, known,
                     "that equal another sentence of the text with two words swapped");
}
