#include "core/decode/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sentence's statistics side by side, so that a sum is two vector additions. */
enum { LANES = 16, HYP_LEN = 0, REF_LEN, MATCH, TOTAL = MATCH + BLEU_ORDER };

struct counts {
    int32_t lane[LANES];
};

static void counts_add(struct counts *sum, const struct counts *one)
{
    for (int i = 0; i < LANES; i++) sum->lane[i] += one->lane[i];
}

static struct counts counts_of(const struct bleu_stats *stats)
{
    struct counts counts = {
        {[HYP_LEN] = (int32_t)stats->hyp_len, [REF_LEN] = (int32_t)stats->ref_len}};
    for (int n = 0; n < BLEU_ORDER; n++) {
        counts.lane[MATCH + n] = (int32_t)stats->match[n];
        counts.lane[TOTAL + n] = (int32_t)stats->total[n];
    }
    return counts;
}

static struct bleu_stats stats_of(const struct counts *counts)
{
    struct bleu_stats stats = {.hyp_len = counts->lane[HYP_LEN], .ref_len = counts->lane[REF_LEN]};
    for (int n = 0; n < BLEU_ORDER; n++) {
        stats.match[n] = counts->lane[MATCH + n];
        stats.total[n] = counts->lane[TOTAL + n];
    }
    return stats;
}

/* Every sentence of every run, [runs][sentences]. No sum of as many sentences overflows. */
static struct counts *counts_all(const struct resample_runs *runs)
{
    struct counts *all = heap_alloc(sizeof *all * (size_t)runs->runs * (size_t)runs->sentences);
    for (int r = 0; r < runs->runs; r++)
        for (int s = 0; s < runs->sentences; s++) {
            const struct bleu_stats *one = &runs->stats[r][s];
            const int64_t most = INT32_MAX / runs->sentences;
            CHECK(one->hyp_len <= most && one->ref_len <= most, "sentence %d has %lld words", s,
                  (long long)one->hyp_len);
            all[(size_t)r * (size_t)runs->sentences + (size_t)s] = counts_of(one);
        }
    return all;
}

/* sacreBLEU's score of a resample: precisions are single, what follows is double. */
static double score_single(const struct bleu_stats *stats, const struct bleu_options *options)
{
    if (options->metric != BLEU_SACREBLEU) return bleu_score(stats, options).score;
    const double c = (double)stats->hyp_len, r = (double)stats->ref_len;
    float precision[BLEU_ORDER] = {0}, guess = 1;
    bool matched = false;
    for (int n = 0; n < BLEU_ORDER; n++) matched |= stats->match[n] > 0;
    if (!matched) return 0;
    for (int n = 0; n < BLEU_ORDER && stats->total[n] > 0; n++) {
        const float total = (float)stats->total[n];
        if (stats->match[n] > 0)
            precision[n] = 100 * (float)stats->match[n] / total;
        else if (options->smoothing == BLEU_EXP)
            precision[n] = 100 / ((guess *= 2) * total);
    }
    double logs = 0;
    for (int n = 0; n < BLEU_ORDER; n++) {
        if (!(precision[n] > 0)) return 0;
        logs += log((double)precision[n]);
    }
    return (c < r ? exp(1 - r / c) : 1) * exp(logs / BLEU_ORDER);
}

void resample_bootstrap(const struct resample_runs *runs, struct pcg64 *random, int samples,
                        double *score)
{
    const size_t sentences = (size_t)runs->sentences;
    struct counts *all = counts_all(runs);
    uint32_t *drawn = heap_alloc(sizeof *drawn * sentences);
    for (int b = 0; b < samples; b++) {
        for (size_t s = 0; s < sentences; s++)
            drawn[s] = pcg64_below(random, (uint32_t)runs->sentences);
        for (int r = 0; r < runs->runs; r++) {
            const struct counts *run = all + (size_t)r * sentences;
            struct counts sum = {{0}};
            for (size_t s = 0; s < sentences; s++) counts_add(&sum, &run[drawn[s]]);
            const struct bleu_stats stats = stats_of(&sum);
            score[(size_t)r * (size_t)samples + (size_t)b] = score_single(&stats, runs->options);
        }
    }
    free(drawn);
    free(all);
}

