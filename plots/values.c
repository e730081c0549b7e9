/* Reads the values of figures. Means and deviations over seeds are from the sampler of tables.
 * Deviations over checkpoints, layers and curves are from metric rows in the cache. */
#include "plots/values.h"

#include <math.h>
#include <string.h>

#include "core/base/mean.h"
#include "core/config/word.h"
#include "results/stats/student.h"
#include "results/table/controls.h"
#include "results/table/sample_cache.h"

static const char value_seeds[] = "seeds";

/* Returns the stage that computes a column in one seed, and sets *id to its id; NULL if the row has
 * no such stage. */
static const struct value_cache_stage *stage_of(struct sampler *reader, int row, int seed,
                                                const struct column *column, const char **id)
{
    const struct grid_seed *from = &reader->grid->row[row].seed[seed];
    for (int i = 0; i < from->count; i++) {
        *id = from->stage[i].id;
        if (sample_is_of(column, from, i)) return &sample_stages(reader, row)[seed][i];
    }
    return NULL;
}

const char *value_stage(struct sampler *reader, int row, int seed, const struct column *column)
{
    const char *id;
    const struct value_cache_stage *stage = stage_of(reader, row, seed, column, &id);
    return stage && sample_stage_done(stage) ? id : NULL;
}

bool value_done(struct sampler *reader, int row, const struct column *column)
{
    int done = 0;
    const int seeds = reader->grid->row[row].count;
    while (done < seeds && value_stage(reader, row, done, column)) done++;
    return done == seeds;
}

/* Returns the lines of a column's metric in one seed with all dimensions, [*count]. There are none
 * if the stage is not done. */
static const struct value_cache_line *rows_of(struct sampler *reader, int row, int seed,
                                              const struct column *column, int *count)
{
    const char *id;
    const struct value_cache_stage *stage = stage_of(reader, row, seed, column, &id);
    *count = 0;
    if (!stage || !sample_stage_done(stage)) return NULL;
    return value_cache_lines(reader->cache, stage->number, column->value, NULL, count);
}

/* True if a line has exactly these dimensions. The dimension `but` is not compared (DIMENSIONS: all
 * are). */
static bool is_of(const struct value_cache_line *line, const struct dimensions *of,
                  enum dimension but)
{
    for (int d = 0; d < DIMENSION_CLASS; d++)
        if (d != (int)but && line->of.number[d] != of->number[d]) return false;
    return word_same(line->of.class, of->class);
}

/* Sets the deviation over the checkpoints of the only seed that has a value. */
static void read_checkpoints(struct sampler *reader, const struct column *column, int row,
                             struct sample *value)
{
    double *one = NULL;
    int checkpoints = 0, count;
    for (int s = 0; s < value->total; s++) {
        if (!isfinite(value->value[s]) || !column->kind) continue;
        const struct value_cache_line *line = rows_of(reader, row, s, column, &count);
        for (int i = 0; i < count; i++) {
            if (!line[i].of.number[DIMENSION_SET] || line[i].step >= 0) continue;
            if (!is_of(&line[i], &column->of, DIMENSION_SET)) continue;
            ARENA_ADD(reader->arena, one, checkpoints, line[i].value);
        }
    }
    if (checkpoints < 2) return;
    value->known = one;
    value->count = checkpoints;
    value->deviation = mean_deviation(one, checkpoints);
    value->over = "best checkpoints";
}

struct sample value_read(struct sampler *reader, const struct column *column, int row)
{
    struct sample value = sample_row(reader, column, row);
    if (sample_is_one(&value)) {
        value.value = value.known;
        value.total = 1;
        sample_settle(reader, &value);
    }
    if (value.mixed) value.mean = value.deviation = (double)NAN;
    if (!value.count || value.mixed) return value;
    if (value.count > 1)
        value.over = value_seeds;
    else if (!column_has(column, COLUMN_WALL) && !column->of.number[DIMENSION_SET])
        read_checkpoints(reader, column, row, &value);
    return value;
}

double value_reach(const struct sample *value)
{
    if (value->over != value_seeds || value->count < VALUE_INTERVAL) return (double)NAN;
    return student_quantile(0.975, value->count - 1) * value->deviation / sqrt(value->count);
}

