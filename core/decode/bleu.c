/* BLEU. The n-grams of each sentence are counted once. All scores, of a corpus, a sentence or a
 * resample, are computed from sums of these counts. */
#include "core/decode/bleu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/symbols.h"

struct bleu_counter {
    struct arena arena; /* memory of everything except `grams` */
    struct bleu_options options;
    int order;               /* number of words of the longest n-grams */
    struct bleu_words *text; /* [texts] hypothesis, references */
    int texts;
    struct hash_table *word; /* word -> symbol, for the current sentence */
    struct symbols symbols;  /* current text */
    struct grams grams;
};

struct bleu_counter *bleu_counter_open(const struct bleu_options *options, int order)
{
    if (options->lowercase && options->metric != BLEU_MULTI_BLEU)
        die("--lowercase needs multi-bleu: sacreBLEU lower-cases all of Unicode, sanlab only "
            "ASCII");
    struct bleu_counter *counter = heap_alloc(sizeof *counter);
    counter->options = *options;
    counter->order = order;
    counter->word = hash_table_new(&counter->arena, 0);
    counter->symbols.arena = &counter->arena;
    return counter;
}

void bleu_counter_close(struct bleu_counter *counter)
{
    arena_free(&counter->arena);
    grams_free(&counter->grams);
    free(counter);
}

static void count_words(struct bleu_counter *counter, const struct bleu_words *text)
{
    counter->symbols.count = 0;
    for (int i = 0; i < text->count; i++)
        symbols_add_word(&counter->symbols, counter->word, text->word[i].text, text->word[i].bytes);
    grams_count(&counter->grams, &counter->symbols, counter->order);
}

static int nearest_length(const struct bleu_words *reference, int references, int length)
{
    int nearest = reference[0].count;
    for (int r = 1; r < references; r++) {
        int count = reference[r].count;
        int far = abs(count - length), best = abs(nearest - length);
        if (far < best || (far == best && count < nearest)) nearest = count;
    }
    return nearest;
}

struct bleu_stats bleu_count(struct bleu_counter *counter, const char *hypothesis,
                             const char *const *reference, int references)
{
    CHECK(references > 0, "BLEU without a reference");
    int texts = references + 1;
    if (texts > counter->texts) {
        counter->text = ARENA_ARRAY(&counter->arena, struct bleu_words, texts);
        for (int i = 0; i < texts; i++) counter->text[i].arena = &counter->arena;
        counter->texts = texts;
    }
    struct bleu_words *text = counter->text;
    size_t words = 0;
    for (int i = 0; i < texts; i++) {
        bleu_tokenize(&counter->options, i ? reference[i - 1] : hypothesis, &text[i]);
        words += (size_t)text[i].count;
    }

    hash_table_clear(counter->word, words);
    grams_clear(&counter->grams, words, counter->order);
    for (int r = 1; r < texts; r++) {
        count_words(counter, &text[r]);
        grams_keep(&counter->grams);
    }
    count_words(counter, &text[0]);

    struct bleu_stats stats = {
        .hyp_len = text[0].count,
        .ref_len = nearest_length(text + 1, references, text[0].count),
    };
    for (int32_t id = 1; id < counter->grams.count; id++) {
        const struct gram *gram = &counter->grams.gram[id];
        stats.total[gram->order - 1] += gram->here;
        stats.match[gram->order - 1] += gram->here < gram->most ? gram->here : gram->most;
    }
    return stats;
}

void bleu_stats_add(struct bleu_stats *sum, const struct bleu_stats *one)
{
    sum->hyp_len += one->hyp_len;
    sum->ref_len += one->ref_len;
    for (int n = 0; n < NGRAM_ORDER; n++) {
        sum->match[n] += one->match[n];
        sum->total[n] += one->total[n];
    }
}

static bool is_matched(const struct bleu_stats *stats)
{
    bool matched = false;
    for (int n = 0; n < BLEU_ORDER; n++) matched |= stats->match[n] > 0;
    return matched;
}

