/* Reads training curves from the metric rows of stages. */
#include "results/table/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/store/offer.h"

/* True if there are several values, and the last is lower than all others. */
static bool is_falling(const struct sample_curve *curve)
{
    for (int i = 0; i + 1 < curve->count; i++)
        if (curve->at[i].value <= curve->at[curve->count - 1].value) return false;
    return curve->count > 1;
}

static const char *option_of(struct sampler *sampler, const struct grid_row *row, const char *key)
{
    const struct tree *value = row->options ? tree_find(row->options, key) : NULL;
    if (!value || tree_is_nothing(value))
        value = layout_default(sampler->grid, row, key, sampler->arena);
    return value && value->kind == TREE_SCALAR ? value->text : "";
}

/* True if another row of the grid has the same options and at least 1.5 times the budget. */
static bool has_longer_row(struct sampler *sampler, const struct grid_row *own)
{
    static const char *const budget[] = {"train.epochs", "train.steps"};
    for (int r = 0; r < sampler->grid->rows; r++) {
        const struct grid_row *other = &sampler->grid->row[r];
        const struct tree *a = own->options, *b = other->options;
        bool longer = a && b;
        for (int k = 0; k < 2 && longer; k++) {
            longer &= strtod(option_of(sampler, other, budget[k]), NULL) >=
                      1.5 * strtod(option_of(sampler, own, budget[k]), NULL);
            a = tree_without(sampler->arena, a, budget[k]);
            b = tree_without(sampler->arena, b, budget[k]);
        }
        if (longer && tree_same(a, b)) return true;
    }
    return false;
}

static void add_training(struct sampler *sampler, struct training_row *row,
                         const struct grid_row *from, int64_t stage, const struct offer *offer)
{
    const char *accuracy = "dev_accuracy",
               *metric = offer_measure(offer->kind, accuracy) ? accuracy : OFFER_VALIDATION;
    const struct measure *measure = offer_measure(offer->kind, metric);
    const struct sample_curve curve = sample_curve(sampler, stage, metric),
                              loss = sample_curve(sampler, stage, OFFER_VALIDATION);
    const char *schedule = option_of(sampler, from, "train.schedule");
    const bool warms = strcmp(schedule, "constant") != 0,
               ends_low = warms && strcmp(schedule, "rsqrt");
    const double known = warms ? strtod(option_of(sampler, from, "train.warmup"), NULL) : 0;
    const double summary = value_cache_value(sampler->cache, stage, "steps");
    const int64_t warmup = (int64_t)known, steps = isfinite(summary) ? (int64_t)summary
                                                   : loss.count      ? loss.at[loss.count - 1].step
                                                                     : 0;
    row->trainings++;
    row->metric = metric;
    row->sign = measure && measure->best == COLUMN_MOST ? 1 : -1;
    row->falling += is_falling(&loss);
    if (steps && steps < warmup && !row->unfinished++) row->steps = steps, row->warmup = warmup;
    int at = curve.count - 1;
    while (at >= 0 && 3 * curve.at[at].step > 2 * steps) at--;
    row->known = row->known && curve.count >= TRAINING_VALIDATIONS && at >= 0 &&
                 (!ends_low || has_longer_row(sampler, from));
    if (!row->known) return;
    row->first += curve.at[0].value;
    row->middle += curve.at[at].value;
    row->last += curve.at[curve.count - 1].value;
}

struct training_row training_row(struct sampler *sampler, const struct column *column, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    struct value_cache_stage *const *stage = sample_stages(sampler, row);
    struct training_row found = {.known = column != NULL};
    for (int s = 0; s < from->count; s++) {
        const bool *needed = column ? sample_inputs(sampler, column, row, s) : NULL;
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct offer *offer = offer_of(from->seed[s].stage[i].kind);
            if (offer_trains(offer) && sample_stage_done(&stage[s][i]) && (!needed || needed[i]))
                add_training(sampler, &found, from, stage[s][i].number, offer);
        }
    }
    found.known &= found.trainings > 0;
    found.first /= found.trainings;
    found.middle /= found.trainings;
    found.last /= found.trainings;
    return found;
}
