/* Finds the values of a claim within a row: means of two groups of classes, of each layer, or of
 * one layer. If the stages have clusters, also finds the observations. Their items are sentences,
 * each with its sum of values and its number of words. */
#include "results/report/claims.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

enum { SIDES = 2, LAYERS = 64 };

struct within_row {
    struct sampler *sampler;
    const struct claim *claim;
    struct claim_result *result;
    struct compared_side *side; /* [SIDES] */
    bool clusters;              /* all encoders so far have clusters */
    int layers;
    int layer[LAYERS]; /* layers of the mean; 0: all layers */
    double *weight;    /* [layers] CLAIM_SLOPE: weights of the layers' means in the slope */
};

/* If the text lacks a class of the claim, exits with an error that names the nearest class. */
static void check_classes(const struct within_row *within, const struct observations *observations)
{
    struct arena *arena = within->sampler->arena;
    const char **class = ARENA_ARRAY(arena, const char *, COLUMN_CLASSES_MOST + 1);
    int count = 0;
    for (int i = 0; i < observations->sums; i++) {
        const char *one = observations->sum[i].class;
        if (*one && count < COLUMN_CLASSES_MOST && !word_known(one, class)) class[count++] = one;
    }
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < within->claim->class[side].count; i++) {
            const struct texts *list = &within->claim->class[side];
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
 * the least-squares slope. */
static void find_layers(struct within_row *within, int64_t stage)
{
    double x = 0, xx = 0;
    within->layers = 0;
    within->weight = ARENA_ARRAY(within->sampler->arena, double, LAYERS);
    const struct int_range of = within->claim->layers;
    const int last = of.last ? of.last : LAYERS;
    for (int l = of.last ? of.first : 1; l <= LAYERS && l <= last; l++)
        if (isfinite(layer_value(within, stage, l))) within->layer[within->layers++] = l;
    for (int i = 0; i < within->layers; i++) x += (double)within->layer[i] / within->layers;
    for (int i = 0; i < within->layers; i++) xx += (within->layer[i] - x) * (within->layer[i] - x);
    for (int i = 0; i < within->layers; i++) within->weight[i] = (within->layer[i] - x) / xx;
}

/* True if the column has clusters. A cluster has sums over all heads and sets, so a column for one
 * head or set has no clusters. */
static bool has_clusters(const struct column *column)
{
    const int *number = column->of.number;
    return column->measure && !number[DIMENSION_HEAD] && !number[DIMENSION_SET] &&
           column->measure->observations == observations_clusters;
}

/* Adds the value of an encoder to a side: from its clusters or, if `clusters` is NULL, from its
 * metric rows. The second side of a slope is 0, and that of a level is the level. */
static void add_value(const struct within_row *within, int k, const struct observations *clusters,
                      int64_t stage)
{
    struct compared_side *side = &within->side[k];
    const struct claim *claim = within->claim;
    const bool classes = claim->form == CLAIM_CLASSES, number = k && !classes;
    const struct cluster_means of = {within->layers, within->layer, within->weight,
                                     classes ? &claim->class[k] : NULL};
    double value = number ? claim->level : 0;
    for (int i = 0; i < of.layers && !clusters && !number; i++)
        value += (of.weight ? of.weight[i] : 1) * layer_value(within, stage, of.layer[i]);
    if (clusters && !number) {
        side->of[side->seeds] = observations_means(clusters, &of, within->sampler->arena);
        value = side->of[side->seeds]->score;
    }
    side->value[side->seeds++] = value;
}

/* Adds the values of a stage that is done. Returns false if the claim cannot be tested; the note
 * has the reason. */
static bool take_seed(struct within_row *within, const struct grid_stage *stage, int64_t number)
{
    struct arena *arena = within->sampler->arena;
    const struct claim *claim = within->claim;
    const bool classes = claim->form == CLAIM_CLASSES;
    const struct observations *found = NULL;
    if (!within->side->seeds && claim->form == CLAIM_SLOPE) find_layers(within, number);
    if (has_clusters(&claim->column))
        found = observations_read(within->sampler->store, within->sampler->cache, stage->kind,
                                  stage->id, claim->column.value, NULL, observations_clusters);
    const bool absent = !found || found->absent;
    if (claim->form == CLAIM_SLOPE && within->layers < 2)
        claim_note(within->result, arena, "it has values of fewer than two layers");
    else if (claim->layers.last && within->layers <= claim->layers.last - claim->layers.first)
        claim_note(within->result, arena, "it has values of %d of the layers %d-%d", within->layers,
                   claim->layers.first, claim->layers.last);
    else if (absent && classes)
        claim_note(within->result, arena, "%s has no values by class",
                   found ? found->name : stage->kind);
    else if (!absent && found->problem)
        claim_note(within->result, arena, "%s", found->problem);
    if (within->result->note) return false;
    if (classes) check_classes(within, found);
    within->clusters &= !absent;
    for (int k = 0; k < SIDES; k++) add_value(within, k, absent ? NULL : found, number);
    claim_add_stage(within->result, arena_print(arena, STAGE_FOLDER, stage->kind, stage->id),
                    stage->id, classes ? 3 : 1, arena);
    return true;
}

static bool take_row(struct within_row *within)
{
    const int row = within->claim->contrast->row[0][0];
    const struct grid_row *from = &within->sampler->grid->row[row];
    struct value_cache_stage *const *stage = sample_stages(within->sampler, row);
    struct sample_sides sides;
    if (from->count &&
        sample_split(within->sampler, &within->claim->column, from->seed, stage[0], &sides))
        claim_note(within->result, within->sampler->arena,
                   "values at(..) cannot be compared within a row");
    if (within->result->note) return false;
    for (int k = 0; k < SIDES; k++)
        within->side[k] = (struct compared_side){
            .value = ARENA_ARRAY(within->sampler->arena, double, from->count + 1),
            .of =
                ARENA_ARRAY(within->sampler->arena, const struct observations *, from->count + 1)};
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            if (!sample_is_of(&within->claim->column, &from->seed[s], i)) continue;
            if (!sample_stage_done(&stage[s][i])) continue;
            if (!take_seed(within, &from->seed[s].stage[i], stage[s][i].number)) return false;
            break;
        }
    const int seeds = within->side->seeds;
    within->result->pair.seeds = seeds;
    within->result->pairs = seeds > 0;
    if (!seeds) within->result->verdict = CLAIM_NOT_RUN;
    return seeds > 0;
}

bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct compared_side side[2])
{
    struct within_row within = {.sampler = sampler,
                                .claim = claim,
                                .result = result,
                                .side = side,
                                .clusters = true,
                                .layers = 1,
                                .layer = {claim->column.of.number[DIMENSION_LAYER]}};
    if (!take_row(&within)) return false;
    for (int k = 0; k < SIDES; k++) {
        if (!within.clusters || !side[k].of[0]) side[k].of = NULL;
        for (int s = 0; s < side[k].seeds; s++)
            if (!isfinite(side[k].value[s])) { /* the side has no word, or the layer is missing */
                claim_note(result, sampler->arena,
                           "a side has no value; check that the row has this layer");
                return false;
            }
    }
    return true;
}
