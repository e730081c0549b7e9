/* Implements the functions of columns: reads their arguments, and computes the values of a row from
 * the values of the arguments. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/axis.h"
#include "results/store/status.h"
#include "results/table/controls.h"
#include "results/table/expected.h"
#include "results/table/observations.h"

/* ---- arguments ---- */

/* Finds the argument of a function, and copies the argument's filter to the function. If no column
 * has the name, miss->nearest becomes the function with the nearest column as its argument. */
static bool find_argument(const char *text, struct column *column, struct column_miss *miss,
                          struct arena *arena)
{
    struct column *argument = ARENA_NEW(arena, struct column);
    const bool found = column_find(text, argument, miss, arena);
    const char *at = strstr(column->name, text);
    if (!found && miss->nearest && at)
        miss->nearest = arena_print(arena, "%.*s%s%s", (int)(at - column->name), column->name,
                                    miss->nearest, at + strlen(text));
    column->argument = argument;
    column->arguments = 1;
    column->kind = argument->kind;
    column->part = argument->part;
    column->value = argument->value;
    return found;
}

static bool find_delta(const char *text, struct column *column, struct column_miss *miss,
                       struct arena *arena)
{
    if (!find_argument(text, column, miss, arena)) return false;
    const struct column *of = column->argument;
    if (of->function == COLUMN_DELTA || !column_is_measured(of)) return false;
    column->measure = of->measure;
    column_describe(column, arena)->best = COLUMN_NONE;
    column->header = arena_print(arena, "Δ %s", of->header);
    return true;
}

/* Returns the controls that a column may have; NULL if none. A part has the controls of its kind. A
 * value without a part has `start` if its kind offers it. For a mean, whose columns are found
 * later, the result is the controls of the first kind that has controls. */
static const char *const *controls_of(const struct column *column)
{
    static const char *const start[] = {"start", NULL};
    if (column->kind && !column->part)
        return offer_control(column->kind, column->value) ? start : NULL;
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((!column->kind || !strcmp((*offer)->kind, column->kind)) && (*offer)->views)
            return (*offer)->views + 1;
    return NULL;
}

/* Returns the length of the first argument of a list. The argument may be a function with brackets.
 * */
static size_t argument_length(const char *list)
{
    const char *open = strchr(list, '('), *close = open ? strchr(open, ')') : NULL;
    const size_t length = strcspn(list, ", ");
    return close && open < list + length ? (size_t)(close + 1 - list) : length;
}

/* Finds margin(COLUMN) and margin(COLUMN, CONTROL). */
static bool find_margin(const char *text, struct column *column, struct column_miss *miss,
                        struct arena *arena)
{
    const size_t length = argument_length(text);
    const char *name = arena_text_range(arena, text, length), *control = text + length;
    control += strspn(control, ", ");
    if (!*control) control = "start";
    if (!find_argument(name, column, miss, arena)) return false;
    const struct column *of = column->argument;
    const bool value = column_has(of, COLUMN_VALUE);
    miss->lacks = arena_print(arena, "%s has no control of this name", name);
    if (!(value || of->function == COLUMN_GROUP) || !column_is_measured(of) ||
        of->function == COLUMN_DELTA || column_has(of, COLUMN_MARGIN))
        return false;
    const char *const *controls = controls_of(of);
    if (!controls || !word_known(control, controls)) {
        const char *near = controls ? word_nearest(control, controls) : NULL;
        miss->nearest = near       ? arena_print(arena, "margin(%s, %s)", name, near)
                        : controls ? arena_print(arena, "margin(%s, %s)", name, controls[0])
                                   : arena_print(arena, "delta(%s)", name);
        return false;
    }
    miss->lacks = NULL;
    column->word = control;
    column->measure = of->measure;
    column->header = arena_print(arena, "%s − %s", of->header, control);
    struct measure *measure = column_describe(column, arena);
    measure->best = COLUMN_NONE;
    measure->header = column->header;
    if (value) column_take_control(column, arena);
    return true;
}

