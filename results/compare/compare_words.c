/* Computes the differences of two systems by length of the reference, by frequency of words, and by
 * tags. */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/corpus/corpus_folder.h"
#include "core/decode/score_files.h"
#include "results/compare/compare_parts.h"
#include "results/sheet/number_format.h"

static struct sheet *sheet_of_buckets(struct comparison *comparison, int rows, const char *title,
                                      const char *bucket, const char *unit)
{
    const char *const header[] = {bucket, unit, "A", "B", "B - A"};
    struct sheet *sheet = sheet_headed(&comparison->arena, rows, COUNT_OF(header), header, 1);
    for (size_t i = 2; i < COUNT_OF(header); i++)
        sheet->column[i] = (struct sheet_column){header[i], SHEET_NUMBER, 2};
    sheet->title = title;
    return sheet;
}

static void sheet_bucket(struct comparison *comparison, struct sheet *sheet, int row,
                         const char *name, int64_t count, const double value[COMPARED])
{
    struct arena *arena = &comparison->arena;
    sheet_set(sheet, row, 0, name);
    sheet_set(sheet, row, 1, number_count(arena, (double)count));
    for (int i = 0; i < COMPARED; i++)
        if (count) sheet_set(sheet, row, 2 + i, number_fixed(arena, value[i], 2));
    if (count) sheet_set(sheet, row, 4, number_signed(arena, value[1] - value[0], 2));
}

/* Returns the bucket of a value. `from` has the lower ends of the buckets. Example: 0, 10 and 20
 * for the buckets "0 to 9", "10 to 19" and "20 and more". */
static int bucket_of(const int64_t *from, int buckets, int64_t value)
{
    int bucket = 0;
    while (bucket + 1 < buckets && value >= from[bucket + 1]) bucket++;
    return bucket;
}

static const char *bucket_name(struct arena *arena, const int64_t *from, int buckets, int bucket)
{
    const long long low = from[bucket];
    if (bucket + 1 == buckets) return arena_print(arena, "%lld and more", low);
    if (from[bucket + 1] == low + 1) return arena_print(arena, "%lld", low);
    return arena_print(arena, "%lld to %lld", low, (long long)from[bucket + 1] - 1);
}

struct sheet *compare_lengths(struct comparison *comparison)
{
    static const int64_t from[] = {0, 10, 20, 30, 40, 50, 60};
    enum { BUCKETS = COUNT_OF(from) };
    int64_t count[BUCKETS] = {0};
    double value[BUCKETS][COMPARED] = {{0}};
    for (int i = 0; i < COMPARED; i++) {
        const struct compare_system *system = &comparison->system[i];
        for (int run = 0; run < system->runs; run++) {
            struct bleu_stats sum[BUCKETS] = {{0}};
            for (int s = 0; s < comparison->sentences; s++) {
                const struct bleu_stats *one = &system->stats[run][s];
                const int bucket = bucket_of(from, BUCKETS, one->ref_len);
                bleu_stats_add(&sum[bucket], one);
                count[bucket] += i == 0 && run == 0;
            }
            for (int b = 0; b < BUCKETS; b++)
                value[b][i] += bleu_score(&sum[b], &comparison->bleu).score / system->runs;
        }
    }
    int rows = 0;
    for (int b = 0; b < BUCKETS; b++) rows += count[b] > 0;
    struct sheet *sheet =
        sheet_of_buckets(comparison, rows, "BLEU by words of the reference", "Words", "Sentences");
    for (int b = 0, row = 0; b < BUCKETS; b++)
        if (count[b])
            sheet_bucket(comparison, sheet, row++,
                         bucket_name(&comparison->arena, from, BUCKETS, b), count[b], value[b]);
    return sheet;
}

/* Matches words one to one. Sets found[i] to true if word i of the reference is matched to a word
 * of the hypothesis. */