double value_root(struct sampler *reader, const struct column *column, int row, const char *metric)
{
    struct column other = *column;
    if (!metric) return (double)NAN;
    other.value = metric;
    const struct sample sample = sample_row(reader, &other, row);
    double sum = 0;
    for (int i = 0; i < sample.count; i++) sum += sample.known[i] * sample.known[i];
    return sample.count ? sqrt(sum / sample.count) : (double)NAN;
}

const struct offer *value_views(const struct column *column)
{
    column = column_first(column);
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    return offer && offer->views ? offer : NULL;
}

/* True if a row has a stage with the column's kind and part in a seed. For mean(GROUP), it must
 * have such stages for all columns. */
static bool has_part(struct sampler *reader, int row, const struct column *column)
{
    const struct grid_row *from = &reader->grid->row[row];
    const struct column reduced = controls_members(reader, column),
                        *group = column_has(&reduced, COLUMN_GROUP);
    bool all = group && group->arguments;
    for (int i = 0; all && i < group->arguments; i++)
        all = has_part(reader, row, &group->argument[i]);
    if (group) return all;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct grid_stage *stage = &from->seed[s].stage[i];
            if (!strcmp(stage->kind, column->kind) && word_same(stage->part, column->part))
                return true;
        }
    return false;
}

struct column value_filter(const struct column *column, struct dimensions of, const char *value,
                           struct arena *arena)
{
    const struct offer *views = column->part ? value_views(column) : NULL;
    const int layer = of.number[DIMENSION_LAYER];
    struct column at = *column;
    if (column_has(column, COLUMN_GROUP)) {
        struct column *argument = ARENA_ARRAY(arena, struct column, column->arguments + 1);
        for (int i = 0; i < column->arguments; i++)
            argument[i] = value_filter(&column->argument[i], of, value, arena);
        at.argument = argument;
        return at;
    }
    if (value) at.value = value;
    if (views && layer) {
        const char *output = *views->views; /* "encoder.output"; a layer is "encoder.3" */
        at.part = layer == VALUE_OUTPUT ? arena_print(arena, "%s@%s", column->part, output)
                                        : arena_print(arena, "%s@%.*s.%d", column->part,
                                                      (int)strcspn(output, "."), output, layer);
        of.number[DIMENSION_LAYER] = 0;
    }
    for (int d = 0; d < DIMENSION_CLASS; d++)
        if (of.number[d]) at.of.number[d] = of.number[d];
    if (of.class) at.of.class = of.class;
    return at;
}

int value_layers(struct sampler *reader, const struct column *column, int row)
{
    const bool views = value_views(column);
    bool valued = !views;
    int highest = 0;
    for (int layer = 1; layer <= VALUE_LAYERS; layer++) {
        const struct column at = value_at_layer(column, layer, reader->arena);
        if (views ? !has_part(reader, row, &at) : value_counted(reader, &at, row) < 0) continue;
        highest = layer;
        valued = valued || isfinite(value_read(reader, &at, row).mean);
    }
    return valued ? highest : 0;
}

struct column value_output(struct sampler *reader, const struct column *column, int row)
{
    const struct grid *grid = reader->grid;
    if (!value_views(column)) return (struct column){0};
    const char *on = layout_option(grid, &grid->row[row], "encoder.shortcut", reader->arena);
    struct column at = value_at_layer(column, VALUE_OUTPUT, reader->arena);
    if (!on || strcmp(on, "true") != 0 || !has_part(reader, row, &at)) at.name = NULL;
    return at;
}

int64_t value_counted(struct sampler *reader, const struct column *column, int row)
{
    const struct column reduced = controls_members(reader, column),
                        *group = column_has(&reduced, COLUMN_GROUP);
    int64_t n = group ? 0 : -1;
    int count;
    for (int i = 0; group && i < group->arguments && n >= 0; i++) {
        const int64_t one = value_counted(reader, &group->argument[i], row);
        n = one < 0 ? -1 : n + one;
    }
    for (int s = 0; !group && s < reader->grid->row[row].count && n <= 0; s++) {
        const struct value_cache_line *line = rows_of(reader, row, s, column, &count);
        for (int i = 0; i < count; i++)
            if (is_of(&line[i], &column->of, DIMENSIONS) && line[i].n > n) n = line[i].n;
    }
    return n;
}

static struct sample_curve read_steps(struct sampler *reader, int row, int seed,
                                      const struct column *column, bool done);

/* Reads the means over the columns of a group, line by line. The last lines of all columns belong
 * together (100% of the items), because columns with few items lack the first shares. */
