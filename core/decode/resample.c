/* Resampling. Items are drawn by index, and statistics receive the indices. The draws depend only
 * on the generator and the sizes, so they are equal for all runs and statistics. */
#include "core/decode/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws an item for each position, within its stratum. Otherwise a sample could contain more items
 * of an easy task. Its statistic would then be higher only for this reason. */
static void draw(struct pcg64 *random, struct strata strata, uint32_t *at)
{
    uint32_t from = 0;
    for (int k = 0; k < strata.count; k++) {
        const uint32_t end = (uint32_t)strata.end[k];
        for (uint32_t s = from; s < end; s++) at[s] = from + pcg64_below(random, end - from);
        from = end;
    }
}

void resample_bootstrap(const struct resample_runs *runs, struct pcg64 *random, int samples,
                        double *score)
{
    const struct statistic *statistic = runs->statistic;
    SCOPED(heap_free) uint32_t *at = heap_alloc(sizeof *at * (size_t)strata_items(runs->strata));
    for (int b = 0; b < samples; b++) {
        draw(random, runs->strata, at);
        for (int r = 0; r < runs->runs; r++)
            score[(size_t)r * (size_t)samples + (size_t)b] = statistic->of(
                statistic->context, runs->strata, runs->item[r], at, statistic->single);
    }
}

/* Random bits as in NumPy's integers(2, dtype=bool): a draw has 32 coins, the lowest bit first. */
enum { COINS = 32 };
struct coins {
    struct pcg64 *random;
    uint32_t bits;
    int used; /* number of used coins of the last draw; 0: all are used */
};

/* Tosses a coin for each of n items: 1 means that both sides keep their items. Indices below n are
 * items of side a, and indices from n on are items of side b. Each draw writes COINS entries. So
 * both arrays need COINS more entries at the beginning and at the end. */
static void toss(struct coins *coins, int n, uint32_t *a, uint32_t *b)
{
    int s = -coins->used;
    for (; s < n; s += COINS) {
        if (s >= 0) coins->bits = pcg64_next_half(coins->random);
        uint32_t *ours = a + s, *theirs = b + s;
#pragma omp simd
        for (int i = 0; i < COINS; i++) {
            const uint32_t here = (uint32_t)(s + i), stays = coins->bits >> i & 1;
            ours[i] = here + ((stays - 1) & (uint32_t)n);
            theirs[i] = here + (-stays & (uint32_t)n);
        }
    }
    coins->used = (n - s + COINS) % COINS;
}

void resample_swap(const struct resample_runs *runs, struct pcg64 *random, int trials,
                   double *difference)
{
    const struct statistic *statistic = runs->statistic;
    const int pairs = runs->runs / 2, items = strata_items(runs->strata);
    CHECK(runs->runs == 2 * pairs, "%d runs make no pairs", runs->runs);
    /* Copies the two runs of a pair into one array, so that indices can select items of both. */
    const size_t bytes = statistic->bytes * (size_t)items;
    SCOPED(heap_free) char *both = heap_alloc(2 * (size_t)pairs * bytes);
    for (int p = 0; p < pairs; p++) {
        memcpy(both + 2 * (size_t)p * bytes, runs->item[p], bytes);
        memcpy(both + (2 * (size_t)p + 1) * bytes, runs->item[pairs + p], bytes);
    }
    const size_t capacity = (size_t)items + 2 * COINS;
    uint32_t *at = heap_alloc(sizeof *at * 2 * capacity), *a = at + COINS, *b = a + capacity;
    struct coins coins = {.random = random};
    for (int t = 0; t < trials; t++) {
        toss(&coins, items, a, b);
        double sum = 0;
        for (int p = 0; p < pairs; p++) {
            const char *pair = both + 2 * (size_t)p * bytes;
            sum += statistic_of(statistic, runs->strata, pair, b) -
                   statistic_of(statistic, runs->strata, pair, a);
        }
        difference[t] = sum / pairs;
    }
    free(at);
}

void resample_sort(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_doubles);
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
    for (int i = 0; i < count; i++)
        size[i] -= mean; /* the null hypothesis: the mean difference is zero */
    *koehn = (double)not_better / count;
    *centered = resample_p(size, count, fabs(real));
    free(size);
}
