#include "results/sample.h"

#include <math.h>
#include <string.h>

#include "results/number.h"

/* What a stage that is not done is said to be, in the order in which it is said. */
static const struct {
    const char *status, *word;
} words[] = {{"running", "running"}, {"failed", "failed"},       {"diverged", "div."},
             {"stopped", "stopped"}, {"interrupted", "stopped"}, {"waiting", "waiting"},
             {"missing", "missing"}};

struct sampler sampler_open(struct store *store, struct arena *arena)
{
    return (struct sampler){
        .store = store,
        .arena = arena,
        .status = store_prepare(store, "SELECT status, wall FROM stage WHERE id = ?"),
        .value = store_prepare(store, "SELECT value FROM summary JOIN stage ON stage = number "
                                      "WHERE id = ? AND name = ?"),
        .text = store_prepare(store, "SELECT text FROM summary JOIN stage ON stage = number "
                                     "WHERE id = ? AND name = ?")};
}

void sampler_close(struct sampler *sampler)
{
    store_finish(sampler->status);
    store_finish(sampler->value);
    store_finish(sampler->text);
}

/* Status and wall time of a stage; "missing" when there is no such stage yet. */
static const char *stage_status(struct sampler *sampler, const char *id, double *wall)
{
    const char *status = "missing";
    store_bind(sampler->status, "s", id);
    while (store_next(sampler->status)) {
        status = store_text(sampler->status, 0, sampler->arena);
        *wall += store_real(sampler->status, 1);
    }
    return status;
}

static double stage_value(struct sampler *sampler, const char *id, const char *name)
{
    double value = (double)NAN;
    store_bind(sampler->value, "ss", id, name);
    while (store_next(sampler->value)) value = store_real(sampler->value, 0);
    return value;
}

static const char *stage_signature(struct sampler *sampler, const char *id)
{
    const char *text = NULL;
    store_bind(sampler->text, "ss", id, "signature");
    while (store_next(sampler->text)) text = store_text(sampler->text, 0, sampler->arena);
    return text;
}

static void add_signature(struct sample *sample, const char *signature)
{
    if (!signature) return;
    if (sample->signature && strcmp(sample->signature, signature) != 0) sample->mixed = true;
    sample->signature = signature;
}

/* The value of one seed, or NaN and in *why the status of the first stage that is not done. */
static double sample_seed(struct sampler *sampler, const struct column *column,
                          const struct summary_seed *seed, struct sample *sample, const char **why)
{
    double wall = 0, value = (double)NAN;
    *why = NULL;
    for (int i = 0; i < seed->count; i++) {
        const struct summary_stage *stage = &seed->stage[i];
        const char *status = stage_status(sampler, stage->id, &wall);
        bool done = strcmp(status, "done") == 0;
        if (!done && !*why) *why = status;
        if (!column->kind || strcmp(column->kind, stage->kind) != 0) continue;
        if (!done && !(column->always && strcmp(status, "diverged") == 0)) continue;
        double found = stage_value(sampler, stage->id, column->value);
        if (!isfinite(found) || isfinite(value)) continue;
        value = found;
        add_signature(sample, stage_signature(sampler, stage->id));
    }
    if (!column->kind && !*why && seed->count) value = wall;
    return value;
}

struct sample sample_row(struct sampler *sampler, const struct column *column,
                         const struct summary_row *row)
{
    struct sample sample = {.total = row->count,
                            .value = ARENA_ARRAY(sampler->arena, double, row->count),
                            .why = ARENA_ARRAY(sampler->arena, const char *, row->count)};
    for (int i = 0; i < row->count; i++) {
        sample.value[i] = sample_seed(sampler, column, &row->seed[i], &sample, &sample.why[i]);
        sample.count += isfinite(sample.value[i]);
    }
    return sample;
}

/* "2 failed, 1 running" of the seeds without a value; only the word when all seeds say the same and
 * none has a value; NULL when there is nothing to say. */
static const char *say_why(struct sampler *sampler, const struct sample *sample)
{
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        int count = 0;
        for (int k = 0; k < sample->total; k++)
            count += !isfinite(sample->value[k]) && sample->why[k] &&
                     strcmp(sample->why[k], words[i].status) == 0;
        if (!count) continue;
        if (count == sample->total) return words[i].word;
        const char *part = arena_print(sampler->arena, "%d %s", count, words[i].word);
        text = text ? arena_print(sampler->arena, "%s, %s", text, part) : part;
    }
    return text;
}

const char *sample_text(struct sampler *sampler, const struct column *column,
                        const struct sample *sample)
{
    struct arena *arena = sampler->arena;
    const char *why = say_why(sampler, sample);
    if (!sample->count) return why;
    double *value = ARENA_ARRAY(arena, double, sample->count);
    int n = 0;
    bool same = true;
    for (int i = 0; i < sample->total; i++) {
        if (!isfinite(sample->value[i])) continue;
        value[n++] = sample->value[i];
        same &= value[n - 1] == value[0];
    }
    const char *text = column_text(column, number_mean(value, n), arena);
    bool exact = column->form == COLUMN_COUNT && same; /* as the size of a model: no statistic */
    if (n > 1 && !exact && column->form != COLUMN_SECONDS)
        text = arena_print(arena, "%s ± %s", text,
                           column_text(column, number_deviation(value, n), arena));
    if (n < sample->total && !exact) {
        sampler->partial = true;
        return arena_print(arena, "%s (%d/%d%s%s)", text, n, sample->total, why ? ", " : "",
                           why ? why : "");
    }
    return n > 1 && !exact ? arena_print(arena, "%s (%d)", text, n) : text;
}

static bool same_signature(const struct sample *a, const struct sample *b)
{
    if (a->mixed || b->mixed) return false;
    if (!a->signature || !b->signature) return a->signature == b->signature;
    return strcmp(a->signature, b->signature) == 0;
}

/* Mean difference over the seeds that both rows have. */
const char *sample_delta(struct sampler *sampler, const struct column *column,
                         const struct summary_row *row, const struct summary_row *baseline)
{
    if (row == baseline) return "";
    struct sample ours = sample_row(sampler, column, row),
                  theirs = sample_row(sampler, column, baseline);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < ours.total; i++)
        for (int k = 0; k < theirs.total; k++) {
            if (row->seed[i].seed != baseline->seed[k].seed) continue;
            double difference = ours.value[i] - theirs.value[k];
            if (!isfinite(difference)) continue;
            sum += difference;
            n++;
        }
    if (!n) return NULL;
    if (!same_signature(&ours, &theirs)) {
        sampler->incomparable = true;
        return "n/c";
    }
    const char *text = column_text(column, sum / n, sampler->arena);
    if (n == ours.total) return text;
    sampler->partial = true;
    return arena_print(sampler->arena, "%s (%d/%d)", text, n, ours.total);
}