void column_take_control(struct column *margin, struct arena *arena)
{
    struct column *argument = ARENA_ARRAY(arena, struct column, 2);
    argument[0] = margin->argument[0];
    argument[1] = column_control(&argument[0], margin->word, arena);
    margin->argument = argument;
    margin->arguments = 2;
}

/* Finds mean(GROUP), has(OPTION.WORD), option(OPTION) and tuned(OPTION). */
static bool find_word(const char *text, struct column *column, struct column_miss *miss,
                      struct arena *arena)
{
    (void)miss;
    column->word = text;
    column->header = column->function == COLUMN_GROUP ? text : column_last_word(text);
    column_describe(column, arena)->header = column->header;
    return *text;
}

/* Finds mean($AXIS) and mean($AXIS, COLUMN). */
static bool find_axis(const char *text, struct column *column, struct column_miss *miss,
                      struct arena *arena)
{
    const size_t axis = strcspn(text + 1, ", ");
    const char *of = text + 1 + axis;
    column->word = arena_text_range(arena, text + 1, axis);
    of += strspn(of, ", ");
    if (!axis) return false;
    if (!find_argument(*of ? of : COLUMN_MAIN, column, miss, arena)) return false;
    const struct column *mean = column->argument;
    if (mean->function == COLUMN_DELTA || column_has(mean, COLUMN_AXIS) ||
        !column_is_measured(mean))
        return false;
    column->measure = mean->measure;
    column->header =
        arena_print(arena, "%s, mean over %s", mean->header, column_last_word(column->word));
    return true;
}

static bool find_residual(const char *text, struct column *column, struct column_miss *miss,
                          struct arena *arena)
{
    return find_argument(text, column, miss, arena) && column_is_measured(column->argument);
}

/* Finds the p of a column that can be tested. layout_find_group checks the items of a group. */
static bool find_p(const char *text, struct column *column, struct column_miss *miss,
                   struct arena *arena)
{
    if (!find_argument(text, column, miss, arena)) return false;
    const struct column *of = column->argument;
    miss->lacks = column_untested(of, arena);
    if (!miss->lacks && column->function != COLUMN_P && !column_has(of, COLUMN_GROUP) &&
        !column_observations(of))
        miss->lacks = arena_print(arena, "%s has no items to resample", text);
    if (strcmp(text, COLUMN_MAIN) != 0)
        column->header = arena_print(arena, "%s, %s", column->header, of->measure->header);
    return !miss->lacks;
}

/* ---- values ---- */

/* Returns the values of the argument. For a delta, summary_cells.c later subtracts the samples of
 * two cells. */
static struct sample sample_argument(struct sampler *sampler, const struct column *column, int row)
{
    const struct column argument = column_argument(column, 0);
    return sample_row(sampler, &argument, row);
}

/* Returns the first argument minus the second for the seeds that have both. */
static struct sample sample_margin(struct sampler *sampler, const struct column *column, int row)
{
    struct sample margin = sample_argument(sampler, column, row);
    const struct column of_control = column_argument(column, 1);
    const struct sample control = sample_row(sampler, &of_control, row);
    margin.mixed |= margin.count && control.count && !sample_same_signature(&margin, &control);
    margin.shared &= control.shared;
    for (int i = 0; i < margin.total; i++) {
        margin.value[i] -= control.value[i];
        if (!margin.why[i]) margin.why[i] = control.why[i];
    }
    return margin;
}

static struct sample sample_group(struct sampler *sampler, const struct column *column, int row)
{
    if (!column->arguments)
        die_at(column_location(column), "%s: no table has this group", column->name);
    const struct column group = controls_members(sampler, column);
    struct sample mean = sample_new(sampler, row);
    for (int i = 0; i < group.arguments; i++) {
        const struct column *member = &group.argument[i];
        struct sample one = sample_row(sampler, member, row);
        one.signature = sample_signature(one.signature, member, false, sampler->arena);
        sample_add(&mean, &one, group.arguments);
    }
    for (int i = 0; i < mean.total && !group.arguments; i++) {
        mean.value[i] = (double)NAN;
        mean.why[i] = STATUS_BELOW;
    }
    return mean;
}

