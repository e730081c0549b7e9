/* As BLEU: counts of sentences are summed first, and precisions are of the sums. */
#include "core/decode/ngrams.h"

#include <math.h>

static struct ngram_stats sum_of(const struct ngram_stats *stats, const uint32_t *at, int count)
{
    struct ngram_stats sum = {0};
    for (int i = 0; i < count; i++) {
        const struct ngram_stats *one = &stats[at ? at[i] : (uint32_t)i];
        sum.hyp_len += one->hyp_len;
        sum.ref_len += one->ref_len;
        for (int n = 0; n < NGRAM_ORDER; n++) {
            sum.match[n] += one->match[n];
            sum.total[n] += one->total[n];
        }
    }
    return sum;
}

struct ngram_scores ngram_score(const struct ngram_stats *stats, const uint32_t *at, int count)
{
    const struct ngram_stats sum = sum_of(stats, at, count);
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
