/* Compares done.json with metrics.jsonl. Reads metrics.jsonl once. For each name of the summary,
 * keeps the sum of the rows with the highest rank. */
#include "experiments/keep/verify_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/journal_read.h"
#include "core/base/number.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

/* Ranks of rows. If a name has rows of several ranks, only rows of the highest rank determine its
 * value. */
enum rank { RANK_NONE, RANK_LAYERS, RANK_SETS, RANK_ROW };

struct derived {
    const char *name;
    enum rank rank;
    bool missing; /* the value of a row is not a number */
    double sum, weight;
};

struct faults {
    struct arena *arena;
    const char **text; /* [count] */
    int count;
};

struct derivation {
    struct arena *arena;
    const json_t *summary;
    struct derived *derived; /* [count] */
    int count;
    int64_t steps; /* step of the last row with a step; -1: none */
};

static void take(struct derivation *of, const char *name, enum rank rank, const json_t *value,
                 double weight)
{
    int i = 0;
    if (!json_object_get(of->summary, name)) return;
    while (i < of->count && strcmp(of->derived[i].name, name) != 0) i++;
    if (i == of->count) {
        ARENA_ADD(of->arena, of->derived, of->count,
                  (struct derived){.name = arena_text(of->arena, name)});
    }
    struct derived *derived = &of->derived[i];
    if (rank < derived->rank) return;
    if (rank > derived->rank || rank == RANK_ROW)
        *derived = (struct derived){.name = derived->name, .rank = rank};
    derived->missing |= !json_is_number(value);
    derived->sum += json_number_value(value) * weight;
    derived->weight += weight;
}

static void take_row(struct derivation *of, const json_t *row)
{
    const json_t *layer = json_object_get(row, "layer"), *set = json_object_get(row, "set");
    const json_t *value = json_object_get(row, "value"), *n = json_object_get(row, "n");
    const char *name = journal_text(row, "name");
    if (!set) set = json_object_get(row, "tag"); /* older programs wrote this key */
    if (json_object_get(row, "head") || json_object_get(row, "class") || (layer && set)) return;
    if (layer) {
        take(of, name, RANK_LAYERS, value, json_is_number(n) ? json_number_value(n) : 1);
        take(of, arena_print(of->arena, "%s.%lld", name, json_integer_value(layer)), RANK_ROW,
             value, 1);
        return;
    }
    take(of, name, set ? RANK_SETS : RANK_ROW, value, 1);
    const json_t *step = json_object_get(row, "step");
    if (!set && json_is_integer(step) && json_object_get(of->summary, name))
        of->steps = json_integer_value(step);
}

static const char *text_of(struct arena *arena, const json_t *value)
{
    char number[REAL_TEXT];
    if (json_is_string(value)) return json_string_value(value);
    if (!json_is_number(value)) return "no number";
    real_print(json_number_value(value), number);
    return arena_text(arena, number);
}

/* Returns NULL if the value in the summary, `said`, equals the derived value; else the fault. */
static const char *fault_of(struct arena *arena, const struct derived *derived, const json_t *said)
{
    const double value = derived->sum / derived->weight, told = json_number_value(said);
    const double slack = derived->rank == RANK_ROW ? 0 : 1e-9 * fmax(fabs(value), fabs(told));
    if (!derived->weight) return NULL;
    if (derived->missing ? json_is_null(said) : json_is_number(said) && fabs(value - told) <= slack)
        return NULL;
    json_auto_t *number = derived->missing ? json_null() : json_real(value);
    return arena_print(arena, "%s is %s, " JOURNAL_METRICS " gives %s", derived->name,
                       text_of(arena, said), text_of(arena, number));
}

static void add(struct faults *all, const char *fault)
{
    if (!fault) return;
    ARENA_ADD(all->arena, all->text, all->count, fault);
}

/* Compares the values that the first format of done.json has twice, in done.json and in
 * metrics.jsonl. */
static void compare_copies(struct faults *all, const char *folder, const char *kind,
                           const json_t *done)
{
    const char *expected = json_string_value(json_object_get(done, STAGE_SUMMARY_DIGEST));
    const json_t *summary = json_object_get(done, "summary");
    char digest[DIGEST_TEXT];
    SCOPED(heap_free) char *text = json_dumps(summary, JSON_COMPACT | JSON_SORT_KEYS);
    digest_bytes(text ? text : "", text ? strlen(text) : 0, digest);
    if (expected && strcmp(expected, digest) != 0)
        add(all, "its summary has changed since it was written");
    struct derivation of = {.arena = all->arena, .summary = summary, .steps = -1};
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, 0);
    for (json_t *row; (row = journal_next(&reader));) take_row(&of, row);
    if (of.steps >= 0 && offer_trains(offer_of(kind))) {
        json_auto_t *steps = json_integer(of.steps);
        take(&of, "steps", RANK_ROW, steps, 1);
    }
    for (int i = 0; i < of.count; i++)
        add(all,
            fault_of(all->arena, &of.derived[i], json_object_get(summary, of.derived[i].name)));
}

int summary_faults(struct arena *arena, const char *folder, const char *kind, const json_t *done,
                   const char ***fault)
{
    struct faults all = {.arena = arena};
    const char *status = json_string_value(json_object_get(done, "status"));
    if (!status_is_final(status))
        add(&all, arena_print(arena, "status is %s; expected " STATUS_DONE " or " STATUS_DIVERGED,
                              status ? status : "missing"));
    if (!json_object_get(done, "format")) compare_copies(&all, folder, kind, done);
    *fault = all.text;
    return all.count;
}