/* Returns the mean over the points of an axis. A row that is not on the axis has no value. */
static struct sample sample_axis(struct sampler *sampler, const struct column *column, int row)
{
    int *point = ARENA_ARRAY(sampler->arena, int, sampler->grid->rows);
    const int points = axis_points(sampler->grid, column->word, row, point);
    struct sample mean = sample_new(sampler, row);
    for (int i = 0; i < points; i++) {
        const struct sample one = sample_argument(sampler, column, point[i]);
        sample_add(&mean, &one, points);
    }
    for (int i = 0; i < mean.total && !points; i++) mean.value[i] = (double)NAN;
    return mean;
}

/* ---- the list ---- */

const struct column_entry column_entries[] = {
    [COLUMN_VALUE] = {.sample = sample_stage_values},
    [COLUMN_CONTROL] = {.sample = sample_stage_values},
    [COLUMN_WALL] = {"wall",
                     "total time of all stages of one seed",
                     {.name = "wall", .header = "Time", .form = COLUMN_SECONDS},
                     .sample = sample_stage_values},
    [COLUMN_NUMBER] = {"number",
                       "number of the row, from 1",
                       {.header = "#", .form = COLUMN_EXACT},
                       .once = true},
    [COLUMN_DELTA] = {"delta(COLUMN)", "mean minus the baseline's mean", .find = find_delta,
                      .sample = sample_argument},
    [COLUMN_MARGIN] = {"margin(COLUMN)",
                       "value minus that of its control start, or margin(COLUMN, bag) of bag",
                       .find = find_margin, .sample = sample_margin},
    [COLUMN_GROUP] = {"mean(GROUP)",
                      "mean of the columns of a group, without tasks at their controls",
                      {.decimals = 2, .best = COLUMN_MOST},
                      .find = find_word,
                      .sample = sample_group},
    [COLUMN_AXIS] = {"mean($AXIS)",
                     "mean of bleu over the points of an axis, or mean($AXIS, COLUMN)",
                     .find = find_axis, .sample = sample_axis},
    [COLUMN_P] = {"p(COLUMN)",
                  "p value against the baseline, over seeds and items (docs/grid.md)",
                  {.header = "p", .decimals = 3},
                  .find = find_p},
    [COLUMN_P_CENTERED] = {"centered(COLUMN)",
                           "p value over items only, by the centered bootstrap of sacreBLEU",
                           {.header = "p, centered", .decimals = 3},
                           .find = find_p},
    [COLUMN_P_SWAPPED] = {"swapped(COLUMN)",
                          "p value over items only, by approximate randomization",
                          {.header = "p, swapped", .decimals = 3},
                          .find = find_p},
    [COLUMN_RESIDUAL] = {"residual(COLUMN)",
                         "for a value at(..): distance of the nearer checkpoint, in nats or steps",
                         {.name = "residual", .header = "Residual", .decimals = 4},
                         .find = find_residual,
                         .sample = sample_stage_values},
    [COLUMN_EXPECTED] = {"expected(METRIC, K)",
                         "expected best of K trials (or 2 hours) of a tuned row on dev",
                         .find = expected_find, .sample = expected_sample},
    [COLUMN_HAS] = {"has(OPTION.WORD)",
                    "check mark if the options have the word: has(encoder.attention.terms.gauss)",
                    .once = true, .find = find_word},
    [COLUMN_OPTION] = {"option(OPTION)", "value of the option. $AXIS: value on the axis",
                       .once = true, .find = find_word},
    [COLUMN_TUNED] = {"tuned(OPTION)", "value of the option that tuning has chosen", .once = true,
                      .find = find_word},
};