/* NumPy's integers(2, dtype=bool): 32 coins of a draw, the lowest bit first. */
struct coins {
    struct pcg64 *random;
    uint32_t bits;
    int left;
};

static bool coin_toss(struct coins *coins)
{
    if (coins->left) {
        coins->bits >>= 1;
        coins->left--;
    } else {
        coins->bits = pcg64_next_half(coins->random);
        coins->left = 31;
    }
    return coins->bits & 1;
}

void resample_swap(const struct resample_runs *runs, struct pcg64 *random, int trials,
                   double *difference)
{
    const int pairs = runs->runs / 2;
    CHECK(runs->runs == 2 * pairs, "%d runs make no pairs", runs->runs);
    const size_t sentences = (size_t)runs->sentences;
    struct counts *all = counts_all(runs);
    struct counts *a = all, *b = all + (size_t)pairs * sentences;
    /* What side a has if all have changed, and what each sentence brings that stays; side b has the
     * rest. */
    struct counts *changed = heap_alloc(sizeof *changed * (size_t)pairs),
                  *both = heap_alloc(sizeof *both * (size_t)pairs);
    for (size_t p = 0; p < (size_t)pairs; p++)
        for (size_t s = 0; s < sentences; s++) {
            struct counts *ours = &a[p * sentences + s], *theirs = &b[p * sentences + s];
            counts_add(&changed[p], theirs);
            counts_add(&both[p], theirs);
            counts_add(&both[p], ours);
            for (int i = 0; i < LANES; i++) ours->lane[i] -= theirs->lane[i];
        }
    int32_t *stays = heap_alloc(sizeof *stays * sentences); /* all bits, or none */
    struct coins coins = {.random = random};
    for (int t = 0; t < trials; t++) {
        for (size_t s = 0; s < sentences; s++) stays[s] = -(int32_t)coin_toss(&coins);
        double sum = 0;
        for (size_t p = 0; p < (size_t)pairs; p++) {
            struct counts side = changed[p], other = both[p];
            for (size_t s = 0; s < sentences; s++)
                for (int i = 0; i < LANES; i++)
                    side.lane[i] += a[p * sentences + s].lane[i] & stays[s];
            for (int i = 0; i < LANES; i++) other.lane[i] -= side.lane[i];
            const struct bleu_stats ours = stats_of(&side), theirs = stats_of(&other);
            sum +=
                bleu_score(&theirs, runs->options).score - bleu_score(&ours, runs->options).score;
        }
        difference[t] = sum / pairs;
    }
    free(stays);
    free(both);
    free(changed);
    free(all);
}

static int compare_values(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void resample_sort(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_values);
}

void resample_middle(const double *sorted, int count, double *low, double *high)
{
    *low = sorted[count / 40];
    *high = sorted[count - count / 40 - 1];
}

double resample_p(const double *statistic, int count, double real)
{
    int larger = 0;
    for (int i = 0; i < count; i++) larger += statistic[i] > real;
    return (larger + 1.) / (count + 1.);
}

void resample_judge(const double *difference, int count, double real, double *koehn,
                    double *centered)
{
    double *size = heap_alloc(sizeof *size * (size_t)count), mean = 0;
    int not_better = 0;
    for (int i = 0; i < count; i++) {
        not_better += real > 0 ? difference[i] <= 0 : difference[i] >= 0;
        size[i] = fabs(difference[i]);
        mean += size[i] / count;
    }
    for (int i = 0; i < count; i++) size[i] -= mean;
    *koehn = (double)not_better / count;
    *centered = resample_p(size, count, fabs(real));
    free(size);
}
