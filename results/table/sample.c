/* Reads a column's values over the seeds of a row, and formats them as the text of a cell. */
#include "results/table/sample.h"

#include <math.h>
#include <string.h>

#include "core/base/mean.h"
#include "core/config/word.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/status.h"

/* Statuses of a stage that is not done (status.h), or of a file of hypotheses, in the order in
 * which a cell prints them. */
static const char *const words[] = {STATUS_RUNNING,   STATUS_FAILED,  STATUS_DIVERGED,
                                    STATUS_STOPPED,   STATUS_MISSING, STATUS_NEW,
                                    STATUS_UNREACHED, STATUS_BELOW,   STATUS_WAITS};

/* Returns how a stage's values were computed: the signature in its summary. For a speed the
 * signature is the machine on which it was measured, because speeds of different machines are never
 * mixed. */
static const char *stage_signature(struct sampler *sampler, const struct column *column,
                                   int64_t stage)
{
    static const char *const machine[] = {"host", "device", "products", "threads", NULL};
    const struct offer *offer = offer_of(column->kind);
    const char *text = value_cache_word(sampler->cache, stage, offer_signature(column->measure));
    if (text || !offer || !(offer->traits & OFFER_MACHINE)) return text;
    for (const char *const *key = machine; *key; key++) {
        const char *value = value_cache_environment(sampler->cache, stage, *key);
        if (value)
            text = arena_append(sampler->arena, text, ", ",
                                arena_print(sampler->arena, "%s %s", *key, value));
    }
    return text ? arena_print(sampler->arena, "measured on %s", text) : NULL;
}

static void add_signature(struct sample *sample, const char *signature)
{
    if (!signature) return;
    if (sample->signature && strcmp(sample->signature, signature) != 0) sample->mixed = true;
    sample->signature = signature;
}

const char *sample_training(const struct grid_seed *seed)
{
    for (int i = 0; i < seed->count; i++)
        if (offer_trains(offer_of(seed->stage[i].kind))) return seed->stage[i].id;
    return NULL;
}

const char *sample_training_of(const struct grid_row *row)
{
    return row->count ? sample_training(&row->seed[0]) : NULL;
}

/* Returns the first row of the grid that has the same training as `row`. A speed is measured once
 * per training. */
static int first_alike(const struct grid *grid, int row)
{
    const char *id = sample_training_of(&grid->row[row]);
    for (int i = 0; id && i < row; i++) {
        const char *other = grid->row[i].options ? sample_training_of(&grid->row[i]) : NULL;
        if (other && !strcmp(other, id)) return i;
    }
    return row;
}

static bool has_model(const struct grid_row *row)
{
    return row->options && !tree_get(row->entry, "vectors");
}

/* Returns a value of a stage that measures speed. One stage measures the speed of all rows. It has
 * a value for each row with a model: NAME.1, NAME.2, .. */
static double speed_value(struct sampler *sampler, int64_t stage, const char *name, int row)
{
    double value = value_cache_value(sampler->cache, stage, name);
    if (isfinite(value)) return value;
    int number = 0, last = first_alike(sampler->grid, row);
    for (int i = 0; i <= last; i++) number += has_model(&sampler->grid->row[i]);
    return value_cache_value(sampler->cache, stage,
                             arena_print(sampler->arena, "%s.%d", name, number));
}

int sample_depends(const struct column *column, const struct grid_seed *seed)
{
    int count = seed->count;
    while (column->kind && count && !sample_is_of(column, seed, count - 1)) count--;
    return count;
}

/* True if a diverged stage also has values of the column. This is true for sizes of the model under
 * their short names. */
static bool survives(const struct column *column)
{
    const struct measure *own = column_offered(column);
    return own && offer_is_size(own) && own->column == column->measure->column;
}

static bool has_value(const struct value_cache_line *line)
{
    return line->step >= 0 && isfinite(line->value);
}

