/* Reads observations from items.tsv, of all items or of one class. Their statistic is the mean of
 * the items or, if items have weights, the ratio. Resampling draws within strata, so items are
 * sorted by stratum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "results/store/kept_file.h"
#include "results/store/value_cache.h"
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
    const char *digest = observations_word(job, job->outputs, name);
    observations->files = digest ? name : arena_print(job->arena, "%s.*.tsv", stem);
    for (int set = 0;; set++) {
        size_t bytes;
        if (set || !digest) {
            name = arena_print(job->arena, "%s.%d.tsv", stem, set + 1);
            digest = observations_word(job, job->outputs, name);
        }
        if (!digest) break;
        const char *path = arena_print(job->arena, "%s/%s", job->folder, name);
        char *text = kept_read(job->arena, path, digest, &bytes, &observations->problem);
        if (!text || !read_set(files, set, path, text, bytes)) return false;
        observations->sets++;
    }
    if (!observations->sets)
        observations->problem = arena_print(job->arena, "%s has no %s", job->folder, stem);
    return observations->sets > 0;
}

/* Copies the items with these indices from `from` to the job's observations. The indices must be
 * sorted by stratum. */
static void choose(struct observations_job *job, const struct observations *from, const int *index,
                   int count)
{
    struct observations *to = job->observations;
    struct item *label = ARENA_ARRAY(job->arena, struct item, count);
    int *line = ARENA_ARRAY(job->arena, int, count), *end = ARENA_ARRAY(job->arena, int, count);
    const void **item = ARENA_ARRAY(job->arena, const void *, from->sets);
    for (int i = 0; i < count; i++) {
        label[i] = from->label[index[i]];
        line[i] = from->line ? from->line[index[i]] : index[i];
        to->strata.count += !i || strcmp(label[i].stratum, label[i - 1].stratum);
        end[to->strata.count - 1] = i + 1;
    }
    to->statistic = from->statistic;
    const size_t bytes = from->statistic.bytes;
    for (int set = 0; set < from->sets; set++) {
        char *chosen = arena_alloc(job->arena, bytes * (size_t)count);
        const char *all = from->item[set];
        for (int i = 0; i < count; i++)
            memcpy(chosen + bytes * (size_t)i, all + bytes * (size_t)index[i], bytes);
        item[set] = chosen;
    }
    to->sets = from->sets;
    to->items = count;
    to->label = label;
    to->line = line;
    to->strata.end = end;
    to->item = item;
}

static int compare_strata(const void *a, const void *b)
{
    const struct item *const *x = a, *const *y = b;
    const int order = strcmp((*x)->stratum, (*y)->stratum);
    return order ? order : (*x > *y) - (*x < *y); /* within a stratum: the order of the file */
}

/* Returns the value that the stage recorded; NaN if there is none. */
static double recorded_value(const struct observations_job *job)
{
    const struct dimensions of = {.class = job->observations->class};
    const json_t *value = json_object_get(job->summary, job->value);
    if (!of.class) return json_is_number(value) ? json_number_value(value) : (double)NAN;
    struct value_cache *cache = value_cache_open(job->store, &job->observations->id, 1, job->arena);
    const int64_t number = value_cache_stage(cache, job->observations->id).number;
    return value_cache_metric(cache, number, job->value, &of);
}

/* True if items of this class belong to the measure. */
static bool is_of(const struct measure *measure, const char *class)
{
    return !measure || !measure->classes || word_known(class, measure->classes);
}

/* Reads the items of all classes of the measure. If they cannot be used, sets the problem and
 * returns false. */
static bool read_all(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct arena *arena = job->arena;
    const int items = (int)json_integer_value(json_object_get(job->summary, "items"));
    struct item_files files = {
        job, items, NULL, ARENA_ARRAY(arena, const void *, json_object_size(job->outputs) + 1)};
    const struct measure *measure = offer_measure(job->kind, job->value);
    const char *signature = offer_signature(measure);
    observations->absent = items < 1 && !json_object_get(job->summary, job->value);
    if (observations->absent) {
        observations->problem = arena_print(arena, "%s was done before %s was measured",
                                            observations->name, job->value);
        return false;
    }
    observations->signature = observations_word(job, job->summary, signature);
    if (!observations->signature || items < 1) {
        observations->problem = arena_print(arena, "%s: its summary has no %s", observations->name,
                                            observations->signature ? "items" : signature);
        return false;
    }
    const char *stem = offer_is_control(measure) ? "start" : "items";
    if (!read_sets(&files, stem)) return false;
    const struct item **sorted = ARENA_ARRAY(arena, const struct item *, items);
    int *index = ARENA_ARRAY(arena, int, items), chosen = 0;
    for (int i = 0; i < items; i++)
        if (is_of(measure, files.label[i].class)) sorted[chosen++] = &files.label[i];
    if (!chosen) {
        observations->problem = arena_print(arena, "%s: none of its items is of a class of %s",
                                            observations->name, job->value);
        return false;
    }
    qsort(sorted, (size_t)chosen, sizeof *sorted, compare_strata);
    for (int i = 0; i < chosen; i++) index[i] = (int)(sorted[i] - files.label);
    const struct observations as_read = {.sets = observations->sets,
                                         .statistic = observations->statistic,
                                         .label = files.label,
                                         .item = files.item};
    choose(job, &as_read, index, chosen);
    return true;
}

/* Selects the items of a class. The items of all classes are read only once. */
static bool read_class(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const struct observations *all = observations_read(job->store, job->kind, observations->id,
                                                       job->value, NULL, observations_items);
    observations->problem = all->problem;
    observations->absent = all->absent;
    if (all->problem) return false;
    int *index = ARENA_ARRAY(job->arena, int, all->items), count = 0;
    for (int i = 0; i < all->items; i++)
        if (!strcmp(all->label[i].class, observations->class)) index[count++] = i;
    observations->files = all->files;
    observations->signature =
        arena_print(job->arena, "%s|class:%s", all->signature, observations->class);
    choose(job, all, index, count);
    if (!count)
        observations->problem = arena_print(job->arena, "%s: none of its items is of the class %s",
                                            observations->name, observations->class);
    return count > 0;
}

void observations_items(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const char *class = observations->class;
    if (!(class ? read_class(job) : read_all(job))) return;
    const struct measure *measure = offer_measure(job->kind, job->value);
    const struct statistic *statistic = &observations->statistic;
    if (measure && measure->items) observations->statistic.items = measure->items;
    for (int set = 0; set < observations->sets; set++)
        observations->score +=
            statistic_of(statistic, observations->strata, observations->item[set], NULL) /
            observations->sets;
    observations_check(job,
                       class ? arena_print(job->arena, "items of the class %s", class) : "items",
                       recorded_value(job));
}
