/* A value is that of the table's sampler; what a figure needs beyond it (its spread over seeds or
 * checkpoints, its layers, its curve) is asked of the metrics' rows. */
#include "plots/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal.h"
#include "core/base/mean.h"
#include "results/stats/student.h"
#include "results/store/offer.h"

struct value_reader value_reader_open(struct store *store, const struct summary_grid *grid,
                                      struct arena *arena)
{
    return (struct value_reader){sampler_open(store, grid, arena), store, grid, arena};
}

/* Which stage of one seed a column is of; -1: the row has none. */
static int find_stage(struct value_reader *reader, int row, int seed, const struct column *column)
{
    const struct summary_seed *from = &reader->grid->row[row].seed[seed];
    for (int i = 0; i < from->count; i++)
        if (sample_is_of(column, from, i)) return i;
    return -1;
}

/* The same; NULL: none. */
static const struct relation_stage *stage_of_seed(struct value_reader *reader, int row, int seed,
                                                  const struct column *column)
{
    const int at = find_stage(reader, row, seed, column);
    return at < 0 ? NULL : &sample_stages(&reader->sampler, row)[seed][at];
}

static bool is_done(const struct relation_stage *stage)
{
    return stage && sample_stage_done(stage);
}

const char *value_stage(struct value_reader *reader, int row, int seed, const struct column *column)
{
    const int at = find_stage(reader, row, seed, column);
    const bool done = at >= 0 && is_done(&sample_stages(&reader->sampler, row)[seed][at]);
    return done ? reader->grid->row[row].seed[seed].stage[at].id : NULL;
}

/* A dimension's number, as a parameter. */
static int64_t number_of(const struct column *column, enum dimension which)
{
    return column->of.number[which] ? column->of.number[which] : JOURNAL_NONE;
}

/* The values of each checkpoint of the only seed that has one. */
static void read_checkpoints(struct value_reader *reader, const struct column *column, int row,
                             const struct sample *sample, struct value_of_row *value)
{
    enum { MOST = 1000 };
    double *one = ARENA_ARRAY(reader->arena, double, MOST);
    int count = 0;
    for (int s = 0; s < sample->total; s++) {
        if (!isfinite(sample->value[s]) || !column->kind) continue;
        const struct relation_stage *stage = stage_of_seed(reader, row, s, column);
        if (!stage) continue;
        sqlite3_stmt *ask = store_ask(
            reader->store,
            "SELECT value FROM value WHERE stage = ? AND name = ? AND layer IS ? AND head IS ? "
            "AND class IS ? AND \"set\" IS NOT NULL AND step IS NULL ORDER BY rowid",
            "isnns", stage->number, column->value, number_of(column, DIMENSION_LAYER),
            number_of(column, DIMENSION_HEAD), column->of.class);
        while (store_next(ask))
            if (count < MOST) one[count++] = store_real(ask, 0);
    }
    if (count < 2) return;
    value->deviation = mean_deviation(one, count);
    value->count = count;
    value->spread = SPREAD_CHECKPOINTS;
}

double value_reach(const struct value_of_row *value)
{
    if (value->spread != SPREAD_SEEDS || value->count < VALUE_INTERVAL) return (double)NAN;
    return student_quantile(0.975, value->count - 1) * value->deviation / sqrt(value->count);
}

struct sample value_sample(struct value_reader *reader, const struct column *column, int row)
{
    struct sample sample = sample_row(&reader->sampler, column, row);
    if (sample_is_one(&sample)) sample.total = sample.count = 1;
    return sample;
}

struct value_of_row value_read(struct value_reader *reader, const struct column *column, int row)
{
    struct sample sample = value_sample(reader, column, row);
    struct value_of_row value = {
        .mean = (double)NAN, .deviation = (double)NAN, .signature = sample.signature};
    double *each = ARENA_ARRAY(reader->arena, double, sample.total + 1);
    for (int i = 0; i < sample.total; i++)
        if (isfinite(sample.value[i])) each[value.count++] = sample.value[i];
    if (!value.count || sample.mixed) return value;
    value.mean = mean_of(each, value.count);
    if (value.count > 1) {
        value.deviation = mean_deviation(each, value.count);
        value.spread = SPREAD_SEEDS;
    } else if (column->source == COLUMN_VALUE && !column->of.number[DIMENSION_SET]) {
        read_checkpoints(reader, column, row, &sample, &value);
    }
    return value;
}