struct sample_curve sample_curve(struct sampler *sampler, int64_t stage, const char *metric)
{
    int lines, count = 0;
    const struct value_cache_line *line =
        value_cache_lines(sampler->cache, stage, metric, &(struct dimensions){0}, &lines);
    for (int i = 0; i < lines; i++) count += has_value(&line[i]);
    if (count == lines) return (struct sample_curve){count, line};
    struct value_cache_line *at = ARENA_ARRAY(sampler->arena, struct value_cache_line, count);
    for (int i = lines - 1, k = count; i >= 0; i--)
        if (has_value(&line[i])) at[--k] = line[i];
    return (struct sample_curve){count, at};
}

/* Returns the value of a stage; NaN if there is none. */
static double stage_value(struct sampler *sampler, const struct column *column, int row,
                          const struct grid_seed *seed, const struct value_cache_stage *stage,
                          int at)
{
    if (dimensions_some(&column->of))
        return value_cache_metric(sampler->cache, stage[at].number, column->value, &column->of);
    const struct offer *offer = offer_of(seed->stage[at].kind);
    return offer && offer->traits & OFFER_MACHINE
               ? speed_value(sampler, stage[at].number, column->value, row)
               : value_cache_value(sampler->cache, stage[at].number, column->value);
}

/* Returns the value of one side of a seed. NaN if there is none; *why is then the status of the
 * first stage that is not done. */
static double sample_side(struct sampler *sampler, const struct column *column, int row,
                          const struct grid_seed *seed, const struct value_cache_stage *stage,
                          struct sample *sample, const char **why)
{
    double wall = 0, value = (double)NAN;
    *why = NULL;
    const int depends = sample_depends(column, seed);
    for (int i = 0; i < depends; i++) {
        const char *status = stage[i].status;
        bool done = sample_stage_done(&stage[i]);
        if (!sample_needs(column, seed, i)) continue;
        wall += stage[i].wall;
        if (!done && !*why) *why = status;
        if (!sample_is_of(column, seed, i)) continue;
        if (!done && (strcmp(status, STATUS_DIVERGED) != 0 || !survives(column))) continue;
        if (isfinite(value)) continue;
        value = stage_value(sampler, column, row, seed, stage, i);
        if (!isfinite(value)) continue;
        add_signature(sample, stage_signature(sampler, column, stage[i].number));
        if (!dimensions_some(&column->of) && column_offered(column) &&
            offer_of(column->kind)->traits & OFFER_MACHINE) {
            const double spread = speed_value(sampler, stage[i].number, "spread", row);
            sample->spread = isfinite(spread) ? spread : 0;
        }
        sample->shared &= !sample->stage || sample->stage == stage[i].number;
        sample->stage = stage[i].number;
    }
    if (column->function == COLUMN_WALL && !*why && seed->count) value = wall;
    return value;
}

/* Returns the value of one seed, interpolated between the two sides of at(..), or for
 * COLUMN_RESIDUAL the distance of the nearer side. */
static double sample_seed(struct sampler *sampler, const struct column *column, int row,
                          const struct grid_seed *seed, const struct value_cache_stage *stage,
                          struct sample *sample, const char **why)
{
    const bool residual = column->function == COLUMN_RESIDUAL;
    const struct column of = residual ? column_argument(column, 0) : *column;
    struct sample_sides sides;
    double value[2] = {0}, distance[2];
    const char *reason[2] = {NULL, NULL};
    if (column->function == COLUMN_WALL || !sample_split(sampler, &of, seed, stage, &sides))
        return residual ? (double)NAN : sample_side(sampler, column, row, seed, stage, sample, why);
    const struct crossing *crossing = &sides.crossing;
    for (int k = 0; k < 2; k++) {
        distance[k] = fabs(crossing->number[k] - sides.at.value);
        if (!residual)
            value[k] = sample_side(sampler, column, row, &sides.seed[k], sides.stage[k], sample,
                                   &reason[k]);
    }
    *why = reason[0] ? reason[0] : reason[1];
    if (!*why && !crossing->reached) *why = STATUS_UNREACHED;
    if (!residual) return value[0] + crossing->weight * (value[1] - value[0]);
    return crossing->reached && !isnan(crossing->weight) ? fmin(distance[0], distance[1])
                                                         : (double)NAN;
}

