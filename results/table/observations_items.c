/* Reads observations from tables in a stage's folder: items.tsv, clusters.tsv and lengths.tsv.
 * Resampling draws within strata, so items are sorted by stratum. Also combines observations of
 * several values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/table/comparison.h"
#include "results/table/observations_read.h"

/* ---- items ---- */

/* Reads a file, which has the items of a set. Returns an array of double or, if the items have
 * weights, of struct ratio_item. Keeps the labels of the first set. If the file cannot be read,
 * sets the problem and returns NULL. */
static const void *read_set(struct observations_job *job, int set, const char *path,
                            const char *digest, int items)
{
    struct observations *observations = job->observations;
    const struct item *item = observations_table(job, path, digest, &items_form, &items);
    if (!item) return NULL;
    if (!set) observations->label = item;
    const struct item *label = observations->label;
    const bool weighted = label->weight > 0;
    observations->statistic = weighted ? statistic_ratio : statistic_mean;
    double *number = weighted ? NULL : ARENA_ARRAY(job->arena, double, items);
    struct ratio_item *ratio = weighted ? ARENA_ARRAY(job->arena, struct ratio_item, items) : NULL;
    for (int i = 0; i < items; i++) {
        if (weighted)
            ratio[i] = (struct ratio_item){item[i].number, item[i].weight};
        else
            number[i] = item[i].number;
    }
    return weighted ? (const void *)ratio : number;
}

/* Reads the sets from the output files of the stage: STEM.tsv, or STEM.1.tsv, STEM.2.tsv and so on.
 * If there is no file, or a file cannot be read, sets the problem. */
static void read_sets(struct observations_job *job, const char *stem, int items)
{
    struct observations *observations = job->observations;
    const char *one = arena_print(job->arena, "%s.tsv", stem);
    const bool several = !observations_digest(job, one);
    const void **item = NULL;
    observations->files = several ? arena_print(job->arena, "%s.*.tsv", stem) : one;
    do {
        const int set = observations->sets;
        const char *name = several ? arena_print(job->arena, "%s.%d.tsv", stem, set + 1) : one,
                   *digest = observations_digest(job, name),
                   *path = arena_print(job->arena, "%s/%s", job->folder, name);
        if (!digest) break;
        ARENA_ADD(job->arena, item, observations->sets, read_set(job, set, path, digest, items));
    } while (several && !observations->problem);
    observations->item = item;
    if (!observations->sets)
        observations->problem = arena_print(job->arena, "%s has no %s", job->folder, stem);
}

static int compare_strata(const void *a, const void *b)
{
    const struct item *const *x = a, *const *y = b;
    const int order = strcmp((*x)->stratum, (*y)->stratum);
    return order ? order : (*x > *y) - (*x < *y); /* within a stratum: the order of the file */
}

void observations_items(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct arena *arena = job->arena;
    const int items = observations_count(job, "items");
    const struct measure *measure = offer_measure(job->kind, job->value);
    observations->absent =
        items < 1 && isnan(value_cache_value(job->cache, job->number, job->value));
    if (observations->absent) {
        observations->problem = arena_print(arena, "%s was done before %s was measured",
                                            observations->name, job->value);
        return;
    }
    if (!observations->signature || items < 1) {
        observations->problem =
            arena_print(arena, "%s: its summary has no %s", observations->name,
                        observations->signature ? "items" : offer_signature(measure));
        return;
    }
    const char *stem = offer_is_control(measure) ? "start" : "items";
    read_sets(job, stem, items);
    if (observations->problem) return;
    if (measure && measure->items) observations->statistic.items = measure->items;
    const struct observations as_read = *observations;
    const struct item **sorted = ARENA_ARRAY(arena, const struct item *, items);
    int *index = ARENA_ARRAY(arena, int, items), chosen = 0;
    for (int i = 0; i < items; i++)
        if (!measure || !measure->classes || word_known(as_read.label[i].class, measure->classes))
            sorted[chosen++] = &as_read.label[i];
    if (!chosen) {
        observations->problem = arena_print(arena, "%s: none of its items is of a class of %s",
                                            observations->name, job->value);
        return;
    }
    qsort(sorted, (size_t)chosen, sizeof *sorted, compare_strata);
    for (int i = 0; i < chosen; i++) index[i] = (int)(sorted[i] - as_read.label);
    observations_choose(job, &as_read, as_read.label, index, chosen);
}

void observations_lengths(struct observations_job *job)
{
    const char *score = observations_input(job, 1), *kind,
               *path = arena_print(job->arena, "%s/" OBSERVATIONS_LENGTHS, job->folder);
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    if (!score || !job->observations->signature) return;
    const struct observations *all =
        observations_read(job->store, job->cache, kind, score, bleu->name, NULL, observations_bleu);
    int count = all->items, *index = ARENA_ARRAY(job->arena, int, count + 1);
    if ((job->observations->problem = all->problem)) return;
    for (int i = 0; i < count; i++) index[i] = i;
    const struct item *label = observations_table(
        job, path, observations_digest(job, OBSERVATIONS_LENGTHS), &items_form, &count);
    if (label) observations_choose(job, all, label, index, count);
}

/* ---- clusters ---- */

/* Returns the sums of a layer by cluster, as items of statistic_ratio. */
static const struct ratio_item *layer_items(const struct observations *clusters,
                                            const struct cluster_means *of, int layer,
                                            struct arena *arena)
{
    struct ratio_item *item = ARENA_ARRAY(arena, struct ratio_item, clusters->items);
    for (int i = 0; i < clusters->sums; i++) {
        const struct cluster_sum *one = &clusters->sum[i];
        if (one->layer != layer ||
            (of->classes ? !texts_have(of->classes, one->class) : *one->class))
            continue;
        item[one->cluster - 1].number += one->sum;
        item[one->cluster - 1].weight += one->count;
    }
    return item;
}

