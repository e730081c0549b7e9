/* N-gram precisions. As in BLEU, the counts of sentences are summed first. */
#include "core/decode/ngram_scores.h"

#include <math.h>
#include <stdlib.h>

#include "core/decode/resample.h"

struct ngram_scores ngram_score(const struct bleu_stats *stats, const uint32_t *at, int count)
{
    struct bleu_stats sum = {0};
    for (int i = 0; i < count; i++) bleu_stats_add(&sum, &stats[at ? at[i] : (uint32_t)i]);
    const double bp = bleu_brevity(sum.hyp_len, sum.ref_len);
    struct ngram_scores scores;
    double half = 1, logs = 0;
    for (int n = 0; n < NGRAM_ORDER; n++) {
        const double total = (double)sum.total[n];
        double match = (double)sum.match[n];
        if (sum.total[n] && !sum.match[n]) match = half /= 2;
        const double share = sum.total[n] ? match / total : (double)NAN;
        logs += log(share);
        scores.individual[n] = 100 * share;
        scores.cumulative[n] = 100 * bp * exp(logs / (n + 1));
    }
    return scores;
}

/* Computes the difference of each order, gap [NGRAM_ORDER], for the sample `at`. If `at` is NULL,
 * uses all sentences. */
static void compare(const struct ngram_runs *ours, const struct ngram_runs *base,
                    const uint32_t *at, bool cumulative, double *gap)
{
    const struct ngram_runs *const of[] = {ours, base};
    double value[2][NGRAM_ORDER] = {{0}};
    for (int k = 0; k < 2; k++)
        for (int r = 0; r < of[k]->runs; r++) {
            const struct ngram_scores one = ngram_score(of[k]->stats[r], at, of[k]->items);
            for (int n = 0; n < NGRAM_ORDER; n++)
                value[k][n] += (cumulative ? one.cumulative[n] : one.individual[n]) / of[k]->runs;
        }
    for (int n = 0; n < NGRAM_ORDER; n++) gap[n] = value[0][n] - value[1][n];
}

struct ngram_gap ngram_compare(const struct ngram_runs *ours, const struct ngram_runs *base,
                               bool cumulative, int samples, uint64_t seed)
{
    struct pcg64 random = pcg64_seed(seed);
    SCOPED(heap_free) uint32_t *at = heap_alloc(sizeof *at * (size_t)base->items);
    double *sample = heap_alloc(sizeof *sample * NGRAM_ORDER * (size_t)samples), one[NGRAM_ORDER];
    struct ngram_gap gap;
    compare(ours, base, NULL, cumulative, gap.value);
    for (int k = 0; k < samples; k++) {
        for (int i = 0; i < base->items; i++) at[i] = pcg64_below(&random, (uint32_t)base->items);
        compare(ours, base, at, cumulative, one);
        for (int n = 0; n < NGRAM_ORDER; n++) sample[n * samples + k] = one[n];
    }
    for (int n = 0; n < NGRAM_ORDER; n++) {
        double *of = sample + n * samples;
        int known = 0;
        while (known < samples && isfinite(of[known])) known++;
        gap.low[n] = gap.high[n] = (double)NAN;
        if (known < samples) continue;
        resample_sort(of, samples);
        resample_middle(of, samples, &gap.low[n], &gap.high[n]);
    }
    free(sample);
    return gap;
}
