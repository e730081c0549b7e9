#include "tests/support/compared_items.h"

#include "tests/support/test.h"

/* Returns the values and the mean resamples of a system. */
static struct difference_side side_of(const struct compared_system *system,
                                      const struct significance_items *items, int runs,
                                      const struct significance_options *options)
{
    const int samples = options->samples, sets = runs / system->seeds;
    double *value = ARENA_ARRAY(&arena, double, system->seeds),
           *mean = ARENA_ARRAY(&arena, double, samples),
           *score = ARENA_ARRAY(&arena, double, runs *samples);
    significance_draw(items->statistic, items->strata, options, system->item, runs, score);
    for (int r = 0; r < runs; r++) {
        value[r / sets] +=
            statistic_of(items->statistic, items->strata, system->item[r], NULL) / sets;
        for (int i = 0; i < samples; i++) mean[i] += score[r * samples + i] / runs;
    }
    return (struct difference_side){system->seeds, value, mean};
}

struct significance compared_items(const struct statistic *statistic, struct strata strata,
                                   const struct significance_options *options,
                                   const struct compared_system *a, const struct compared_system *b)
{
    const struct significance_items items = {
        statistic,
        strata,
        {b->item, a->item},
        {b->seeds * (b->sets ? b->sets : 1), a->seeds * (a->sets ? a->sets : 1)}};
    const struct difference_side ours = side_of(b, &items, items.runs[0], options),
                                 theirs = side_of(a, &items, items.runs[1], options);
    const struct difference_design design = {.single = statistic->single,
                                             .items = strata_items(strata),
                                             .strata = strata.count,
                                             .samples = options->samples};
    const struct difference_known known = difference_of(&ours, &theirs, &design, &arena);
    return significance_of(&known, &items, options);
}