const struct observations *observations_means(const struct observations *clusters,
                                              const struct cluster_means *of, struct arena *arena)
{
    struct observations *means = ARENA_NEW(arena, struct observations);
    const void **item = ARENA_ARRAY(arena, const void *, of->layers);
    *means = *clusters;
    means->statistic = statistic_ratio;
    means->statistic.items = clusters->statistic.items;
    means->strata = (struct strata){1, &means->items};
    means->sets = of->layers;
    means->item = item;
    means->weight = of->weight;
    means->score = 0;
    for (int i = 0; i < of->layers; i++) {
        item[i] = layer_items(clusters, of, of->layer[i], arena);
        means->score += (of->weight ? of->weight[i] : 1) *
                        statistic_of(&means->statistic, means->strata, item[i], NULL);
    }
    return means;
}

void observations_clusters(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const struct measure *measure = offer_measure(job->kind, job->value);
    const char *digest = observations_digest(job, CLUSTERS_FILE);
    const char *path = arena_print(job->arena, "%s/" CLUSTERS_FILE, job->folder);
    observations->files = CLUSTERS_FILE;
    observations->sets = 1;
    observations->statistic.items = measure && measure->items ? measure->items : "clusters";
    observations->items = observations_count(job, "sentences");
    observations->absent = !digest;
    if (!digest || observations->items < 1 || !observations->signature) {
        observations->problem =
            arena_print(job->arena, "%s has no " CLUSTERS_FILE, observations->name);
        return;
    }
    observations->sum = observations_table(job, path, digest, &clusters_form, &observations->sums);
    if (!observations->sum) return;
    for (int i = 0; i < observations->sums && !observations->problem; i++)
        if (observations->sum[i].cluster > observations->items)
            observations->problem =
                arena_print(job->arena, "%s:%d: cluster %d; expected at most %d", path, i + 2,
                            observations->sum[i].cluster, observations->items);
    if (observations->problem) return;
    const struct cluster_means all = {1, &(const int){0}, NULL, NULL};
    observations->score = observations_means(observations, &all, job->arena)->score;
}

observations_reader *observations_of(const struct measure *measure)
{
    observations_reader *reader = measure ? measure->observations : NULL;
    return reader == observations_clusters ? NULL : reader;
}

/* ---- several values ---- */

const struct observations *observations_sum(const struct observations *const of[2],
                                            const double weight[2])
{
    struct arena *arena;
    SCOPED(heap_free) char *name = heap_print("sum %a %a", weight[0], weight[1]);
    struct observations *sum = observations_derived(name, of, 2, &arena);
    const int items = of[0]->items, sets = of[0]->sets;
    if (arena && !sum->problem && (of[1]->items != items || of[1]->sets != sets))
        sum->problem = "another number of items";
    if (arena && !sum->problem) sum->problem = comparison_problem(of[1], of[0], arena);
    if (!arena || sum->problem) return sum;
    const void **item = ARENA_ARRAY(arena, const void *, 2 * sets);
    double *weights = ARENA_ARRAY(arena, double, 2 * sets);
    for (int i = 0; i < 2 * sets; i++) {
        item[i] = of[i / sets]->item[i % sets];
        const double *own = of[i / sets]->weight;
        weights[i] = weight[i / sets] * (own ? own[i % sets] : 1.0 / sets);
    }
    sum->item = item;
    sum->weight = weights;
    sum->sets = 2 * sets;
    sum->score = weight[0] * of[0]->score + weight[1] * of[1]->score;
    return sum;
}

/* Returns the reason why a value cannot be joined with the first one; NULL if it can. */
static const char *differ(const struct observations *one, const struct observations *first)
{
    if (one->statistic.of != statistic_mean.of || !one->label)
        return "a mean of values that are not means of items";
    if (one->strata.count != 1) return "items in strata of their own";
    return one->sets == first->sets ? NULL : "unequal sets of items";
}

static void join(const struct observations *const *of, int count, struct observations *joined,
                 struct arena *arena)
{
    int items = 0, *end = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) end[i] = items += of[i]->items;
    struct item *label = ARENA_ARRAY(arena, struct item, items);
    int *line = ARENA_ARRAY(arena, int, items), at = 0;
    const void **item = ARENA_ARRAY(arena, const void *, joined->sets);
    for (int set = 0; set < joined->sets; set++) {
        double *number = ARENA_ARRAY(arena, double, items);
        for (int i = 0; i < count; i++)
            memcpy(number + end[i] - of[i]->items, of[i]->item[set],
                   sizeof *number * (size_t)of[i]->items);
        item[set] = number;
    }
    joined->signature = NULL;
    joined->score = 0;
    for (int i = 0; i < count; i++) {
        joined->signature = arena_append(arena, joined->signature, "; ", of[i]->signature);
        joined->score += of[i]->score / count;
        for (int k = 0; k < of[i]->items; k++, at++) {
            label[at] = of[i]->label[k];
            label[at].stratum = of[i]->signature; /* equal in every row and seed, as
                                                     comparison_problem requires */
            line[at] = of[i]->line[k];
        }
    }
    joined->items = items;
    joined->strata = (struct strata){count, end};
    joined->label = label;
    joined->line = line;
    joined->item = item;
}

const struct observations *observations_join(const struct observations *const *of, int count)
{
    struct arena *arena;
    struct observations *joined = observations_derived("join", of, count, &arena);
    for (int i = 0; i < count && arena && !joined->problem; i++)
        joined->problem = differ(of[i], of[0]);
    if (arena && !joined->problem) join(of, count, joined, arena);
    return joined;
}
