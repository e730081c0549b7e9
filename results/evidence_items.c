/* The mean of the items that a stage left, of all or of those of a class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/evidence_read.h"

struct reading {
    struct evidence_job *job;
    const struct item **set; /* [sets] as the files have them */
    int items;               /* of each */
};

static bool same_label(const struct item *a, const struct item *b)
{
    return !strcmp(a->class, b->class) && !strcmp(a->stratum, b->stratum);
}

static bool read_set(void *context, int set, const char *path, char *text, size_t bytes)
{
    struct reading *reading = context;
    struct evidence *evidence = reading->job->evidence;
    int count;
    const struct item *item =
        items_read(reading->job->arena, path, text, bytes, &count, &evidence->problem);
    if (!item) return false;
    if (count != reading->items) {
        evidence->problem = arena_print(reading->job->arena, "%s has %d items, %d were recorded",
                                        path, count, reading->items);
        return false;
    }
    for (int i = 0; set && i < count; i++)
        if (!same_label(&item[i], &reading->set[0][i])) {
            evidence->problem = arena_print(
                reading->job->arena, "%s: item %d is of another class or stratum than in set 1",
                path, i + 1);
            return false;
        }
    reading->set[set] = item;
    return true;
}

static int compare_strata(const void *a, const void *b)
{
    const struct item *const *x = a, *const *y = b;
    const int order = strcmp((*x)->stratum, (*y)->stratum);
    return order ? order : (*x > *y) - (*x < *y); /* in a stratum as in the file */
}

/* The items of the class, stratum by stratum. */
static void arrange(const struct reading *reading)
{
    struct arena *arena = reading->job->arena;
    struct evidence *evidence = reading->job->evidence;
    const struct item *first = reading->set[0],
                      **chosen = ARENA_ARRAY(arena, const struct item *, reading->items);
    for (int i = 0; i < reading->items; i++)
        if (!evidence->class || !strcmp(first[i].class, evidence->class))
            chosen[evidence->items++] = &first[i];
    qsort(chosen, (size_t)evidence->items, sizeof *chosen, compare_strata);
    struct item *label = ARENA_ARRAY(arena, struct item, evidence->items + 1);
    int *end = ARENA_ARRAY(arena, int, evidence->items + 1), strata = 0;
    for (int i = 0; i < evidence->items; i++) {
        label[i] = *chosen[i];
        strata += !i || strcmp(label[i].stratum, label[i - 1].stratum);
        end[strata - 1] = i + 1;
    }
    const void **item = ARENA_ARRAY(arena, const void *, evidence->sets);
    for (int set = 0; set < evidence->sets; set++) {
        double *number = ARENA_ARRAY(arena, double, evidence->items + 1);
        for (int i = 0; i < evidence->items; i++)
            number[i] = reading->set[set][chosen[i] - first].number;
        item[set] = number;
    }
    evidence->label = label;
    evidence->strata = (struct strata){strata, end};
    evidence->item = item;
}

/* What the stage says that the value is; NaN: nothing. */
static double recorded_value(const struct evidence_job *job)
{
    static const char sql[] =
        "SELECT value FROM metric WHERE stage = (SELECT number FROM stage WHERE id = ?1) AND name "
        "= ?2 AND class = ?3 AND layer IS NULL AND head IS NULL AND \"set\" IS NULL ORDER BY step "
        "DESC LIMIT 1";
    const json_t *value = json_object_get(job->summary, job->value);
    if (!job->evidence->class)
        return json_is_number(value) ? json_number_value(value) : (double)NAN;
    sqlite3_stmt *ask =
        store_ask(job->store, sql, "sss", job->evidence->id, job->value, job->evidence->class);
    const double recorded = store_next(ask) ? store_real(ask, 0) : (double)NAN;
    store_finish(ask);
    return recorded;
}

static void read(struct evidence_job *job)
{
    struct evidence *evidence = job->evidence;
    struct arena *arena = job->arena;
    const char *class = evidence->class;
    evidence->signature = evidence_word(job, job->summary, "signature");
    struct reading reading = {.job = job};
    reading.items = (int)json_integer_value(json_object_get(job->summary, "items"));
    reading.set = ARENA_ARRAY(arena, const struct item *, json_object_size(job->outputs) + 1);
    if (!evidence->signature || reading.items < 1) {
        evidence->problem = arena_print(arena, "%s: its summary has no %s", evidence->name,
                                        evidence->signature ? "items" : "signature");
        return;
    }
    if (class) evidence->signature = arena_print(arena, "%s|class:%s", evidence->signature, class);
    if (!evidence_sets(job, "items", "tsv", "written", read_set, &reading)) return;
    arrange(&reading);
    if (!evidence->items) {
        evidence->problem =
            arena_print(arena, "%s: none of its items is of the class %s", evidence->name, class);
        return;
    }
    evidence->statistic = statistic_mean;
    for (int set = 0; set < evidence->sets; set++)
        evidence->score +=
            statistic_mean.of_set(NULL, evidence->strata, evidence->item[set], NULL) /
            evidence->sets;
    evidence_check(job, class ? arena_print(arena, "items of the class %s", class) : "items",
                   recorded_value(job));
}

const struct evidence *evidence_items(struct store *store, const char *kind, const char *id,
                                      const char *value, const char *class)
{
    return evidence_read(store, kind, id, value, class, read);
}
