/* The mean of the items that a stage left, of all or of those of a class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/table/evidence_read.h"

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

/* Room for the items of an evidence, which has their count. */
struct room {
    struct item *label;
    int *line, *end;
    double **number; /* [sets] */
};

static struct room room_for(struct evidence *evidence, struct arena *arena)
{
    const int items = evidence->items;
    struct room room = {ARENA_ARRAY(arena, struct item, items), ARENA_ARRAY(arena, int, items),
                        ARENA_ARRAY(arena, int, items),
                        ARENA_ARRAY(arena, double *, evidence->sets)};
    const void **item = ARENA_ARRAY(arena, const void *, evidence->sets);
    for (int set = 0; set < evidence->sets; set++)
        item[set] = room.number[set] = ARENA_ARRAY(arena, double, items);
    evidence->label = room.label;
    evidence->line = room.line;
    evidence->item = item;
    evidence->strata.end = room.end;
    return room;
}

/* The next one is item i, whose stratum is that of the one before it or a new one. */
static void put_label(struct evidence *evidence, struct room *room, int i, const struct item *item,
                      int line)
{
    room->label[i] = *item;
    room->line[i] = line;
    evidence->strata.count += !i || strcmp(item->stratum, room->label[i - 1].stratum);
    room->end[evidence->strata.count - 1] = i + 1;
}

/* All items, stratum by stratum. */
static void arrange(const struct reading *reading)
{
    struct arena *arena = reading->job->arena;
    struct evidence *evidence = reading->job->evidence;
    const struct item *first = reading->set[0],
                      **sorted = ARENA_ARRAY(arena, const struct item *, reading->items);
    for (int i = 0; i < reading->items; i++) sorted[i] = &first[i];
    qsort(sorted, (size_t)reading->items, sizeof *sorted, compare_strata);
    evidence->items = reading->items;
    struct room room = room_for(evidence, arena);
    for (int i = 0; i < evidence->items; i++) {
        const int line = (int)(sorted[i] - first);
        put_label(evidence, &room, i, sorted[i], line);
        for (int set = 0; set < evidence->sets; set++)
            room.number[set][i] = reading->set[set][line].number;
    }
}

/* Those of the class, of all that were read: once, however many classes there are. */
static void choose(struct evidence_job *job, const struct evidence *all)
{
    struct evidence *evidence = job->evidence;
    for (int i = 0; i < all->items; i++)
        evidence->items += !strcmp(all->label[i].class, evidence->class);
    struct room room = room_for(evidence, job->arena);
    for (int i = 0, at = 0; at < evidence->items; i++) {
        if (strcmp(all->label[i].class, evidence->class) != 0) continue;
        put_label(evidence, &room, at, &all->label[i], all->line[i]);
        for (int set = 0; set < evidence->sets; set++)
            room.number[set][at] = ((const double *)all->item[set])[i];
        at++;
    }
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

/* Reads what the stage left; false: the problem says why it cannot be used. */
static bool read_all(struct evidence_job *job)
{
    struct evidence *evidence = job->evidence;
    struct arena *arena = job->arena;
    evidence->signature = evidence_word(job, job->summary, "signature");
    struct reading reading = {.job = job};
    reading.items = (int)json_integer_value(json_object_get(job->summary, "items"));
    reading.set = ARENA_ARRAY(arena, const struct item *, json_object_size(job->outputs) + 1);
    if (!evidence->signature || reading.items < 1) {
        evidence->problem = arena_print(arena, "%s: its summary has no %s", evidence->name,
                                        evidence->signature ? "items" : "signature");
        return false;
    }
    if (!evidence_sets(job, "items", "tsv", "written", read_set, &reading)) return false;
    arrange(&reading);
    return true;
}

/* The same of a class. */
static bool read_class(struct evidence_job *job)
{
    struct evidence *evidence = job->evidence;
    const struct evidence *all =
        evidence_items(job->store, job->kind, evidence->id, job->value, NULL);
    evidence->problem = all->problem;
    if (all->problem) return false;
    evidence->files = all->files;
    evidence->sets = all->sets;
    evidence->signature = arena_print(job->arena, "%s|class:%s", all->signature, evidence->class);
    choose(job, all);
    if (!evidence->items)
        evidence->problem = arena_print(job->arena, "%s: none of its items is of the class %s",
                                        evidence->name, evidence->class);
    return evidence->items > 0;
}

static void read(struct evidence_job *job)
{
    struct evidence *evidence = job->evidence;
    const char *class = evidence->class;
    if (!(class ? read_class(job) : read_all(job))) return;
    evidence->statistic = statistic_mean;
    for (int set = 0; set < evidence->sets; set++)
        evidence->score +=
            statistic_mean.of_set(NULL, evidence->strata, evidence->item[set], NULL) /
            evidence->sets;
    evidence_check(job, class ? arena_print(job->arena, "items of the class %s", class) : "items",
                   recorded_value(job));
}

const struct evidence *evidence_items(struct store *store, const char *kind, const char *id,
                                      const char *value, const char *class)
{
    return evidence_read(store, kind, id, value, class, read);
}
