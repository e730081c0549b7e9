/* Where two systems differ: by the length of sentences, by how frequent words are, by tags. */
#include <stdlib.h>
#include <string.h>

#include "core/base/table.h"
#include "core/corpus/corpus.h"
#include "core/decode/score.h"
#include "results/compare/compare_parts.h"
#include "results/sheet/number.h"

static struct sheet *sheet_of_buckets(struct comparison *comparison, int rows, const char *title,
                                      const char *bucket, const char *unit)
{
    struct arena *arena = &comparison->arena;
    const struct sheet_column columns[] = {{bucket, SHEET_LEFT, 0},
                                           {unit, SHEET_RIGHT, 0},
                                           {"A", SHEET_NUMBER, 2},
                                           {"B", SHEET_NUMBER, 2},
                                           {"B - A", SHEET_NUMBER, 2}};
    struct sheet *sheet = sheet_new(arena, rows, COUNT_OF(columns));
    memcpy(sheet->column, columns, sizeof columns);
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

/* Buckets by their lower ends: "10 to 19", and the last one "60 and more". */
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

/* found[i]: the i-th word of the reference has one in the hypothesis that is no other word's. */
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

/* A hypothesis of a sentence with its reference, in words. */
struct match {
    int system, sentence;
    struct bleu_words reference, hypothesis;
    bool *found; /* [reference.count] as match_words says */
};

static void every_match(struct comparison *comparison,
                        void (*take)(void *context, const struct match *match), void *context)
{
    struct match match = {0};
    for (; match.sentence < comparison->sentences; match.sentence++) {
        bleu_tokenize(&comparison->bleu, comparison->reference[match.sentence], &match.reference);
        match.found = heap_alloc((size_t)match.reference.count + 1);
        for (match.system = 0; match.system < COMPARED; match.system++) {
            const struct compare_system *system = &comparison->system[match.system];
            for (int run = 0; run < system->runs; run++) {
                bleu_tokenize(&comparison->bleu, system->hypothesis[run][match.sentence],
                              &match.hypothesis);
                match_words(&match.reference, &match.hypothesis, match.found);
                take(context, &match);
            }
        }
        free(match.found);
    }
    bleu_words_free(&match.reference);
    bleu_words_free(&match.hypothesis);
}

/* Words of a bucket in references and hypotheses, and how many of each are in the other. */
struct word_counts {
    int64_t reference[COMPARED], hypothesis[COMPARED], found[COMPARED];
};

static void sheet_f1(struct comparison *comparison, struct sheet *sheet, int row, const char *name,
                     const struct word_counts *counts)
{
    double f1[COMPARED];
    for (int i = 0; i < COMPARED; i++) {
        const int64_t all = counts->reference[i] + counts->hypothesis[i];
        f1[i] = all ? 200. * (double)counts->found[i] / (double)all : 0;
    }
    sheet_bucket(comparison, sheet, row, name, counts->reference[0] / comparison->system[0].runs,
                 f1);
}

/* How often train has each word of the target side, in the words of the metric. */
static struct table *count_train(struct comparison *comparison)
{
    const struct side *side = &comparison->corpus->split[SPLIT_TRAIN].side[SIDE_TARGET];
    struct table *table = table_new(&comparison->arena, 0);
    struct bleu_words words = {0};
    for (int s = 0; s < comparison->corpus->split[SPLIT_TRAIN].sentences; s++) {
        struct arena scratch = {0};
        const int64_t begin = side->start[s], end = side->start[s + 1];
        bleu_tokenize(&comparison->bleu,
                      corpus_text(&scratch, comparison->corpus, SIDE_TARGET, side->token + begin,
                                  (int)(end - begin)),
                      &words);
        for (int w = 0; w < words.count; w++) {
            const char *text = words.word[w].text;
            const size_t bytes = words.word[w].bytes;
            if (table_get(table, text, bytes) == TABLE_ABSENT)
                text = arena_text_range(&comparison->arena, text, bytes);
            ++*table_at(table, text, bytes, 0);
        }
        arena_free(&scratch);
    }
    bleu_words_free(&words);
    return table;
}

static const int64_t frequencies[] = {0, 1, 2, 3, 5, 10, 100, 1000};
enum { FREQUENCIES = COUNT_OF(frequencies) };

struct frequency_counts {
    const struct table *train;
    struct word_counts bucket[FREQUENCIES];
};

static struct word_counts *bucket_of_word(struct frequency_counts *counts,
                                          const struct bleu_word *word)
{
    const int64_t count = table_get(counts->train, word->text, word->bytes);
    return &counts->bucket[bucket_of(frequencies, FREQUENCIES, count == TABLE_ABSENT ? 0 : count)];
}

static void take_frequencies(void *context, const struct match *match)
{
    for (int i = 0; i < match->reference.count; i++) {
        struct word_counts *counts = bucket_of_word(context, &match->reference.word[i]);
        counts->reference[match->system]++;
        counts->found[match->system] += match->found[i];
    }
    for (int i = 0; i < match->hypothesis.count; i++)
        bucket_of_word(context, &match->hypothesis.word[i])->hypothesis[match->system]++;
}

struct sheet *compare_frequencies(struct comparison *comparison)
{
    struct frequency_counts counts = {.train = count_train(comparison)};
    every_match(comparison, take_frequencies, &counts);
    struct sheet *sheet = sheet_of_buckets(
        comparison, FREQUENCIES, "F1 of words by how often train has them", "In train", "Words");
    for (int b = 0; b < FREQUENCIES; b++)
        sheet_f1(comparison, sheet, b, bucket_name(&comparison->arena, frequencies, FREQUENCIES, b),
                 &counts.bucket[b]);
    return sheet;
}

/* A tag's words in hypotheses are as many as in references: F1 is the share that was found. */
struct tag {
    const char *text;
    struct word_counts counts;
};

struct tag_counts {
    struct arena *arena;
    const struct score_lines *lines;
    struct table *index;
    struct tag *tag;
    int tags;
};

static struct tag *tag_of(struct tag_counts *counts, const char *text, size_t bytes)
{
    const int64_t known = table_get(counts->index, text, bytes);
    if (known != TABLE_ABSENT) return &counts->tag[known];
    ARENA_MORE(counts->arena, counts->tag, counts->tags);
    const char *copy = arena_text_range(counts->arena, text, bytes);
    table_put(counts->index, copy, bytes, counts->tags);
    counts->tag[counts->tags] = (struct tag){.text = copy};
    return &counts->tag[counts->tags++];
}

static void take_tags(void *context, const struct match *match)
{
    struct tag_counts *counts = context;
    const char *at = counts->lines->line[match->sentence];
    int tags = 0;
    for (; *(at += strspn(at, " \t\r")); tags++) {
        const size_t bytes = strcspn(at, " \t\r");
        if (tags < match->reference.count) {
            struct word_counts *words = &tag_of(counts, at, bytes)->counts;
            words->reference[match->system]++;
            words->hypothesis[match->system]++;
            words->found[match->system] += match->found[tags];
        }
        at += bytes;
    }
    if (tags != match->reference.count)
        die("%s:%d: %d tags, the reference has %d words", counts->lines->path, match->sentence + 1,
            tags, match->reference.count);
}

static int compare_tag_counts(const void *a, const void *b)
{
    const struct tag *x = a, *y = b;
    const int64_t more = y->counts.reference[0] - x->counts.reference[0];
    return more ? (more > 0) - (more < 0) : strcmp(x->text, y->text);
}

struct sheet *compare_tags(struct comparison *comparison, const char *path)
{
    const struct score_lines lines = score_lines_read(&comparison->arena, path);
    if (lines.count != comparison->sentences)
        die("%s has %d lines, expected %d: one for every sentence, with a tag for every word of "
            "its "
            "reference",
            path, lines.count, comparison->sentences);
    struct tag_counts counts = {
        .arena = &comparison->arena, .lines = &lines, .index = table_new(&comparison->arena, 0)};
    every_match(comparison, take_tags, &counts);
    if (counts.tags) qsort(counts.tag, (size_t)counts.tags, sizeof *counts.tag, compare_tag_counts);
    struct sheet *sheet =
        sheet_of_buckets(comparison, counts.tags,
                         "Words of the reference that are found, per cent, by tag", "Tag", "Words");
    for (int t = 0; t < counts.tags; t++)
        sheet_f1(comparison, sheet, t, counts.tag[t].text, &counts.tag[t].counts);
    return sheet;
}
