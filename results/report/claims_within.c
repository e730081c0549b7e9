/* Finds the values of a claim within a row: means of two groups of classes, of each layer, or of
 * one layer. If the stages have clusters, also finds the observations. Their items are sentences,
 * each with its sum of values and its number of words. */
#include "results/report/claims.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/store/offer.h"

enum { SIDES = 2, LAYERS = 64 };

struct within_row {
    struct sampler *sampler;
    const struct claim *claim;
    struct claim_result *result;
    struct compared_side *side; /* [SIDES] */
    bool clusters;              /* all encoders so far have clusters */
    int layers;
    int layer[LAYERS];     /* layers of the mean; 0: all layers */
    double weight[LAYERS]; /* weights of the layers' means: 1, or those of the slope */
};

/* If the text lacks a class of the claim, exits with an error that names the nearest class. */
static void check_classes(const struct within_row *within, const struct observations *observations)
{
    const char **class = ARENA_ARRAY(within->sampler->arena, const char *, COLUMN_CLASSES_MOST + 1);
    int count = 0;
    for (int i = 0; i < observations->sums && count < COLUMN_CLASSES_MOST; i++) {
        const char *one = observations->sum[i].class;
        if (*one && !word_known(one, class)) class[count++] = one;
    }
    for (int k = 0; k < SIDES; k++) {
        const struct texts *list = &within->claim->class[k];
        for (int i = 0; i < list->count; i++)
            if (!word_known(list->text[i], class))
                word_refuse(list->location[i], "class", "there is no class", list->text[i], class);
    }
}

/* Returns the value of a layer in the metric rows of a stage; NaN: none. Layer 0 is the layer of
 * the claim's column, if it has one. */
static double layer_value(const struct within_row *within, int64_t stage, int layer)
{
    struct column at = within->claim->column;
    if (layer) at.of.number[DIMENSION_LAYER] = layer;
    if (dimensions_some(&at.of))
        return value_cache_metric(within->sampler->cache, stage, at.value, &at.of);
    return value_cache_value(within->sampler->cache, stage, at.value);
}

/* Finds the layers for which the stage of the first encoder has metric rows, and their weights in
 * the least-squares slope. Notes if layers are missing. */
static void find_layers(struct within_row *within, int64_t stage)
{
    double x = 0, xx = 0;
    const struct int_range of = within->claim->layers;
    const int last = of.last && of.last < LAYERS ? of.last : LAYERS;
    within->layers = 0;
    for (int l = of.last ? of.first : 1; l <= last; l++)
        if (isfinite(layer_value(within, stage, l))) within->layer[within->layers++] = l;
    for (int i = 0; i < within->layers; i++) x += (double)within->layer[i] / within->layers;
    for (int i = 0; i < within->layers; i++) xx += (within->layer[i] - x) * (within->layer[i] - x);
    for (int i = 0; i < within->layers; i++) within->weight[i] = (within->layer[i] - x) / xx;
    if (within->layers < 2)
        claim_note(within->result, within->sampler->arena,
                   "it has values of fewer than two layers");
    else if (of.last && within->layers <= of.last - of.first)
        claim_note(within->result, within->sampler->arena,
                   "it has values of %d of the layers %d-%d", within->layers, of.first, of.last);
}

/* Adds the value of an encoder to a side: from its clusters or, if `clusters` is NULL, from its
 * metric rows. The second side of a slope is 0, and that of a level is the level. */
static void add_value(const struct within_row *within, int k, const struct observations *clusters,
                      int64_t stage)
{
    struct compared_side *side = &within->side[k];
    const struct claim *claim = within->claim;
    const bool classes = claim->form == CLAIM_CLASSES, number = k && !classes;
    const struct cluster_means of = {within->layers, within->layer,
                                     claim->form == CLAIM_SLOPE ? within->weight : NULL,
                                     classes ? &claim->class[k] : NULL};
    double value = number ? claim->level : 0;
    for (int i = 0; i < of.layers && !clusters && !number; i++)
        value += within->weight[i] * layer_value(within, stage, of.layer[i]);
    if (clusters && !number) {
        side->of[side->seeds] = observations_means(clusters, &of, within->sampler->arena);
        value = side->of[side->seeds]->score;
    }
    /* a side may have no word, or the layer may be missing */
    if (!isfinite(value) && !within->result->note)
        claim_note(within->result, within->sampler->arena,
                   "a side has no value; check that the row has this layer");
    side->value[side->seeds++] = value;
}

/* Adds the values of a stage that is done. If the claim cannot be tested, the note has the
 * reason. A cluster has sums over all heads and sets, so a column for one head or set has no
 * clusters. */
static void take_stage(struct within_row *within, const struct grid_stage *stage, int64_t number)
{
    struct sampler *sampler = within->sampler;
    const struct claim *claim = within->claim;
    const struct column *column = &claim->column;
    const bool classes = claim->form == CLAIM_CLASSES;
    const struct observations *found = NULL;
    if (!within->side->seeds && claim->form == CLAIM_SLOPE) find_layers(within, number);
    if (column->measure && column->measure->observations == observations_clusters &&
        !column->of.number[DIMENSION_HEAD] && !column->of.number[DIMENSION_SET])
        found = observations_read(sampler->store, sampler->cache, stage->kind, stage->id,
                                  column->value, NULL, observations_clusters);
    const bool absent = !found || found->absent;
    if (absent && classes)
        claim_note(within->result, sampler->arena, "%s has no values by class",
                   found ? found->name : stage->kind);
    else if (!absent && found->problem)
        claim_note(within->result, sampler->arena, "%s", found->problem);
    if (within->result->note) return;
    if (classes) check_classes(within, found);
    within->clusters &= !absent;
    for (int k = 0; k < SIDES; k++) add_value(within, k, absent ? NULL : found, number);
    for (int k = 0; k < (classes ? SIDES : 1); k++)
        claim_add_stage(within->result, k, stage->id, sampler->arena);
}

bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct compared_side side[2])
{
    struct arena *arena = sampler->arena;
    const int row = claim->contrast->row[0][0];
    const struct grid_row *from = &sampler->grid->row[row];
    struct value_cache_stage *const *stage = sample_stages(sampler, row);
    struct within_row within = {.sampler = sampler,
                                .claim = claim,
                                .result = result,
                                .side = side,
                                .clusters = true,
                                .layers = 1,
                                .layer = {claim->column.of.number[DIMENSION_LAYER]},
                                .weight = {1}};
    if (claim_is_at(sampler, claim))
        claim_note(result, arena, "values at(..) cannot be compared within a row");
    for (int k = 0; k < SIDES; k++)
        side[k] = (struct compared_side){
            .value = ARENA_ARRAY(arena, double, from->count + 1),
            .of = ARENA_ARRAY(arena, const struct observations *, from->count + 1)};
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count && !result->note; i++) {
            if (!sample_is_of(&claim->column, &from->seed[s], i)) continue;
            if (!sample_stage_done(&stage[s][i])) continue;
            take_stage(&within, &from->seed[s].stage[i], stage[s][i].number);
            break;
        }
    if (!side->seeds && !result->note) result->verdict = CLAIM_NOT_RUN;
    for (int k = 0; k < SIDES; k++)
        if (!within.clusters || !side[k].of[0]) side[k].of = NULL;
    return side->seeds && !result->note;
}
