/* Computes F1 of the words of two systems by their frequency in train, or their recall by tag. */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/corpus/corpus_folder.h"
#include "core/decode/score_files.h"
#include "results/compare/compare.h"
#include "results/sheet/number_format.h"

/* A range of frequencies, or a tag, with the counts of its words for each system. The counts are of
 * words in references, words in hypotheses, and words of the references that are matched. */
struct heading {
    const char *text;
    int64_t reference[COMPARED], hypothesis[COMPARED], found[COMPARED];
};

/* The ranges of frequencies, by their lower ends. */
static const struct frequency_range {
    int64_t from;
    const char *text;
} ranges[] = {{0, "0"},
              {1, "1"},
              {2, "2"},
              {3, "3 to 4"},
              {5, "5 to 9"},
              {10, "10 to 99"},
              {100, "100 to 999"},
              {1000, "1000 and more"}};

/* Counts the words of all sentences by frequency in train, or by tag of the reference. */
struct word_counting {
    struct comparison *comparison;
    struct hash_table *index; /* from words to frequencies, or from tags to headings */
    struct score_lines tags;  /* path NULL: count by frequency */
    struct heading *heading;
    int headings;
};

/* Matches words one to one. Sets found[i] to true if word i of the reference is matched to a word
 * of the hypothesis. */
static void match_words(const struct bleu_words *reference, const struct bleu_words *hypothesis,
                        bool *found)
{
    SCOPED(heap_free) bool *used = heap_alloc((size_t)hypothesis->count + 1);
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
}

static struct heading *heading_of_word(struct word_counting *counting, const struct bleu_word *word)
{
    const int64_t count = hash_table_get(counting->index, word->text, word->bytes);
    size_t range = 0;
    while (range + 1 < COUNT_OF(ranges) && count != HASH_TABLE_ABSENT &&
           count >= ranges[range + 1].from)
        range++;
    return &counting->heading[range];
}

static struct heading *heading_of_tag(struct word_counting *counting, const char *text,
                                      size_t bytes)
{
    struct arena *arena = &counting->comparison->arena;
    const int64_t known = hash_table_get(counting->index, text, bytes);
    if (known != HASH_TABLE_ABSENT) return &counting->heading[known];
    const char *copy = arena_text_range(arena, text, bytes);
    hash_table_put(counting->index, copy, bytes, counting->headings);
    ARENA_ADD(arena, counting->heading, counting->headings, (struct heading){.text = copy});
    return &counting->heading[counting->headings - 1];
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

/* Finds the frequency in train of each word of the target side, tokenized as for BLEU. */
static void count_train(struct word_counting *counting)
{
    struct comparison *comparison = counting->comparison;
    const struct split *train = &comparison->corpus->split[SPLIT_TRAIN];
    const struct side *side = &train->side[SIDE_TARGET];
    struct bleu_words words = {.arena = &comparison->arena};
    for (int s = 0; s < train->sentences; s++) {
        SCOPED(arena_free) struct arena scratch = {0};
        const int64_t begin = side->start[s], end = side->start[s + 1];
        bleu_tokenize(&comparison->bleu,
                      corpus_text(&scratch, comparison->corpus, SIDE_TARGET, side->token + begin,
                                  (int)(end - begin)),
                      &words);
        for (int w = 0; w < words.count; w++) {
            const char *text = words.word[w].text;
            const size_t bytes = words.word[w].bytes;
            if (hash_table_get(counting->index, text, bytes) == HASH_TABLE_ABSENT)
                text = arena_text_range(&comparison->arena, text, bytes);
            ++*hash_table_at(counting->index, text, bytes, 0);
        }
    }
}

static int compare_headings(const void *a, const void *b)
{
    const struct heading *x = a, *y = b;
    const int64_t more = y->reference[0] - x->reference[0];
    return more ? (more > 0) - (more < 0) : strcmp(x->text, y->text);
}

/* Reads the tags, or the frequencies in train, and counts the words. */
static void open_counting(struct word_counting *counting, const char *tags)
{
    struct comparison *comparison = counting->comparison;
    if (!tags) {
        for (size_t i = 0; i < COUNT_OF(ranges); i++)
            ARENA_ADD(&comparison->arena, counting->heading, counting->headings,
                      (struct heading){.text = ranges[i].text});
        count_train(counting);
        return;
    }
    counting->tags = score_lines_read(&comparison->arena, tags);
    if (counting->tags.count != comparison->sentences)
        die("%s has %d lines; expected %d, one for each sentence, with a tag for each word of its "
            "reference",
            tags, counting->tags.count, comparison->sentences);
}

struct sheet *compare_words(struct comparison *comparison, const char *tags)
{
    struct arena *arena = &comparison->arena;
    struct word_counting counting = {.comparison = comparison, .index = hash_table_new(arena, 0)};
    open_counting(&counting, tags);
    count_words(&counting);
    if (tags && counting.headings)
        qsort(counting.heading, (size_t)counting.headings, sizeof *counting.heading,
              compare_headings);
    const char *const header[] = {tags ? "Tag" : "In train", "Words", "A", "B", "B - A"};
    struct sheet *sheet = sheet_headed(arena, counting.headings, COUNT_OF(header), header, 1);
    sheet->title = tags ? "Recall of the words of the reference by tag, per cent"
                        : "F1 of words by their frequency in train";
    for (int row = 0; row < counting.headings; row++) {
        const struct heading *heading = &counting.heading[row];
        const int64_t count = heading->reference[0] / comparison->system[0].runs;
        double f1[COMPARED];
        sheet_set(sheet, row, 0, heading->text);
        sheet_set(sheet, row, 1, number_count(arena, (double)count));
        for (int i = 0; i < COMPARED; i++) {
            const int64_t all = heading->reference[i] + heading->hypothesis[i];
            f1[i] = all ? 200. * (double)heading->found[i] / (double)all : 0;
            if (count) sheet_set(sheet, row, 2 + i, number_fixed(arena, f1[i], 2));
        }
        if (count) sheet_set(sheet, row, 4, number_signed(arena, f1[1] - f1[0], 2));
    }
    return sheet;
}