struct sample sample_new(struct sampler *sampler, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    return (struct sample){.total = from->count,
                           .value = ARENA_ARRAY(sampler->arena, double, from->count),
                           .why = ARENA_ARRAY(sampler->arena, const char *, from->count),
                           .seed = from->seed,
                           .shared = true};
}

void sample_add(struct sample *mean, const struct sample *one, int count)
{
    if (one->signature && !one->mixed) add_signature(mean, one->signature);
    mean->mixed |= one->mixed;
    mean->shared &= one->shared && one->stage;
    mean->stage = one->stage;
    for (int i = 0; i < mean->total; i++) {
        int k = 0;
        while (k < one->total && one->seed[k].seed != mean->seed[i].seed) k++;
        mean->value[i] += k < one->total ? one->value[k] / count : (double)NAN;
        if (!mean->why[i]) mean->why[i] = k < one->total ? one->why[k] : STATUS_NEW;
    }
}

const char *sample_waits(struct sampler *sampler, int row, int seed)
{
    const bool has = sampler->grid->row[row].count && sampler->grid->row[row].seed[seed].count;
    const bool failed = has && !strcmp(sample_stages(sampler, row)[seed][0].status, STATUS_FAILED);
    return failed ? STATUS_FAILED : STATUS_WAITS;
}

struct sample sample_stage_values(struct sampler *sampler, const struct column *column, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    struct sample sample = sample_new(sampler, row);
    struct value_cache_stage *const *stage = sample_stages(sampler, row);
    for (int i = 0; i < from->count; i++) {
        sample.value[i] =
            sample_seed(sampler, column, row, &from->seed[i], stage[i], &sample, &sample.why[i]);
        if (from->waits) sample.why[i] = sample_waits(sampler, row, i);
    }
    return sample;
}

void sample_settle(struct sampler *sampler, struct sample *sample)
{
    sample->count = 0;
    sample->known = ARENA_ARRAY(sampler->arena, double, sample->total);
    for (int i = 0; i < sample->total; i++)
        if (isfinite(sample->value[i])) sample->known[sample->count++] = sample->value[i];
    sample->mean = mean_of(sample->known, sample->count);
    sample->deviation =
        sample->count > 1 ? mean_deviation(sample->known, sample->count) : (double)NAN;
}

struct sample sample_row(struct sampler *sampler, const struct column *column, int row)
{
    struct sample sample = column_entries[column->function].sample(sampler, column, row);
    sample_settle(sampler, &sample);
    return sample;
}

const char *sample_why(struct sampler *sampler, const struct sample *sample)
{
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        int count = 0;
        for (int k = 0; k < sample->total; k++)
            count += !isfinite(sample->value[k]) && sample->why[k] &&
                     strcmp(sample->why[k], words[i]) == 0;
        if (!count) continue;
        if (count == sample->total) return words[i];
        text = arena_append(sampler->arena, text, ", ",
                            arena_print(sampler->arena, "%d %s", count, words[i]));
    }
    return text;
}

const char *sample_number(const struct measure *measure, double value, bool sign,
                          struct arena *arena)
{
    static const char *(*const print[])(struct arena *,
                                        double) = {[COLUMN_EXACT] = number_count,
                                                   [COLUMN_SHORT] = number_short,
                                                   [COLUMN_SCALED] = number_scaled,
                                                   [COLUMN_SECONDS] = number_seconds};
    const bool millions = measure->form == COLUMN_MILLIONS, /* a difference of zero is +0.0M, as in
                                                               papers */
        negative = measure->form == COLUMN_SECONDS && sign && value < 0,
               plus = sign && (value > 0 || (millions && value == 0));
    if (measure->form == COLUMN_FIXED)
        return (sign ? number_signed : number_fixed)(arena, value, measure->decimals);
    const char *text =
        millions ? arena_print(arena, "%sM", number_fixed(arena, value / 1e6, measure->decimals))
                 : print[measure->form](arena, negative ? -value : value);
    return arena_print(arena, "%s%s", negative ? "-" : plus ? "+" : "", text);
}

