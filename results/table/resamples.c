/* Caches resampled scores. Each draw of items is used for all waiting observations, because drawing
 * takes as long as computing a statistic. */
#include "results/table/resamples.h"

#include <stdlib.h>
#include <string.h>

struct resampled {
    const struct observations *of;
    double *score; /* [samples]; NULL: not drawn yet */
};

static struct resampled *find(const struct resamples *resamples,
                              const struct observations *observations)
{
    for (int i = 0; i < resamples->count; i++)
        if (resamples->of[i].of == observations) return &resamples->of[i];
    return NULL;
}

void resamples_expect(struct resamples *resamples, const struct observations *observations)
{
    if (!observations || observations->problem || find(resamples, observations)) return;
    ARENA_ADD(resamples->arena, resamples->of, resamples->count,
              (struct resampled){observations, NULL});
}

/* True if the same draws of items can be used for both observations. */
static bool is_alike(const struct observations *a, const struct observations *b)
{
    return a->strata.count == b->strata.count &&
           !memcmp(a->strata.end, b->strata.end, sizeof(int) * (size_t)a->strata.count) &&
           a->statistic.of == b->statistic.of && !strcmp(a->signature, b->signature);
}

/* Draws the resamples of `first` and of all similar observations that are waiting. */
static void draw(struct resamples *resamples, const struct observations *first)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const int samples = resamples->options.samples;
    const void **item = NULL;
    struct resampled **owner = NULL;
    int runs = 0;
    for (int i = 0; i < resamples->count; i++) {
        struct resampled *one = &resamples->of[i];
        if (one->score || !is_alike(one->of, first)) continue;
        one->score = ARENA_ARRAY(resamples->arena, double, samples);
        for (int set = 0; set < one->of->sets; set++) {
            ARENA_MORE(&scratch, item, runs);
            item[runs] = one->of->item[set];
            ARENA_ADD(&scratch, owner, runs, one);
        }
    }
    trace("table", "%d sets of %s are resampled %d times", runs, first->statistic.items, samples);
    double *score = ARENA_ARRAY(&scratch, double, runs *samples);
    significance_draw(&first->statistic, first->strata, &resamples->options, item, runs, score);
    for (int r = 0, set = 0; r < runs; r++) {
        const struct observations *of = owner[r]->of;
        set = r && owner[r] == owner[r - 1] ? set + 1 : 0;
        for (int b = 0; b < samples; b++) {
            const double drawn = score[r * samples + b];
            owner[r]->score[b] += of->weight ? of->weight[set] * drawn : drawn / of->sets;
        }
    }
}

const double *resamples_mean(struct resamples *resamples, const struct observations *const *of,
                             int seeds, int rows, const double *weight, struct arena *arena)
{
    const int samples = resamples->options.samples;
    double *mean = ARENA_ARRAY(arena, double, samples);
    for (int i = 0; i < seeds * rows; i++) resamples_expect(resamples, of[i]);
    for (int i = 0; i < seeds * rows; i++) {
        const struct resampled *one = find(resamples, of[i]);
        if (!one->score) draw(resamples, of[i]);
        for (int b = 0; b < samples; b++)
            mean[b] +=
                weight ? weight[i % rows] * one->score[b] / seeds : one->score[b] / (seeds * rows);
    }
    return mean;
}
