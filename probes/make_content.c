/* Makes the task WordContent. The labels are N words of middle frequency. Each sentence contains
 * exactly one of these words. */
#include <stdlib.h>
#include <string.h>

#include "core/text/tokenize.h"
#include "probes/task_makers.h"

enum { LEAST = 20 }; /* minimum sentences of tr for each word */

/* A word and its frequency. */
struct word_rank {
    const char *word;
    int64_t count;
    int32_t id; /* index into task_lines.word */
};

static int compare_ranked(const void *one, const void *other)
{
    const struct word_rank *a = one, *b = other;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    return strcmp(a->word, b->word);
}

/* Returns the words by descending frequency and sets *words to their number. Excludes punctuation
 * and tokens with a digit. */
static struct word_rank *rank_words(const struct task_lines *lines, struct arena *arena, int *words)
{
    struct word_rank *ranked = ARENA_ARRAY(arena, struct word_rank, lines->words + 1);
    *words = 0;
    for (int32_t w = 0; w < lines->words; w++) {
        const char *word = lines->word[w];
        if (word[strcspn(word, "0123456789")] || !tokenize_count(word, strlen(word), false))
            continue;
        ranked[(*words)++] = (struct word_rank){word, lines->count[w], w};
    }
    qsort(ranked, (size_t)*words, sizeof *ranked, compare_ranked);
    return ranked;
}

/* Returns the only target word of a sentence; -1 if the sentence has no target word, or more than
 * one. */
static int32_t only_target(const struct task_sentence *sentence, const bool *target)
{
    int32_t found = -1;
    for (int w = 0; w < sentence->words; w++) {
        if (!target[sentence->word[w]]) continue;
        if (found >= 0) return -1;
        found = sentence->word[w];
    }
    return found;
}

/* Makes these words the targets. Counts, for each target, the sentences with this target and no
 * other. Returns the smallest count and sets *rarest to the target with this count. */
static int choose_targets(const struct task_lines *lines, const struct word_rank *word, int words,
                          bool *target, const char **rarest, struct arena *arena)
{
    int *count = ARENA_ARRAY(arena, int, lines->words), least = lines->sentences;
    memset(target, 0, sizeof *target * (size_t)lines->words);
    for (int i = 0; i < words; i++) target[word[i].id] = true;
    for (int i = 0; i < lines->sentences; i++) {
        const int32_t found = only_target(&lines->sentence[i], target);
        if (found >= 0) count[found]++;
    }
    for (int i = 0; i < words; i++)
        if (count[word[i].id] < least) least = count[word[i].id], *rarest = word[i].word;
    return least;
}

void make_content(struct task_draft *draft, const struct task_material *from)
{
    static const int sizes[] = {1000, 500, 200, 100, 50, 20, 10}; /* candidates for N */
    const struct task_lines *lines = from->lines;
    bool *target = ARENA_ARRAY(draft->arena, bool, lines->words + 1);
    const char *rarest = "";
    int words, found = 0, size = 0, others = 0;
    const struct word_rank *rank = rank_words(lines, draft->arena, &words);
    if (draft->least > LEAST) draft->least = LEAST;
    const int need = task_draft_need(draft);
    for (size_t i = 0; i < COUNT_OF(sizes) && found < need; i++) {
        const bool last = i + 1 == COUNT_OF(sizes);
        size = sizes[i];
        if (3 * size > words || (size * LEAST > draft->items && !last)) continue;
        found = choose_targets(lines, rank + 2 * size, size, target, &rarest, draft->arena);
    }
    if (3 * size > words)
        task_draft_fail(draft, "%d different words; needed %d", words, 3 * size);
    else if (found < need)
        task_draft_fail(draft,
                        "among the %d words of rank %d to %d, \"%s\" is the only one in %d "
                        "sentences; needed %d",
                        size, 2 * size + 1, 3 * size, rarest, found, need);
    for (int i = 0; i < lines->sentences; i++) {
        const int32_t word = only_target(&lines->sentence[i], target);
        if (word < 0)
            others++;
        else
            task_draft_add(draft, lines->word[word], NULL, lines->sentence[i].text);
    }
    task_draft_leave(draft, others, "without exactly one of the words");
    draft->about = arena_print(draft->arena, "the words of rank %d to %d", 2 * size + 1, 3 * size);
}