/* The highest layer of which a row has a view of the column's part. */
static int highest_view(struct value_reader *reader, const struct column *column, int row,
                        const char *view)
{
    enum { MOST = 64 };
    const struct summary_row *from = &reader->grid->row[row];
    const char *begin = arena_print(reader->arena, "%s@%s", column->part, view);
    int highest = 0;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct summary_stage *stage = &from->seed[s].stage[i];
            if (strcmp(stage->kind, column->kind) != 0 || !stage->part) continue;
            if (strncmp(stage->part, begin, strlen(begin)) != 0) continue;
            char *end;
            const long layer = strtol(stage->part + strlen(begin), &end, 10);
            if (!*end && layer > highest && layer <= MOST) highest = (int)layer;
        }
    return highest;
}

/* Whether some layer of a view has a value. */
static int valued_views(struct value_reader *reader, const struct column *column, int row,
                        const char *view)
{
    const int highest = highest_view(reader, column, row, view);
    for (int l = 1; l <= highest; l++) {
        struct column at = *column;
        at.part = arena_print(reader->arena, "%s@%s%d", column->part, view, l);
        if (isfinite(value_read(reader, &at, row).mean)) return highest;
    }
    return 0;
}

int64_t value_counted_at(struct value_reader *reader, const struct column *column, int row)
{
    int64_t n = 0;
    for (int s = 0; s < reader->grid->row[row].count && !n; s++) {
        const struct relation_stage *stage = stage_of_seed(reader, row, s, column);
        if (!is_done(stage)) continue;
        sqlite3_stmt *ask = store_ask(
            reader->store,
            "SELECT max(n) FROM value WHERE stage = ? AND name = ? AND layer IS ? AND head IS ? "
            "AND \"set\" IS ? AND class IS ?",
            "isnnns", stage->number, column->value, number_of(column, DIMENSION_LAYER),
            number_of(column, DIMENSION_HEAD), number_of(column, DIMENSION_SET), column->of.class);
        while (store_next(ask)) n = sqlite3_column_int64(ask, 0);
        store_finish(ask);
    }
    return n;
}

int64_t value_counted(struct value_reader *reader, const struct column *column, int row)
{
    struct column whole = *column;
    whole.of = (struct dimensions){0};
    return value_counted_at(reader, &whole, row);
}

int value_layers(struct value_reader *reader, const struct column *column, int row, int64_t *n)
{
    int layers = 0;
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    if (offer && offer->layer_view) return valued_views(reader, column, row, offer->layer_view);
    for (int s = 0; s < reader->grid->row[row].count; s++) {
        const struct relation_stage *stage = stage_of_seed(reader, row, s, column);
        if (!is_done(stage)) continue;
        sqlite3_stmt *ask = store_ask(
            reader->store,
            "SELECT max(layer), max(n) FROM value WHERE stage = ? AND name = ? AND layer BETWEEN "
            "1 AND 64 AND head IS ? AND \"set\" IS ? AND class IS ?",
            "isnns", stage->number, column->value, number_of(column, DIMENSION_HEAD),
            number_of(column, DIMENSION_SET), column->of.class);
        while (store_next(ask)) {
            const int highest = sqlite3_column_int(ask, 0);
            if (highest > layers) layers = highest;
            if (sqlite3_column_int64(ask, 1)) *n = sqlite3_column_int64(ask, 1);
        }
    }
    return layers;
}

/* The root of the mean square of another metric of the same rows; NULL: there is none. */
static double root_of(struct value_reader *reader, const struct column *column, int row,
                      const char *end)
{
    struct column behind = *column;
    const char *name = column->measure ? column->measure->name : "";
    const char *metric = offer_number(column->kind, name, end, reader->arena);
    if (!metric || !offer_number(column->kind, name, "_sd", reader->arena)) return (double)NAN;
    behind.value = metric;
    const struct sample sample = sample_row(&reader->sampler, &behind, row);
    double sum = 0;
    for (int s = 0; s < sample.total; s++)
        if (isfinite(sample.value[s])) sum += sample.value[s] * sample.value[s];
    return sample.count ? sqrt(sum / sample.count) : (double)NAN;
}