/* Brevity penalty for hypotheses that are shorter than the reference (Papineni et al. 2002, 2.2.2).
 * Precision alone would reward short hypotheses, and recall is undefined with several
 * references. */
double bleu_brevity(int64_t hyp_len, int64_t ref_len)
{
    const double c = (double)hyp_len, r = (double)ref_len;
    if (c >= r) return 1;
    return c > 0 ? exp(1 - r / c) : 0;
}

/* Precisions in percent, as in sacreBLEU, so that rounded digits agree. The loop stops at the first
 * order without n-grams. Its precision stays 0, so the score is 0, except with `effective`.
 * Exponential smoothing gives 1/2^k matches to the k-th order without a match (Chen and Cherry
 * 2014, smoothing 3). Otherwise one precision of 0 would make the geometric mean 0. */
static void precisions_smoothed(const struct bleu_stats *stats, bool exponential, bool single,
                                struct bleu *bleu)
{
    double guess = 1;
    for (int n = 0; n < BLEU_ORDER && stats->total[n] > 0; n++) {
        const double match = rounded(single, (double)stats->match[n]);
        const double total = rounded(single, (double)stats->total[n]);
        if (match > 0)
            bleu->precision[n] = rounded(single, rounded(single, 100 * match) / total);
        else if (exponential)
            bleu->precision[n] = rounded(single, 100 / rounded(single, (guess *= 2) * total));
    }
}

static double log_or_less(double value)
{
    return value > 0 ? log(value) : -9999999999.; /* exp of this number is 0 */
}

double bleu_sentence(const struct bleu_stats *stats)
{
    return bleu_score(stats, &(struct bleu_options){.smoothing = BLEU_EXP, .effective = true})
        .score;
}

struct bleu bleu_score(const struct bleu_stats *stats, const struct bleu_options *options)
{
    return bleu_resampled(stats, options, false);
}

struct bleu bleu_resampled(const struct bleu_stats *stats, const struct bleu_options *options,
                           bool single)
{
    const double c = (double)stats->hyp_len, r = (double)stats->ref_len;
    struct bleu bleu = {.hyp_len = stats->hyp_len,
                        .ref_len = stats->ref_len,
                        .bp = bleu_brevity(stats->hyp_len, stats->ref_len),
                        .ratio = r > 0 ? c / r : 0};
    double logs = 0;
    if (!is_matched(stats)) return bleu;
    /* Computes with fractions, and multiplies by 100 at the end. */
    if (options->metric == BLEU_MULTI_BLEU) {
        for (int n = 0; n < BLEU_ORDER; n++) {
            double total = (double)stats->total[n];
            double share = total > 0 ? (double)stats->match[n] / total : 0;
            bleu.precision[n] = 100 * share;
            logs += log_or_less(share);
        }
        bleu.score = 100 * (bleu.bp * exp(logs / BLEU_ORDER));
    } else {
        int orders = 0;
        precisions_smoothed(stats, options->smoothing == BLEU_EXP, single, &bleu);
        for (; orders < BLEU_ORDER && (!options->effective || stats->total[orders] > 0); orders++)
            logs += log_or_less(bleu.precision[orders]);
        bleu.score = bleu.bp * exp(logs / orders);
    }
    return bleu;
}

struct bleu bleu_corpus(const struct bleu_options *options, const char *const *hypothesis,
                        const char *const *const *reference, int references, int count,
                        struct bleu_stats *stats)
{
    struct bleu_counter *counter = bleu_counter_open(options, BLEU_ORDER);
    SCOPED(heap_free) const char **line = heap_alloc(sizeof *line * (size_t)references);
    struct bleu_stats sum = {0};
    for (int i = 0; i < count; i++) {
        for (int r = 0; r < references; r++) line[r] = reference[r][i];
        struct bleu_stats one = bleu_count(counter, hypothesis[i], line, references);
        if (stats) stats[i] = one;
        bleu_stats_add(&sum, &one);
    }
    bleu_counter_close(counter);
    return bleu_score(&sum, options);
}
