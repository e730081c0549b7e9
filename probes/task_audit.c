/* Audits a probing task. Baselines predict the label without any input, from the number of tokens,
 * or from the words. Shared sentences are those in more than one split. */
#include "probes/task_audit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/hash_table.h"
#include "core/corpus/corpus_line.h"
#include "probes/folds.h"

/* ---- counted words ---- */

/* Bag-of-words baseline without any encoder. If it is nearly as accurate as a probe, the probe may
 * use only words and no structure.
 *
 * The baseline is multinomial naive Bayes over lower-cased tokens. A sentence gets the class with
 * the largest
 *     log P(class) + sum over its tokens w of log((n(w, class) + 1/2) / (n(class) + V/2))
 * P(class) is the share of the class in the lines of tr. n(w, class) is the number of times that w
 * occurs in the lines of the class in tr. n(class) is the number of tokens of these lines. V is the
 * number of different tokens of tr. If a sentence repeats a token, each occurrence counts. Tokens
 * that are not in tr are ignored. Ties are broken in favor of the first class. */
/* A word's count in the lines of a label; after learning, log(2 n + 1). */
struct word_count {
    int label;
    int next; /* index of the word's count for another label; -1: none */
    double count;
};
struct counted {
    struct arena arena;
    struct buffer lower;      /* the current sentence */
    struct hash_table *index; /* maps words of tr to indices */
    int words, counts;
    int *last; /* [words] index of the newest count of each word; -1: none so far */
    struct word_count *count;
    double *prior, *whole; /* [labels] log P(class); log(2 n(class) + V) */
};

/* Writes the indices of a sentence's words to `number` [item->tokens]. Returns the number of
 * indices. If `learn` is true, an unknown word gets the next index; otherwise it is left out. */
static int read_words(struct counted *counted, const struct task_item *item, bool learn,
                      int *number)
{
    struct buffer *lower = &counted->lower;
    buffer_clear(lower);
    line_clean((struct line_format){.raw = true, .lowercase = true}, item->text, strlen(item->text),
               lower);
    buffer_add_byte(lower, 0);
    const char *word = learn ? arena_text(&counted->arena, lower->text) : lower->text;
    int words = 0;
    for (size_t bytes; *word; word += bytes, word += *word == ' ') {
        bytes = strcspn(word, " ");
        const int64_t known = learn ? *hash_table_at(counted->index, word, bytes, counted->words)
                                    : hash_table_get(counted->index, word, bytes);
        if (known == HASH_TABLE_ABSENT) continue;
        if (known == counted->words) {
            ARENA_ADD(&counted->arena, counted->last, counted->words, -1);
        }
        number[words++] = (int)known;
    }
    return words;
}

static int compare_labels(const void *one, const void *other)
{
    return (*(const struct task_item *const *)one)->label -
           (*(const struct task_item *const *)other)->label;
}

/* Returns the items of tr, sorted. */
static const struct task_item **items_learned(const struct task_data *data,
                                              int (*compare)(const void *, const void *),
                                              struct arena *arena)
{
    const int items = data->count[TASK_TR];
    const struct task_item **item = ARENA_ARRAY(arena, const struct task_item *, items);
    for (int i = 0, tr = 0; i < data->items; i++)
        if (data->item[i].split == TASK_TR) item[tr++] = &data->item[i];
    qsort(item, (size_t)items, sizeof *item, compare);
    return item;
}

/* Counts words label by label. So either the newest count of a word belongs to the current label,
 * or the word has no count for this label yet. `number` is working memory. */
static void learn_words(struct counted *counted, const struct task_data *data, int *number)
{
    struct arena *arena = &counted->arena;
    const struct task_item **item = items_learned(data, compare_labels, arena);
    counted->prior = ARENA_ARRAY(arena, double, data->labels);
    counted->whole = ARENA_ARRAY(arena, double, data->labels);
    for (int i = 0; i < data->count[TASK_TR]; i++) {
        const int label = item[i]->label, words = read_words(counted, item[i], true, number);
        counted->prior[label]++;
        counted->whole[label] += words;
        for (int w = 0; w < words; w++) {
            int *last = &counted->last[number[w]];
            if (*last < 0 || counted->count[*last].label != label) {
                ARENA_ADD(arena, counted->count, counted->counts,
                          (struct word_count){label, *last, 0});
                *last = counted->counts - 1;
            }
            counted->count[*last].count++;
        }
    }
    for (int k = 0; k < data->labels; k++) {
        counted->prior[k] = elementary_log(counted->prior[k] / data->count[TASK_TR]);
        counted->whole[k] = elementary_log(2 * counted->whole[k] + counted->words);
    }
    for (int c = 0; c < counted->counts; c++)
        counted->count[c].count = elementary_log(2 * counted->count[c].count + 1);
}

