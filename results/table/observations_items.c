/* Reads observations from items.tsv, of all items or of one class. Their statistic is the mean of
 * the items or, if items have weights, the ratio. Resampling draws within strata, so items are
 * sorted by stratum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "results/table/observations_read.h"

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
    for (int i = 0; i < items && !observations->problem; i++) {
        if (weighted)
            ratio[i] = (struct ratio_item){item[i].number, item[i].weight};
        else
            number[i] = item[i].number;
        if (strcmp(item[i].class, label[i].class) || strcmp(item[i].stratum, label[i].stratum) ||
            item[i].weight != label[i].weight)
            observations->problem = arena_print(
                job->arena, "%s: item %d is of another class, stratum or weight than in set 1",
                path, i + 1);
    }
    if (observations->problem) return NULL;
    return weighted ? (const void *)ratio : number;
}

/* Reads the sets from the output files of the stage: STEM.tsv, or STEM.1.tsv, STEM.2.tsv and so on.
 * If there is no file, or a file cannot be read, sets the problem. */
static void read_sets(struct observations_job *job, const char *stem, int items)
{
    struct observations *observations = job->observations;
    const char *name = arena_print(job->arena, "%s.tsv", stem);
    const char *digest = observations_digest(job, name);
    const void **item = NULL;
    observations->files = digest ? name : arena_print(job->arena, "%s.*.tsv", stem);
    for (int set = 0; !observations->problem; set++) {
        if (set || !digest) {
            name = arena_print(job->arena, "%s.%d.tsv", stem, set + 1);
            digest = observations_digest(job, name);
        }
        if (!digest) break;
        const char *path = arena_print(job->arena, "%s/%s", job->folder, name);
        ARENA_ADD(job->arena, item, observations->sets, read_set(job, set, path, digest, items));
    }
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

/* True if items of this class belong to the measure. */
static bool is_of(const struct measure *measure, const char *class)
{
    return !measure || !measure->classes || word_known(class, measure->classes);
}

/* Reads the items of all classes of the measure. */
static void read_all(struct observations_job *job)
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
    const struct observations as_read = *observations;
    const struct item **sorted = ARENA_ARRAY(arena, const struct item *, items);
    int *index = ARENA_ARRAY(arena, int, items), chosen = 0;
    for (int i = 0; i < items; i++)
        if (is_of(measure, as_read.label[i].class)) sorted[chosen++] = &as_read.label[i];
    if (!chosen) {
        observations->problem = arena_print(arena, "%s: none of its items is of a class of %s",
                                            observations->name, job->value);
        return;
    }
    qsort(sorted, (size_t)chosen, sizeof *sorted, compare_strata);
    for (int i = 0; i < chosen; i++) index[i] = (int)(sorted[i] - as_read.label);
    observations_choose(job, &as_read, index, chosen);
}

/* Selects the items of a class. The items of all classes are read only once. */
static void read_class(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const struct observations *all = observations_read(
        job->store, job->cache, job->kind, observations->id, job->value, NULL, observations_items);
    observations->problem = all->problem;
    observations->absent = all->absent;
    if (all->problem) return;
    int *index = ARENA_ARRAY(job->arena, int, all->items), count = 0;
    for (int i = 0; i < all->items; i++)
        if (!strcmp(all->label[i].class, observations->class)) index[count++] = i;
    observations_choose(job, all, index, count);
}

void observations_items(struct observations_job *job)
{
    const struct measure *measure = offer_measure(job->kind, job->value);
    if (job->observations->class)
        read_class(job);
    else
        read_all(job);
    if (measure && measure->items) job->observations->statistic.items = measure->items;
}