static void match_words(const struct bleu_words *reference, const struct bleu_words *hypothesis,
                        bool *found)
{
    bool *used = heap_alloc((size_t)hypothesis->count + 1);
    for (int i = 0; i < reference->count; i++) {
        const struct bleu_word *word = &reference->word[i];
        found[i] = false;
        for (int k = 0; k < hypothesis->count && !found[i]; k++) {
            const struct bleu_word *other = &hypothesis->word[k];
            if (used[k] || other->bytes != word->bytes ||
                memcmp(other->text, word->text, word->bytes) != 0)
                continue;
            found[i] = used[k] = true;
        }
    }
    free(used);
}

/* A range of frequencies, or a tag, with the counts of its words for each system. The counts are of
 * words in references, words in hypotheses, and words of the references that are matched. */
struct heading {
    const char *text;
    int64_t reference[COMPARED], hypothesis[COMPARED], found[COMPARED];
};

static const int64_t frequencies[] = {0, 1, 2, 3, 5, 10, 100, 1000};
enum { FREQUENCIES = COUNT_OF(frequencies) };

/* Counts the words of all sentences by frequency in train, or by tag of the reference. */
struct word_counting {
    struct comparison *comparison;
    struct hash_table *index; /* from words to frequencies, or from tags to headings */
    struct score_lines tags;  /* path NULL: count by frequency */
    struct heading *heading;
    int headings;
};

static struct heading *heading_of_word(struct word_counting *counting, const struct bleu_word *word)
{
    const int64_t count = hash_table_get(counting->index, word->text, word->bytes);
    return &counting->heading[bucket_of(frequencies, FREQUENCIES,
                                        count == HASH_TABLE_ABSENT ? 0 : count)];
}

static struct heading *heading_of_tag(struct word_counting *counting, const char *text,
                                      size_t bytes)
{
    struct arena *arena = &counting->comparison->arena;
    const int64_t known = hash_table_get(counting->index, text, bytes);
    if (known != HASH_TABLE_ABSENT) return &counting->heading[known];
    ARENA_MORE(arena, counting->heading, counting->headings);
    const char *copy = arena_text_range(arena, text, bytes);
    hash_table_put(counting->index, copy, bytes, counting->headings);
    counting->heading[counting->headings] = (struct heading){.text = copy};
    return &counting->heading[counting->headings++];
}

/* Counts the words of a reference and of a system's hypothesis. `found` is the result of
 * match_words. */
static void add_words(struct word_counting *counting, int system,
                      const struct bleu_words *reference, const struct bleu_words *hypothesis,
                      const bool *found)
{
    for (int i = 0; i < reference->count; i++) {
        struct heading *heading = heading_of_word(counting, &reference->word[i]);
        heading->reference[system]++;
        heading->found[system] += found[i];
    }
    for (int i = 0; i < hypothesis->count; i++)
        heading_of_word(counting, &hypothesis->word[i])->hypothesis[system]++;
}

/* Counts the tagged words of a reference. Hypotheses have no tags, so each word of the reference is
 * also counted as a word of the hypothesis. F1 is then the recall: the share of words that are
 * matched. */
static void add_tags(struct word_counting *counting, int system, int sentence, int words,
                     const bool *found)
{
    const char *at = counting->tags.line[sentence];
    int tags = 0;
    for (; *(at += strspn(at, " \t\r")); tags++) {
        const size_t bytes = strcspn(at, " \t\r");
        if (tags < words) {
            struct heading *heading = heading_of_tag(counting, at, bytes);
            heading->reference[system]++;
            heading->hypothesis[system]++;
            heading->found[system] += found[tags];
        }
        at += bytes;
    }
    if (tags != words)
        die("%s:%d: %d tags; expected %d, one for each word of the reference", counting->tags.path,
            sentence + 1, tags, words);
}