static struct sample_curve mean_steps(struct sampler *reader, int row, int seed,
                                      const struct column *group, bool done)
{
    struct sample_curve *of = ARENA_ARRAY(reader->arena, struct sample_curve, group->arguments);
    int least = 0;
    for (int i = 0; i < group->arguments; i++) {
        of[i] = read_steps(reader, row, seed, &group->argument[i], done);
        if (!i || of[i].count < least) least = of[i].count;
    }
    struct value_cache_line *at = ARENA_ARRAY(reader->arena, struct value_cache_line, least);
    for (int k = 1; k <= least; k++) {
        double sum = 0;
        for (int i = 0; i < group->arguments; i++) sum += of[i].at[of[i].count - k].value;
        at[least - k] = of[0].at[of[0].count - k];
        at[least - k].value = sum / group->arguments;
    }
    return (struct sample_curve){least, at};
}

/* Reads the values of one seed by step. */
static struct sample_curve read_steps(struct sampler *reader, int row, int seed,
                                      const struct column *column, bool done)
{
    const struct column reduced = controls_members(reader, column),
                        *group = column_has(&reduced, COLUMN_GROUP);
    if (group) return mean_steps(reader, row, seed, group, done);
    const char *id;
    const struct value_cache_stage *stage = stage_of(reader, row, seed, column, &id);
    if (!stage || stage->number < 0 || (done && !sample_stage_done(stage)))
        return (struct sample_curve){0};
    return sample_curve(reader, stage->number, column->value);
}

struct value_curve value_read_curve(struct sampler *reader, int row, const struct column *column,
                                    bool done)
{
    const struct grid_row *from = &reader->grid->row[row];
    const bool logged = word_same(column->value, "loss");
    struct sample_curve *of = ARENA_ARRAY(reader->arena, struct sample_curve, from->count + 1);
    double *each = ARENA_ARRAY(reader->arena, double, from->count + 1);
    int seeds = 0;
    for (int s = 0; s < from->count; s++) {
        of[seeds] = read_steps(reader, row, s, column, done);
        seeds += of[seeds].count > 0;
    }
    struct value_curve curve = {.step = ARENA_ARRAY(reader->arena, double, of->count + 1),
                                .value = ARENA_ARRAY(reader->arena, double, of->count + 1),
                                .deviation = ARENA_ARRAY(reader->arena, double, of->count + 1)};
    for (int k = 0; seeds && k < of->count; k++) {
        const int64_t step = of->at[k].step;
        double sum = 0;
        int have = 0;
        for (int s = 0, at; s < seeds; s++) {
            /* Seeds may log the loss at different steps. Skips lines of seed s before the step of
             * the first seed. */
            for (at = k; logged && s && of[s].count && of[s].at->step < step; of[s].count--)
                of[s].at++;
            if (logged && s) at = of[s].count && of[s].at->step == step ? 0 : of[s].count;
            if (at >= of[s].count) break;
            sum += (double)of[s].at[at].step;
            each[have++] = of[s].at[at].value;
        }
        if (have < seeds) continue;
        curve.step[curve.steps] = sum / seeds;
        curve.deviation[curve.steps] = seeds > 1 ? mean_deviation(each, seeds) : (double)NAN;
        curve.value[curve.steps++] = mean_of(each, seeds);
    }
    return curve;
}

const char *value_why(struct sampler *reader, int row, const struct column *column)
{
    const struct grid_row *from = &reader->grid->row[row];
    const char *why = NULL;
    for (int s = 0; s < from->count; s++)
        for (int i = 0; i < from->seed[s].count; i++) {
            const struct value_cache_stage *stage = &sample_stages(reader, row)[s][i];
            if (!sample_needs(column, &from->seed[s], i)) continue;
            if (!sample_stage_done(stage) && !why) why = stage->status;
            if (sample_is_of(column, &from->seed[s], i)) break;
        }
    if (!from->count) return "not run";
    const struct sample *sample = sample_cached(reader, column, row);
    for (int s = 0; s < sample->total && !why; s++) why = sample->why[s];
    return why ? why : "no value";
}

bool value_is_baseline(const struct sampler *reader, int row)
{
    const struct layout *layout = reader->grid->layout;
    for (int i = 0; layout && i < layout->baselines; i++)
        for (int f = 0; f < layout->coordinates; f++) {
            const struct layout_cell cell = layout_cell_at(layout->baseline[i], f);
            if (layout->line[cell.line].row[cell.coordinate] == row) return true;
        }
    return false;
}