/* Returns the class with the largest score. `score` and `number` are working memory. */
static int classify(struct counted *counted, const struct task_item *item, int labels,
                    double *score, int *number)
{
    const int words = read_words(counted, item, false, number);
    for (int k = 0; k < labels; k++) score[k] = counted->prior[k] - words * counted->whole[k];
    for (int i = 0; i < words; i++)
        for (int c = counted->last[number[i]]; c >= 0; c = counted->count[c].next)
            score[counted->count[c].label] += counted->count[c].count;
    int best = 0;
    for (int k = 1; k < labels; k++)
        if (score[k] > score[best]) best = k;
    return best;
}

static int longest_of(const struct task_data *data)
{
    int longest = 1;
    for (int i = 0; i < data->items; i++)
        if (data->item[i].tokens > longest) longest = data->item[i].tokens;
    return longest;
}

/* Returns the number of items of te that the bag-of-words baseline predicts right. */
static int counted_words_right(const struct task_data *data)
{
    struct counted counted = {0};
    int right = 0;
    int *number = ARENA_ARRAY(&counted.arena, int, longest_of(data));
    double *score = ARENA_ARRAY(&counted.arena, double, data->labels);
    counted.index = hash_table_new(&counted.arena, 0);
    learn_words(&counted, data, number);
    for (int i = 0; i < data->items; i++) {
        const struct task_item *item = &data->item[i];
        if (item->split == TASK_TE)
            right += classify(&counted, item, data->labels, score, number) == item->label;
    }
    buffer_free(&counted.lower);
    arena_free(&counted.arena);
    return right;
}

static double per_cent(const struct task_data *data, int right)
{
    return 100. * right / data->count[TASK_TE];
}

/* Returns the count of each label in each split, [TASK_SPLITS][labels]. */
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

/* Returns the number of items of te that the length baseline predicts right. The prediction is the
 * label that is most frequent in tr among sentences of the same number of tokens. If tr has no such
 * sentence, the nearest number of tokens is used. */
static int length_right(const struct task_data *data, struct arena *arena)
{
    const struct task_item **item = items_learned(data, compare_lengths, arena);
    const int items = data->count[TASK_TR], longest = longest_of(data);
    int right = 0;
    /* The index of both arrays is a number of tokens, from -longest to 2 longest. So the search for
     * the nearest number stays inside the arrays. */
    int *most = ARENA_ARRAY(arena, int, 3 * longest + 1) + longest;
    int *label = ARENA_ARRAY(arena, int, 3 * longest + 1) + longest;
    for (int i = 0, next; i < items; i = next) {
        const int tokens = item[i]->tokens;
        for (next = i; next < items && !compare_lengths(&item[i], &item[next]);) next++;
        if (next - i <= most[tokens]) continue;
        most[tokens] = next - i;
        label[tokens] = item[i]->label;
    }
    for (int i = 0; i < data->items; i++) {
        const int tokens = data->item[i].tokens;
        if (data->item[i].split != TASK_TE) continue;
        int away = 0;
        while (!most[tokens - away] && !most[tokens + away]) away++;
        right += label[most[tokens - away] ? tokens - away : tokens + away] == data->item[i].label;
    }
    return right;
}

/* ---- leaks ---- */

static int count_shared(const struct task_data *data, struct arena *arena)
{
    struct hash_table *seen =
        hash_table_new(arena, (size_t)data->items); /* maps a sentence to one bit for each split */
    int shared = 0;
    for (int i = 0; i < data->items; i++) {
        const struct task_item *item = &data->item[i];
        int64_t *splits = hash_table_at(seen, item->text, strlen(item->text), 0);
        const int64_t both = *splits | INT64_C(1) << item->split;
        const bool one_before = *splits && !(*splits & (*splits - 1));
        shared += one_before && both != *splits;
        *splits = both;
    }
    return shared;
}

struct task_audit task_audit(const struct task_data *data)
{
    SCOPED(arena_free) struct arena scratch = {0};
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
    return audit;
}

struct task_audit task_audit_folds(const struct task_data *data, int folds)
{
    SCOPED(arena_free) struct arena scratch = {0};
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
    return audit;
}