static void count_words(struct word_counting *counting)
{
    const struct comparison *comparison = counting->comparison;
    SCOPED(arena_free) struct arena arena = {0};
    struct bleu_words reference = {.arena = &arena}, hypothesis = {.arena = &arena};
    for (int s = 0; s < comparison->sentences; s++) {
        bleu_tokenize(&comparison->bleu, comparison->reference[s], &reference);
        SCOPED(heap_free) bool *found = heap_alloc((size_t)reference.count + 1);
        for (int i = 0; i < COMPARED; i++)
            for (int run = 0; run < comparison->system[i].runs; run++) {
                bleu_tokenize(&comparison->bleu, comparison->system[i].hypothesis[run][s],
                              &hypothesis);
                match_words(&reference, &hypothesis, found);
                if (counting->tags.path)
                    add_tags(counting, i, s, reference.count, found);
                else
                    add_words(counting, i, &reference, &hypothesis, found);
            }
    }
}

static struct sheet *sheet_of_f1(const struct word_counting *counting, const char *title,
                                 const char *bucket)
{
    struct comparison *comparison = counting->comparison;
    struct sheet *sheet = sheet_of_buckets(comparison, counting->headings, title, bucket, "Words");
    for (int row = 0; row < counting->headings; row++) {
        const struct heading *heading = &counting->heading[row];
        double f1[COMPARED];
        for (int i = 0; i < COMPARED; i++) {
            const int64_t all = heading->reference[i] + heading->hypothesis[i];
            f1[i] = all ? 200. * (double)heading->found[i] / (double)all : 0;
        }
        sheet_bucket(comparison, sheet, row, heading->text,
                     heading->reference[0] / comparison->system[0].runs, f1);
    }
    return sheet;
}

/* Returns the frequency in train of each word of the target side, tokenized as for BLEU. */
static struct hash_table *count_train(struct comparison *comparison)
{
    const struct side *side = &comparison->corpus->split[SPLIT_TRAIN].side[SIDE_TARGET];
    struct hash_table *table = hash_table_new(&comparison->arena, 0);
    struct bleu_words words = {.arena = &comparison->arena};
    for (int s = 0; s < comparison->corpus->split[SPLIT_TRAIN].sentences; s++) {
        SCOPED(arena_free) struct arena scratch = {0};
        const int64_t begin = side->start[s], end = side->start[s + 1];
        bleu_tokenize(&comparison->bleu,
                      corpus_text(&scratch, comparison->corpus, SIDE_TARGET, side->token + begin,
                                  (int)(end - begin)),
                      &words);
        for (int w = 0; w < words.count; w++) {
            const char *text = words.word[w].text;
            const size_t bytes = words.word[w].bytes;
            if (hash_table_get(table, text, bytes) == HASH_TABLE_ABSENT)
                text = arena_text_range(&comparison->arena, text, bytes);
            ++*hash_table_at(table, text, bytes, 0);
        }
    }
    return table;
}

struct sheet *compare_frequencies(struct comparison *comparison)
{
    struct heading heading[FREQUENCIES] = {{0}};
    for (int b = 0; b < FREQUENCIES; b++)
        heading[b].text = bucket_name(&comparison->arena, frequencies, FREQUENCIES, b);
    struct word_counting counting = {.comparison = comparison,
                                     .index = count_train(comparison),
                                     .heading = heading,
                                     .headings = FREQUENCIES};
    count_words(&counting);
    return sheet_of_f1(&counting, "F1 of words by their frequency in train", "In train");
}

static int compare_headings(const void *a, const void *b)
{
    const struct heading *x = a, *y = b;
    const int64_t more = y->reference[0] - x->reference[0];
    return more ? (more > 0) - (more < 0) : strcmp(x->text, y->text);
}

struct sheet *compare_tags(struct comparison *comparison, const char *path)
{
    struct word_counting counting = {.comparison = comparison,
                                     .index = hash_table_new(&comparison->arena, 0),
                                     .tags = score_lines_read(&comparison->arena, path)};
    if (counting.tags.count != comparison->sentences)
        die("%s has %d lines; expected %d, one for each sentence, with a tag for each word of its "
            "reference",
            path, counting.tags.count, comparison->sentences);
    count_words(&counting);
    if (counting.headings)
        qsort(counting.heading, (size_t)counting.headings, sizeof *counting.heading,
              compare_headings);
    return sheet_of_f1(&counting, "Recall of the words of the reference by tag, per cent", "Tag");
}
