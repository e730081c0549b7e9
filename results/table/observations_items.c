/* Reads observations from items.tsv, of all items or of one class. Their statistic is the mean of
 * the items or, if items have weights, the ratio. Resampling draws within strata, so items are
 * sorted by stratum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "results/store/kept_file.h"
#include "results/table/observations_read.h"

/* The items of a stage while its files are read. Each file has one set. */
struct item_files {
    struct observations_job *job;
    int items;                /* number of items in each set */
    const struct item *label; /* [items] labels of the first set */
    const void **item;        /* [sets] arrays of double or, if the first set has weights, of struct
                                 ratio_item */
};

static bool read_set(struct item_files *files, int set, const char *path, char *text, size_t bytes)
{
    struct arena *arena = files->job->arena;
    const char **problem = &files->job->observations->problem;
    int count;
    const struct item *item = tsv_read(arena, path, &items_form, text, bytes, &count, problem);
    if (!item) return false;
    if (!set) files->label = item;
    const bool weighted = files->label->weight > 0;
    files->job->observations->statistic = weighted ? statistic_ratio : statistic_mean;
    double *number = weighted ? NULL : ARENA_ARRAY(arena, double, count);
    struct ratio_item *ratio = weighted ? ARENA_ARRAY(arena, struct ratio_item, count) : NULL;
    if (count != files->items)
        *problem =
            arena_print(arena, "%s has %d items, %d were recorded", path, count, files->items);
    for (int i = 0; i < count && !*problem; i++) {
        if (weighted)
            ratio[i] = (struct ratio_item){item[i].number, item[i].weight};
        else
            number[i] = item[i].number;
        if (strcmp(item[i].class, files->label[i].class) ||
            strcmp(item[i].stratum, files->label[i].stratum) ||
            item[i].weight != files->label[i].weight)
            *problem = arena_print(
                arena, "%s: item %d is of another class, stratum or weight than in set 1", path,
                i + 1);
    }
    files->item[set] = weighted ? (const void *)ratio : number;
    return !*problem;
}

/* Reads the sets from the output files of the stage: STEM.tsv, or STEM.1.tsv, STEM.2.tsv and so on.
 * If there is no file, or a file cannot be read, sets the problem and returns false. */
static bool read_sets(struct item_files *files, const char *stem)
{
    struct observations_job *job = files->job;
    struct observations *observations = job->observations;
    const char *name = arena_print(job->arena, "%s.tsv", stem);
    const char *digest = observations_digest(job, name);
    observations->files = digest ? name : arena_print(job->arena, "%s.*.tsv", stem);
    for (int set = 0;; set++) {
        size_t bytes;
        if (set || !digest) {
            name = arena_print(job->arena, "%s.%d.tsv", stem, set + 1);
            digest = observations_digest(job, name);
        }
        if (!digest) break;
        const char *path = arena_print(job->arena, "%s/%s", job->folder, name);
        char *text = kept_read(job->arena, path, digest, &bytes, &observations->problem);
        ARENA_MORE(job->arena, files->item, set);
        if (!text || !read_set(files, set, path, text, bytes)) return false;
        observations->sets++;
    }
    if (!observations->sets)
        observations->problem = arena_print(job->arena, "%s has no %s", job->folder, stem);
    return observations->sets > 0;
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
    struct item_files files = {.job = job, .items = items};
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
    if (!read_sets(&files, stem)) return;
    const struct item **sorted = ARENA_ARRAY(arena, const struct item *, items);
    int *index = ARENA_ARRAY(arena, int, items), chosen = 0;
    for (int i = 0; i < items; i++)
        if (is_of(measure, files.label[i].class)) sorted[chosen++] = &files.label[i];
    if (!chosen) {
        observations->problem = arena_print(arena, "%s: none of its items is of a class of %s",
                                            observations->name, job->value);
        return;
    }
    qsort(sorted, (size_t)chosen, sizeof *sorted, compare_strata);
    for (int i = 0; i < chosen; i++) index[i] = (int)(sorted[i] - files.label);
    struct observations as_read = *observations;
    as_read.label = files.label;
    as_read.item = files.item;
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
