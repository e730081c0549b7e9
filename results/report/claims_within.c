/* Estimates the difference of a claim within a row, from means of two groups of classes, of each
 * layer, or of one layer. A mean is computed for an encoder and a resample of sentences. It is the
 * sum of the sentences' sums, divided by the sum of their counts. */
#include "results/report/claims.h"

#include <math.h>
#include <string.h>

#include "core/base/pcg64.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

enum { PARTS = 64 }; /* maximum number of layers */

/* One encoder of the row. */
struct within_seed {
    const struct observations *observations;
    double *sum, *count; /* [parts][clusters] sum and count of a cluster */
    double mean[PARTS];
};

struct within_row {
    struct sampler *sampler;
    const struct claim *claim;
    struct claim_result *result;
    int parts;
    int layer[PARTS]; /* layer of each part; 0: all layers */
    int seeds;
    struct within_seed *seed; /* [seeds] */
};

/* Returns the least-squares slope of the means by layer. */
static double slope_of(const struct within_row *within, const double *mean)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const int n = within->parts;
    for (int i = 0; i < n; i++) x += (double)within->layer[i] / n, y += mean[i] / n;
    for (int i = 0; i < n; i++) {
        xx += (within->layer[i] - x) * (within->layer[i] - x);
        xy += (within->layer[i] - x) * (mean[i] - y);
    }
    return xy / xx;
}

/* Returns the value of a side, computed from the means. */
static double side_of(const struct within_row *within, const double *mean, int side)
{
    switch (within->claim->form) {
    case CLAIM_CLASSES:
        return mean[side];
    case CLAIM_SLOPE:
        return side ? 0 : slope_of(within, mean);
    default:
        return side ? within->claim->level : mean[0];
    }
}

/* ---- clusters ---- */

/* Returns the index of the part to which a sum belongs; -1: none. */
static int part_of(const struct within_row *within, const struct cluster_sum *sum)
{
    const struct claim *claim = within->claim;
    const int layer = claim->column.of.number[DIMENSION_LAYER];
    if (claim->form == CLAIM_CLASSES) {
        if (sum->layer != layer || !*sum->class) return -1;
        return texts_have(&claim->class[0], sum -> class)   ? 0
               : texts_have(&claim->class[1], sum -> class) ? 1
                                                            : -1;
    }
    if (*sum->class) return -1;
    for (int i = 0; i < within->parts; i++)
        if (sum->layer == within->layer[i]) return i;
    return -1;
}

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
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < within->claim->class[side].count; i++) {
            const struct texts *list = &within->claim->class[side];
            if (!word_known(list->text[i], class))
                word_refuse(list->location[i], "class", "there is no class", list->text[i], class);
        }
}

static void take_parts(const struct within_row *within, struct within_seed *seed)
{
    const struct observations *observations = seed->observations;
    const int clusters = observations->items;
    seed->sum = ARENA_ARRAY(within->sampler->arena, double, within->parts *clusters);
    seed->count = ARENA_ARRAY(within->sampler->arena, double, within->parts *clusters);
    for (int i = 0; i < observations->sums; i++) {
        const struct cluster_sum *sum = &observations->sum[i];
        const int p = part_of(within, sum), at = p * clusters + sum->cluster - 1;
        if (p < 0) continue;
        seed->sum[at] += sum->sum;
        seed->count[at] += sum->count;
    }
}

/* Computes the means of an encoder over the clusters `at` (NULL: each cluster once). */
static void means_of(const struct within_row *within, const struct within_seed *seed,
                     const uint32_t *at, double mean[PARTS])
{
    const int clusters = seed->observations->items;
    for (int p = 0; p < within->parts; p++) {
        double sum = 0, count = 0;
        for (int i = 0; i < clusters; i++) {
            const int k = p * clusters + (at ? (int)at[i] : i);
            sum += seed->sum[k];
            count += seed->count[k];
        }
        mean[p] = sum / count;
    }
}

/* Resamples the clusters. Sets value[side] to the value of the side in this resample, averaged over
 * the encoders. Returns false if the resample has no word of a side. */
static bool draw(const struct within_row *within, struct pcg64 *random, uint32_t *at,
                 double value[2])
{
    const int clusters = within->seed[0].observations->items;
    value[0] = value[1] = 0;
    for (int i = 0; i < clusters; i++) at[i] = pcg64_below(random, (uint32_t)clusters);
    for (int s = 0; s < within->seeds; s++) {
        double mean[PARTS];
        means_of(within, &within->seed[s], at, mean);
        for (int k = 0; k < 2; k++) value[k] += side_of(within, mean, k) / within->seeds;
    }
    return isfinite(value[0]) && isfinite(value[1]);
}

/* Computes the values of both sides in each resample. If a resample has no word of one side, draws
 * it again. */
static void take_samples(const struct within_row *within, struct difference_side side[2])
{
    struct arena *arena = within->sampler->arena;
    const int samples = significance_usual.samples, clusters = within->seed[0].observations->items;
    struct pcg64 random = pcg64_seed(significance_usual.seed);
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, clusters);
    double *value[2] = {ARENA_ARRAY(arena, double, samples), ARENA_ARRAY(arena, double, samples)};
    for (int b = 0; b < samples; b++) {
        double drawn[2];
        while (!draw(within, &random, at, drawn)) continue;
        for (int k = 0; k < 2; k++) value[k][b] = drawn[k];
    }
    side[0].sample = value[0];
    side[1].sample = value[1];
}

