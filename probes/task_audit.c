/* Each guess is a function of what it may see: nothing, the number of tokens, the words. */
#include "probes/task_audit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/table.h"
#include "core/corpus/corpus_line.h"
#include "probes/folds.h"

/* ---- counted words ---- */

/* What a task's words alone tell: a classifier that counts them, without any encoder. Where it
 * comes near a probe, that probe shows words and not structure.
 *
 * Multinomial naive Bayes over lower-cased tokens. A sentence gets the class with the largest
 *     log P(class) + sum over its tokens w of log((n(w, class) + 1/2) / (n(class) + V/2))
 * with numbers of lines and tokens of tr, V different ones in all. A token that stands twice counts
 * twice; one that tr does not have counts for nothing; of equal classes the first is taken. */
/* A word in the lines of a label: how often, and once that is known, log(2 n + 1). */
struct word_count {
    int label;
    double count;
};
struct counted {
    struct arena arena;
    struct buffer lower; /* a sentence at work */
    struct table *index; /* words of tr to their numbers */
    int labels, words;
    int *token;               /* tr as numbers of words, label by label */
    int64_t *first;           /* [labels + 1] where a label's tokens begin */
    int64_t *start;           /* [words + 1] where a word's counts begin */
    struct word_count *count; /* by word, then label */
    double *prior, *whole;    /* [labels] log P(class), log(2 n(class) + V) */
};

/* The words of a sentence as numbers, [item->tokens]; returns how many. One that is not known gets
 * the next number where the sentence is learned, and is left out elsewhere. */
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
        const int64_t known = learn ? *table_at(counted->index, word, bytes, counted->words)
                                    : table_get(counted->index, word, bytes);
        if (known == TABLE_ABSENT) continue;
        if (known == counted->words) counted->words++;
        number[words++] = (int)known;
    }
    return words;
}

/* The items of tr, label by label. */
static const struct task_item **by_label(const struct task_data *data, struct arena *arena)
{
    const struct task_item **sorted =
        ARENA_ARRAY(arena, const struct task_item *, data->count[TASK_TR]);
    int *at = ARENA_ARRAY(arena, int, data->labels + 1);
    for (int i = 0; i < data->items; i++)
        if (data->item[i].split == TASK_TR) at[data->item[i].label + 1]++;
    for (int k = 0; k < data->labels; k++) at[k + 1] += at[k];
    for (int i = 0; i < data->items; i++)
        if (data->item[i].split == TASK_TR) sorted[at[data->item[i].label]++] = &data->item[i];
    return sorted;
}

static void learn_words(struct counted *counted, const struct task_data *data)
{
    const struct task_item **item = by_label(data, &counted->arena);
    int64_t tokens = 0;
    for (int i = 0; i < data->count[TASK_TR]; i++) tokens += item[i]->tokens;
    counted->token = ARENA_ARRAY(&counted->arena, int, tokens);
    counted->first = ARENA_ARRAY(&counted->arena, int64_t, counted->labels + 1);
    counted->prior = ARENA_ARRAY(&counted->arena, double, counted->labels);
    counted->whole = ARENA_ARRAY(&counted->arena, double, counted->labels);
    tokens = 0;
    for (int k = 0, i = 0; k < counted->labels; k++) {
        const int before = i;
        for (; i < data->count[TASK_TR] && item[i]->label == k; i++)
            tokens += read_words(counted, item[i], true, counted->token + tokens);
        counted->first[k + 1] = tokens;
        counted->prior[k] = elementary_log((double)(i - before) / data->count[TASK_TR]);
    }
    for (int k = 0; k < counted->labels; k++)
        counted->whole[k] = elementary_log(
            2. * (double)(counted->first[k + 1] - counted->first[k]) + counted->words);
}

/* Counts stand word by word: how many a word has is found in a first pass, what they are in a
 * second one. */
static void count_words(struct counted *counted)
{
    int *label =
        ARENA_ARRAY(&counted->arena, int, counted->words); /* in which it was last, from 1 */
    int64_t *start = counted->start = ARENA_ARRAY(&counted->arena, int64_t, counted->words + 1);
    for (int k = 0; k < counted->labels; k++)
        for (int64_t t = counted->first[k]; t < counted->first[k + 1]; t++) {
            const int word = counted->token[t];
            start[word + 1] += label[word] != k + 1;
            label[word] = k + 1;
        }
    for (int word = 0; word < counted->words; word++) start[word + 1] += start[word];
    counted->count = ARENA_ARRAY(&counted->arena, struct word_count, start[counted->words]);
    int64_t *end = ARENA_ARRAY(&counted->arena, int64_t, counted->words);
    memcpy(end, start, sizeof *end * (size_t)counted->words);
    for (int k = 0; k < counted->labels; k++)
        for (int64_t t = counted->first[k]; t < counted->first[k + 1]; t++) {
            const int word = counted->token[t];
            struct word_count *last = counted->count + end[word];
            if (end[word] == start[word] || last[-1].label != k) {
                *last++ = (struct word_count){.label = k};
                end[word]++;
            }
            last[-1].count++;
        }
    for (int64_t c = 0; c < start[counted->words]; c++)
        counted->count[c].count = elementary_log(2 * counted->count[c].count + 1);
}

/* The class of the largest score; `score` and `number` are room for it. */
static int classify(struct counted *counted, const struct task_item *item, double *score,
                    int *number)
{
    const int words = read_words(counted, item, false, number);
    for (int k = 0; k < counted->labels; k++)
        score[k] = counted->prior[k] - words * counted->whole[k];
    for (int i = 0; i < words; i++)
        for (int64_t c = counted->start[number[i]]; c < counted->start[number[i] + 1]; c++)
            score[counted->count[c].label] += counted->count[c].count;
    int best = 0;
    for (int k = 1; k < counted->labels; k++)
        if (score[k] > score[best]) best = k;
    return best;
}

/* How many items of te it gets right. */
static int counted_words_right(const struct task_data *data)
{
    struct counted counted = {.labels = data->labels};
    counted.index = table_new(&counted.arena, 0);
    learn_words(&counted, data);
    count_words(&counted);
    int longest = 1, right = 0;
    for (int i = 0; i < data->items; i++)
        if (data->item[i].tokens > longest) longest = data->item[i].tokens;
    double *score = ARENA_ARRAY(&counted.arena, double, counted.labels);
    int *number = ARENA_ARRAY(&counted.arena, int, longest);
    for (int i = 0; i < data->items; i++)
        if (data->item[i].split == TASK_TE)
            right += classify(&counted, &data->item[i], score, number) == data->item[i].label;
    buffer_free(&counted.lower);
    arena_free(&counted.arena);
    return right;
}

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