double value_deviation(struct value_reader *reader, const struct column *column, int row)
{
    return root_of(reader, column, row, "_sd");
}

double value_error(struct value_reader *reader, const struct column *column, int row)
{
    return root_of(reader, column, row, "_se");
}

struct curve_point {
    int turn; /* which of its seed's, from 0 */
    double step, value;
};

static int by_turn(const void *a, const void *b)
{
    const struct curve_point *one = a, *other = b;
    return one->turn != other->turn ? one->turn - other->turn
                                    : (one->step > other->step) - (one->step < other->step);
}

/* All points of all seeds; returns how many, and the seeds that have any. */
static int read_points(struct value_reader *reader, int row, const struct column *column, bool done,
                       struct curve_point **points, int *seeds)
{
    int count = 0;
    *points = NULL;
    *seeds = 0;
    for (int s = 0; s < reader->grid->row[row].count; s++) {
        const struct relation_stage *stage = stage_of_seed(reader, row, s, column);
        const int before = count;
        if (!stage || stage->number < 0 || (done && !is_done(stage))) continue;
        sqlite3_stmt *ask =
            store_ask(reader->store,
                      "SELECT step, value FROM value WHERE stage = ? AND name = ? AND step IS NOT "
                      "NULL AND value IS NOT NULL AND " STORE_PLAIN " ORDER BY step",
                      "is", stage->number, column->value);
        while (store_next(ask)) {
            HEAP_MORE(*points, count);
            (*points)[count] =
                (struct curve_point){count - before, store_real(ask, 0), store_real(ask, 1)};
            count++;
        }
        *seeds += count > before;
    }
    return count;
}

/* Seeds may log their losses at different steps, of which those that they share are a curve's. */
static void turn_by_step(struct curve_point *point, int count)
{
    for (int i = 0; i < count; i++) point[i].turn = (int)point[i].step;
}

struct value_curve value_read_curve(struct value_reader *reader, int row,
                                    const struct column *column, bool done)
{
    struct curve_point *point;
    int seeds;
    const int count = read_points(reader, row, column, done, &point, &seeds);
    const bool logged = !strcmp(column->value, "loss");
    if (logged) turn_by_step(point, count);
    if (count) qsort(point, (size_t)count, sizeof *point, by_turn);
    struct value_curve curve = {.step = ARENA_ARRAY(reader->arena, double, count + 1),
                                .value = ARENA_ARRAY(reader->arena, double, count + 1),
                                .deviation = ARENA_ARRAY(reader->arena, double, count + 1)};
    double *each = ARENA_ARRAY(reader->arena, double, seeds + 1);
    for (int i = 0, end; i < count; i = end) {
        double sum = 0;
        for (end = i; end < count && point[end].turn == point[i].turn; end++) {
            if (end - i < seeds) each[end - i] = point[end].value;
            sum += point[end].step;
        }
        if (end - i != seeds && logged) continue;
        if (end - i != seeds) break; /* one of them is not as far */
        curve.step[curve.steps] = sum / seeds;
        curve.deviation[curve.steps] = seeds > 1 ? mean_deviation(each, seeds) : (double)NAN;
        curve.value[curve.steps++] = mean_of(each, seeds);
    }
    free(point);
    return curve;
}

bool value_done(struct value_reader *reader, int row, const struct column *column)
{
    for (int s = 0; s < reader->grid->row[row].count; s++)
        if (!is_done(stage_of_seed(reader, row, s, column))) return false;
    return true;
}

const char *value_why(struct value_reader *reader, int row, const struct column *column)
{
    const struct summary_row *from = &reader->grid->row[row];
    const char *why = NULL;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct relation_stage *stage = &sample_stages(&reader->sampler, row)[s][i];
            if (!sample_needs(column, &from->seed[s], i)) continue;
            if (!is_done(stage) && !why) why = stage->status;
            if (sample_is_of(column, &from->seed[s], i)) break;
        }
    if (!from->count) return "not run";
    return why ? why : "no such value";
}
