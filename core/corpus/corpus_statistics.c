/* Statistics of a corpus. Sentences, words and pairs are represented by spans of token ids. Sets of
 * spans find repeated and new ones. */
#include "core/corpus/corpus_statistics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mask.h"
#include "core/corpus/known_words.h"

static struct token_span sentence_of(const struct side *side, int i)
{
    return (struct token_span){side->token + side->start[i], side->start[i + 1] - side->start[i]};
}

static bool is_empty(struct token_span run)
{
    return run.count <= 1; /* <eos> alone */
}

/* Returns a percentile by nearest rank: the smallest length that at least the fraction `share` of
 * the sentences do not exceed. */
static int percentile(const int *sorted, int count, double share)
{
    int rank = (int)(share * count + 0.999999);
    return sorted[rank > 0 ? rank - 1 : 0];
}

static void measure_lengths(const struct side *side, int sentences, struct side_statistics *to)
{
    to->tokens = side->start[sentences];
    if (!sentences) return;
    SCOPED(heap_free) int *length = heap_alloc((size_t)sentences * sizeof *length);
    for (int i = 0; i < sentences; i++) length[i] = (int)sentence_of(side, i).count;
    qsort(length, (size_t)sentences, sizeof *length, compare_ints);
    to->mean = (double)to->tokens / sentences;
    to->median = percentile(length, sentences, 0.5);
    to->percentile95 = percentile(length, sentences, 0.95);
    to->longest = length[sentences - 1];
}

/* Counts the words of a side. If `fill` is true, the side belongs to train, and its words are added
 * to the set `train`. Otherwise, words that are not in `train` are counted as new. */
static void measure_words(struct side_words all, struct hash_table *train, bool fill,
                          struct side_statistics *to)
{
    for (struct token_span word; side_words_next(&all, &word); to->words++) {
        for (int64_t t = 0; t < word.count; t++) to->unknown += word.token[t] == VOCABULARY_UNK;
        if (fill)
            span_put(train, word);
        else
            to->new_words += !span_is_in(train, word);
    }
    if (to->words) to->pieces_per_word = (double)(to->tokens - all.sentences) / (double)to->words;
}

static int64_t count_shared(const struct side *side, int sentences, const struct hash_table *other)
{
    int64_t shared = 0;
    for (int i = 0; i < sentences; i++) {
        struct token_span sentence = sentence_of(side, i);
        shared += !is_empty(sentence) && span_is_in(other, sentence);
    }
    return shared;
}

static int64_t count_duplicates(const struct split *split)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct hash_table *seen = hash_table_new(&arena, (size_t)split->sentences);
    int64_t duplicates = 0;
    for (int i = 0; i < split->sentences; i++) {
        struct token_span source = sentence_of(&split->side[SIDE_SOURCE], i);
        struct token_span target = sentence_of(&split->side[SIDE_TARGET], i);
        int32_t *pair = ARENA_ARRAY(&arena, int32_t, source.count + target.count);
        memcpy(pair, source.token, (size_t)source.count * sizeof *pair);
        memcpy(pair + source.count, target.token, (size_t)target.count * sizeof *pair);
        duplicates += !span_put(seen, (struct token_span){pair, source.count + target.count});
    }
    return duplicates;
}

void corpus_statistics(const struct corpus *corpus, struct split_statistics of[SPLITS])
{
    memset(of, 0, SPLITS * sizeof *of);
    for (int split = 0; split < SPLITS; split++)
        of[split].duplicates = count_duplicates(&corpus->split[split]);
    for (int s = 0; s < SIDES; s++) {
        SCOPED(arena_free) struct arena arena = {0};
        struct hash_table *words = hash_table_new(&arena, 0);
        struct hash_table *sentences[SPLITS];
        for (int split = 0; split < SPLITS; split++) {
            int count = corpus->split[split].sentences;
            const struct side *side = &corpus->split[split].side[s];
            struct side_statistics *to = &of[split].side[s];
            measure_lengths(side, count, to);
            measure_words(side_words(&arena, side, count, &corpus->vocabulary[s]), words,
                          split == SPLIT_TRAIN, to);
            if (split != SPLIT_TRAIN)
                to->in_train = count_shared(side, count, sentences[SPLIT_TRAIN]);
            if (split == SPLIT_TEST) to->in_dev = count_shared(side, count, sentences[SPLIT_DEV]);
            sentences[split] = hash_table_new(&arena, (size_t)count);
            for (int i = 0; i < count; i++) span_put(sentences[split], sentence_of(side, i));
        }
    }
}

void corpus_statistics_print(const struct corpus *corpus, FILE *out)
{
    struct split_statistics of[SPLITS];
    corpus_statistics(corpus, of);
    mask_put(corpus->language[SIDE_SOURCE], out);
    fputs(" to ", out);
    mask_put(corpus->language[SIDE_TARGET], out);
    fprintf(out, ", %s%s, vocabulary %d", corpus->format.raw ? "raw text" : "tokens",
            corpus->format.lowercase ? ", lower-cased" : "", corpus->vocabulary[SIDE_SOURCE].size);
    if (corpus->joint)
        fputs(" (joint)\n\n", out);
    else
        fprintf(out, " and %d\n\n", corpus->vocabulary[SIDE_TARGET].size);

    fprintf(out, "%-6s %-6s %9s %11s %6s %6s %5s %5s %11s %8s %10s\n", "split", "side", "sentences",
            "tokens", "mean", "median", "95%", "max", "pieces/word", "unknown", "new words");
    for (int split = 0; split < SPLITS; split++)
        for (int s = 0; s < SIDES; s++) {
            const struct side_statistics *side = &of[split].side[s];
            fprintf(out,
                    "%-6s %-6s %9d %11" PRId64 " %6.1f %6d %5d %5d %11.3f %8" PRId64 " %10" PRId64
                    "\n",
                    s ? "" : split_names[split], side_names[s], corpus->split[split].sentences,
                    side->tokens, side->mean, side->median, side->percentile95, side->longest,
                    side->pieces_per_word, side->unknown, side->new_words);
        }

    fprintf(out, "\nduplicate pairs:");
    for (int split = 0; split < SPLITS; split++)
        fprintf(out, "%s %s %" PRId64, split ? "," : "", split_names[split], of[split].duplicates);
    fputc('\n', out);
    for (int s = 0; s < SIDES; s++)
        fprintf(out,
                "shared %s sentences: %" PRId64 " of dev in train, %" PRId64
                " of test in train, %" PRId64 " of test in dev\n",
                side_names[s], of[SPLIT_DEV].side[s].in_train, of[SPLIT_TEST].side[s].in_train,
                of[SPLIT_TEST].side[s].in_dev);
}