static const char not_comparable[] = "n/c";

const char *sample_text(struct sampler *sampler, const struct column *column,
                        const struct sample *sample, bool each, int *seeds)
{
    struct arena *arena = sampler->arena;
    const char *why = sample_why(sampler, sample), *text = NULL;
    const int n = sample->count, decimals = number_mean_decimals(sample->mean, sample->deviation);
    const bool size = column_is_size(column), one = sample_is_one(sample), some = n < sample->total,
               sign = column_has(column, COLUMN_MARGIN);
    if (seeds) *seeds = 0;
    if (!n) return why;
    sampler->incomparable |= sample->mixed;
    if (sample->mixed) return not_comparable;
    if (each && n > 1 && !size && !one && !column_has(column, COLUMN_AXIS)) {
        for (int i = 0; i < n; i++)
            text = arena_append(arena, text, ", ",
                                sample_number(column->measure, sample->known[i], sign, arena));
        sampler->partial |= some;
        return some ? arena_print(arena, "%s (%d/%d)", text, n, sample->total) : text;
    }
    /* A size of a model, or a value that one stage measured for all seeds, is printed without
     * deviation. */
    bool exact = size;
    for (int i = 0; i < n; i++) exact &= sample->known[i] == sample->known[0];
    exact |= one;
    struct measure plain = *column->measure;
    if (plain.form == COLUMN_SHORT && n > 1 && !exact && decimals >= 0) {
        plain.form = decimals ? COLUMN_FIXED : COLUMN_EXACT;
        plain.decimals = decimals;
    }
    text = sample_number(&plain, sample->mean, sign, arena);
    if (sample->spread > 0)
        text = arena_print(arena, "%s (%s%%)", text,
                           number_fixed(arena, 100 * sample->spread, sample->spread < 0.1));
    if (exact) return text;
    if (n > 1 && plain.form != COLUMN_SECONDS)
        text = arena_print(arena, "%s ± %s", text,
                           sample_number(&plain, sample->deviation, false, arena));
    if (seeds && sample->seed) *seeds = some ? -1 : n;
    sampler->partial |= some;
    if (some)
        return arena_print(arena, "%s (%d/%d%s%s)", text, n, sample->total, why ? ", " : "",
                           why ? why : "");
    return n > 1 && !seeds ? arena_print(arena, "%s (%d)", text, n) : text;
}

bool sample_is_one(const struct sample *sample)
{
    return sample->count > 1 && sample->shared && sample->stage;
}

bool sample_same_signature(const struct sample *a, const struct sample *b)
{
    if (a->mixed || b->mixed) return false;
    if (!a->signature || !b->signature) return a->signature == b->signature;
    return strcmp(a->signature, b->signature) == 0;
}

const char *sample_delta(struct sampler *sampler, const struct column *column,
                         const struct sample *ours, const struct sample *theirs)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < ours->total; i++)
        for (int k = 0; k < theirs->total; k++) {
            bool paired = ours->seed && theirs->seed;
            if (paired && ours->seed[i].seed != theirs->seed[k].seed) continue;
            double difference = ours->value[i] - theirs->value[k];
            if (!isfinite(difference)) continue;
            sum += difference;
            n++;
        }
    if (!n) return NULL;
    if (!sample_same_signature(ours, theirs)) {
        sampler->incomparable = true;
        return not_comparable;
    }
    const char *text = sample_number(column->measure, sum / n, true, sampler->arena);
    if (n >= ours->total) return text;
    sampler->partial = true;
    return arena_print(sampler->arena, "%s (%d/%d)", text, n, ours->total);
}