/* Returns a reason if the clusters of two encoders come from different texts; else NULL. */
static const char *clusters_differ(const struct within_row *within)
{
    const struct observations *first = within->seed[0].observations;
    for (int s = 1; s < within->seeds; s++) {
        const struct observations *one = within->seed[s].observations;
        if (one->items != first->items || strcmp(one->signature, first->signature) != 0)
            return "the encoders' values are of different texts";
    }
    return NULL;
}

/* ---- the row ---- */

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

/* Finds the layers for which the stage of the first encoder has metric rows. */
static void find_layers(struct within_row *within, int64_t stage)
{
    within->parts = 0;
    for (int l = 1; l <= PARTS; l++)
        if (isfinite(layer_value(within, stage, l))) within->layer[within->parts++] = l;
}

/* True if the column has clusters. A cluster has sums over all heads and sets, so a column for one
 * head or set has no clusters. */
static bool has_clusters(const struct column *column)
{
    const int *number = column->of.number;
    return column->measure && !number[DIMENSION_HEAD] && !number[DIMENSION_SET] &&
           column->measure->observations == observations_clusters;
}

/* Adds the values of a stage that is done. Returns false if the claim cannot be tested; the note
 * has the reason. */
static bool take_seed(struct within_row *within, const struct grid_stage *stage, int64_t number)
{
    struct arena *arena = within->sampler->arena;
    const struct claim *claim = within->claim;
    const bool classes = claim->form == CLAIM_CLASSES;
    struct within_seed *seed = &within->seed[within->seeds];
    const struct observations *found = NULL;
    if (!within->seeds && claim->form == CLAIM_SLOPE) find_layers(within, number);
    if (has_clusters(&claim->column))
        found = observations_read(within->sampler->store, stage->kind, stage->id,
                                  claim->column.value, NULL, observations_clusters);
    const bool absent = !found || found->absent;
    if (claim->form == CLAIM_SLOPE && within->parts < 2)
        claim_note(within->result, arena, "it has values of fewer than two layers");
    else if (absent && classes)
        claim_note(within->result, arena, "%s has no values by class",
                   found ? found->name : stage->kind);
    else if (!absent && found->problem)
        claim_note(within->result, arena, "%s", found->problem);
    if (within->result->note) return false;
    if (classes) check_classes(within, found);
    seed->observations = absent ? NULL : found;
    if (!absent) take_parts(within, seed);
    if (!absent) means_of(within, seed, NULL, seed->mean);
    for (int p = 0; p < within->parts && absent; p++)
        seed->mean[p] = layer_value(within, number, within->layer[p]);
    claim_add_stage(within->result, arena_print(arena, STAGE_FOLDER, stage->kind, stage->id),
                    stage->id, classes ? 3 : 1, arena);
    within->seeds++;
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
    within->seed = ARENA_ARRAY(within->sampler->arena, struct within_seed, from->count + 1);
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            if (!sample_is_of(&within->claim->column, &from->seed[s], i)) continue;
            if (!sample_stage_done(&stage[s][i])) continue;
            if (!take_seed(within, &from->seed[s].stage[i], stage[s][i].number)) return false;
            break;
        }
    within->result->pair.seeds = within->seeds;
    within->result->pairs = within->seeds > 0;
    if (!within->seeds) within->result->verdict = CLAIM_NOT_RUN;
    return within->seeds > 0;
}

bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct difference_known *known)
{
    struct arena *arena = sampler->arena;
    struct within_row within = {.sampler = sampler, .claim = claim, .result = result, .parts = 1};
    struct difference_side side[2];
    struct difference_design design = {.paired = true};
    if (claim->form == CLAIM_CLASSES) within.parts = 2;
    within.layer[0] = within.layer[1] = claim->column.of.number[DIMENSION_LAYER];
    if (!take_row(&within)) return false;
    bool items = true;
    for (int s = 0; s < within.seeds; s++) items &= within.seed[s].observations != NULL;
    if (items) {
        const char *problem = clusters_differ(&within);
        if (problem) claim_note(result, arena, "%s", problem);
        if (problem) return false;
        result->signature = within.seed[0].observations->signature;
    }
    for (int k = 0; k < 2; k++) {
        double *value = ARENA_ARRAY(arena, double, within.seeds);
        for (int s = 0; s < within.seeds; s++) value[s] = side_of(&within, within.seed[s].mean, k);
        for (int s = 0; s < within.seeds; s++)
            if (!isfinite(value[s])) { /* no word belongs to this side, or the layer is missing */
                claim_note(result, arena, "a side has no value; check that the row has this layer");
                return false;
            }
        side[k] = (struct difference_side){.seeds = within.seeds, .value = value};
    }
    if (!items && within.seeds < 2) {
        result->verdict = CLAIM_ONE_SEED;
        claim_note(result, arena, CLAIM_ONE_SEED_ALONE);
        return false;
    }
    if (items) {
        take_samples(&within, side);
        design.items = within.seed[0].observations->items;
        design.strata = 1;
        design.samples = significance_usual.samples;
        result->pair.items = claim->column.measure->items;
    }
    *known = difference_of(&side[0], &side[1], &design, arena);
    return true;
}
