#include "plots/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/number.h"

struct value_reader value_reader_open(struct store *store, const struct summary_grid *grid,
                                      struct arena *arena)
{
    return (struct value_reader){
        .sampler = sampler_open(store, grid, arena),
        .grid = grid,
        .arena = arena,
        .checkpoints = store_prepare(
            store, "SELECT value FROM metric WHERE stage = ? AND name = ? AND \"set\" IS NOT NULL "
                   "AND class IS NULL AND layer IS NULL AND head IS NULL AND step IS NULL "
                   "ORDER BY rowid"),
        .layers = store_prepare(
            store, "SELECT a.layer, a.value, b.value, a.n FROM metric a JOIN metric b ON "
                   "b.stage = a.stage AND b.name = 'gate_sd' AND b.layer = a.layer AND "
                   "b.head IS NULL AND b.\"set\" IS NULL AND b.class IS NULL WHERE a.stage = ? AND "
                   "a.name = 'gate' AND "
                   "a.layer > 0 AND a.head IS NULL AND a.\"set\" IS NULL AND a.class IS NULL ORDER "
                   "BY a.layer"),
        .curve = store_prepare(
            store, "SELECT step, value FROM metric WHERE stage = ? AND name = ? AND "
                   "step IS NOT NULL AND value IS NOT NULL AND " STORE_PLAIN " ORDER BY step"),
    };
}

void value_reader_close(struct value_reader *reader)
{
    sampler_close(&reader->sampler);
    store_finish(reader->checkpoints);
    store_finish(reader->layers);
    store_finish(reader->curve);
}

/* The stage of a kind of one seed, or NULL when the row has none. */
static const struct sample_stage *find_stage(struct value_reader *reader, int row, int seed,
                                             const char *kind)
{
    const struct summary_seed *from = &reader->grid->row[row].seed[seed];
    for (int i = 0; i < from->count; i++)
        if (!strcmp(from->stage[i].kind, kind))
            return &sample_stages(&reader->sampler, row)[seed][i];
    return NULL;
}

static bool is_done(const struct sample_stage *stage)
{
    return stage && !strcmp(stage->status, "done");
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
        const struct sample_stage *stage = find_stage(reader, row, s, column->kind);
        if (!stage) continue;
        store_bind(reader->checkpoints, "is", stage->number, column->value);
        while (store_next(reader->checkpoints))
            if (count < MOST) one[count++] = store_real(reader->checkpoints, 0);
    }
    if (count < 2) return;
    value->deviation = number_deviation(one, count);
    value->count = count;
    value->spread = SPREAD_CHECKPOINTS;
}

struct value_of_row value_read(struct value_reader *reader, const struct column *column, int row)
{
    struct value_of_row value = {.mean = (double)NAN, .deviation = (double)NAN};
    struct sample sample = sample_row(&reader->sampler, column, row);
    double *each = ARENA_ARRAY(reader->arena, double, sample.total + 1);
    for (int i = 0; i < sample.total; i++)
        if (isfinite(sample.value[i])) each[value.count++] = sample.value[i];
    if (!value.count || sample.mixed) return value;
    value.mean = number_mean(each, value.count);
    if (value.count > 1) {
        value.deviation = number_deviation(each, value.count);
        value.spread = SPREAD_SEEDS;
    } else if (column->source == COLUMN_VALUE) {
        read_checkpoints(reader, column, row, &sample, &value);
    }
    return value;
}

int value_read_layers(struct value_reader *reader, int row, double **mean, double **deviation,
                      int64_t *n)
{
    enum { MOST = 64 }; /* layers of an encoder */
    double *sum = ARENA_ARRAY(reader->arena, double, MOST);
    double *variance = ARENA_ARRAY(reader->arena, double, MOST);
    int seeds[MOST] = {0}, layers = 0;
    for (int s = 0; s < reader->grid->row[row].count; s++) {
        const struct sample_stage *stage = find_stage(reader, row, s, "gates");
        if (!is_done(stage)) continue;
        store_bind(reader->layers, "i", stage->number);
        while (store_next(reader->layers)) {
            const int layer = (int)store_real(reader->layers, 0);
            const double one = store_real(reader->layers, 1), sd = store_real(reader->layers, 2);
            if (layer > MOST || !isfinite(one) || !isfinite(sd)) continue;
            sum[layer - 1] += one;
            variance[layer - 1] += sd * sd;
            seeds[layer - 1]++;
            *n = (int64_t)store_real(reader->layers, 3);
            if (layer > layers) layers = layer;
        }
    }
    for (int l = 0; l < layers; l++) {
        sum[l] = seeds[l] ? sum[l] / seeds[l] : (double)NAN;
        variance[l] = seeds[l] ? sqrt(variance[l] / seeds[l]) : (double)NAN;
    }
    *mean = sum;
    *deviation = variance;
    return layers;
}

struct point {
    double step, value;
};

static int by_step(const void *a, const void *b)
{
    const double one = ((const struct point *)a)->step, other = ((const struct point *)b)->step;
    return (one > other) - (one < other);
}

/* All points of all seeds; returns how many, and the seeds that have any. */
static int read_points(struct value_reader *reader, int row, const char *metric,
                       struct point **points, int *seeds)
{
    int count = 0, room = 0;
    *points = NULL;
    *seeds = 0;
    for (int s = 0; s < reader->grid->row[row].count; s++) {
        const struct sample_stage *stage = find_stage(reader, row, s, "train");
        const int before = count;
        if (!stage || stage->number < 0) continue;
        store_bind(reader->curve, "is", stage->number, metric);
        while (store_next(reader->curve)) {
            if (count == room)
                *points = heap_resize(*points, sizeof **points * (size_t)(room = 2 * room + 64));
            (*points)[count++] =
                (struct point){store_real(reader->curve, 0), store_real(reader->curve, 1)};
        }
        *seeds += count > before;
    }
    return count;
}

int value_read_curve(struct value_reader *reader, int row, const char *metric, double **step,
                     double **value)
{
    struct point *point;
    int seeds, steps = 0;
    const int count = read_points(reader, row, metric, &point, &seeds);
    if (count) qsort(point, (size_t)count, sizeof *point, by_step);
    *step = ARENA_ARRAY(reader->arena, double, count + 1);
    *value = ARENA_ARRAY(reader->arena, double, count + 1);
    for (int i = 0, end; i < count; i = end) {
        double sum = 0;
        for (end = i; end < count && point[end].step == point[i].step; end++)
            sum += point[end].value;
        if (end - i != seeds) continue;
        (*step)[steps] = point[i].step;
        (*value)[steps++] = sum / seeds;
    }
    free(point);
    return steps;
}

bool value_done(struct value_reader *reader, int row, const char *kind)
{
    for (int s = 0; s < reader->grid->row[row].count; s++)
        if (!is_done(find_stage(reader, row, s, kind))) return false;
    return true;
}

const char *value_why(struct value_reader *reader, int row, const char *kind)
{
    const struct summary_row *from = &reader->grid->row[row];
    const char *why = NULL;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct sample_stage *stage = &sample_stages(&reader->sampler, row)[s][i];
            if (!is_done(stage) && !why) why = stage->status;
            if (!strcmp(from->seed[s].stage[i].kind, kind)) break;
        }
    if (!from->count) return "not run";
    return why ? !strcmp(why, "missing") ? "not run" : why : "no such value";
}
