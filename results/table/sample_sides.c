/* The two sides of a value at(..): their stages, and the crossing of the training between them. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/store/offer.h"
#include "results/store/status.h"
#include "results/table/sample.h"

/* Copies the stages of one side. In the copy they belong to no side. */
static void take_side(struct sampler *sampler, const struct grid_seed *seed,
                      const struct value_cache_stage *stage, int k, struct sample_sides *sides)
{
    struct grid_stage *own = ARENA_ARRAY(sampler->arena, struct grid_stage, seed->count);
    struct value_cache_stage *known =
        ARENA_ARRAY(sampler->arena, struct value_cache_stage, seed->count);
    int count = 0;
    for (int i = 0; i < seed->count; i++) {
        if (seed->stage[i].side == (k ? SIDE_BEFORE : SIDE_AFTER)) continue;
        own[count] = seed->stage[i];
        own[count].side = SIDE_NONE;
        known[count++] = stage[i];
    }
    sides->seed[k] = (struct grid_seed){seed->seed, count, own};
    sides->stage[k] = known;
}

/* Returns the number of the training of a seed; -1 if there is none that is done. */
static int64_t trained(const struct grid_seed *seed, const struct value_cache_stage *stage)
{
    for (int i = 0; i < seed->count; i++)
        if (offer_trains(offer_of(seed->stage[i].kind)) && sample_stage_done(&stage[i]))
            return stage[i].number;
    return -1;
}

/* Returns the crossing. While the training is not done, it may still be reached. */
static struct crossing crossing_of(struct sampler *sampler, const struct sample_sides *sides)
{
    const int64_t train = trained(&sides->seed[0], sides->stage[0]);
    if (train < 0) return (struct crossing){.reached = true, .weight = (double)NAN};
    const struct sample_curve curve = sample_curve(sampler, train, OFFER_VALIDATION);
    struct validated *validated = ARENA_ARRAY(sampler->arena, struct validated, curve.count);
    for (int i = 0; i < curve.count; i++)
        validated[i] = (struct validated){curve.at[i].step, curve.at[i].value};
    return crossing_find(&sides->at, validated, curve.count);
}

bool sample_split(struct sampler *sampler, const struct column *column,
                  const struct grid_seed *seed, const struct value_cache_stage *stage,
                  struct sample_sides *sides)
{
    const char *words = NULL;
    bool sided = false;
    for (int i = 0; i < seed->count; i++) sided |= seed->stage[i].side != SIDE_NONE;
    if (!sided) return false;
    for (int k = 0; k < 2; k++) take_side(sampler, seed, stage, k, sides);
    for (int i = 0; i < sides->seed[0].count && !words; i++)
        if (sample_is_of(column, &sides->seed[0], i)) words = sides->seed[0].stage[i].at;
    if (!words || !checkpoint_at_read(&sides->at, words, "at")) return false;
    sides->crossing = crossing_of(sampler, sides);
    return true;
}

int sample_unreached(const struct sample *sample)
{
    for (int i = 0; i < sample->total; i++)
        if (word_same(sample->why[i], STATUS_UNREACHED)) return i;
    return -1;
}
