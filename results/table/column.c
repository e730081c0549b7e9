/* Properties of columns: parts and controls, equality, units, and the text of a value. */
#include "results/table/column.h"

#include <string.h>

#include "core/config/word.h"
#include "results/sheet/number.h"
#include "results/table/observations.h"

const char *column_last_word(const char *path)
{
    const char *point = strrchr(path, '.');
    return point ? point + 1 : path;
}

bool column_is_part(const char *part, const char *of)
{
    const size_t length = strlen(part);
    if (!of || strncmp(part, of, length) != 0) return false;
    return !of[length] ||
           (of[length] == '@' && !strchr(part, '@') && !strchr(of + length + 1, '@'));
}

bool column_is_view(const char *part, const char *of, const struct offer *offer)
{
    const char *view = of ? strchr(of, '@') : NULL;
    return view && column_is_part(part, of) &&
           !(offer->views && word_known(view + 1, offer->views + 1));
}

bool column_is_control(const char *of, const char *part, const char *control, bool nearer)
{
    const size_t length = nearer ? strlen(part) : strcspn(part, "@");
    return of && !strncmp(part, of, length) && of[length] == '@' &&
           !strcmp(of + length + 1, control);
}

struct column column_own(const struct column *margin)
{
    struct column own = *margin;
    own.margin = false;
    own.control = NULL;
    own.of_control = NULL;
    return own;
}

struct column column_control(const struct column *margin)
{
    struct column control = *margin;
    const struct measure *measure =
        margin->kind && !margin->part ? offer_control(margin->kind, margin->value) : NULL;
    control.margin = false;
    if (measure) {
        control.value = measure->name;
        control.measure = measure;
        control.control = NULL;
    }
    if (margin->of_control) control.group = margin->of_control;
    return control;
}

struct column column_tested(const struct column *column)
{
    if (column->source != COLUMN_P || !column->tested) return *column;
    struct column tested = *column->tested;
    tested.of = column->of;
    tested.group = column->group;
    tested.of_control = column->of_control;
    tested.measure = column->measure;
    tested.unit = column->unit;
    tested.location = column->location;
    return tested;
}

const char *column_untested(const struct column *column, struct arena *arena)
{
    if (!column_is_measured(column))
        return arena_print(arena, "%s has no values of seeds", column->name);
    if (column->delta) return arena_print(arena, "%s is a difference", column->name);
    if (column->over) return arena_print(arena, "%s is a mean over rows", column->name);
    if (column_is_size(column)) return arena_print(arena, "%s is a size", column->name);
    return NULL;
}

/* Returns the source of a column's values; for a p, the source of its argument. */
static enum column_source source_of(const struct column *column)
{
    return column->source == COLUMN_P && column->tested ? column->tested->source : column->source;
}

bool column_is_same(const struct column *a, const struct column *b)
{
    const bool wall = source_of(a) == COLUMN_WALL;
    if (column_is_group(a) || column_is_group(b))
        return column_is_group(a) && column_is_group(b) && !a->over && !b->over &&
               !strcmp(a->value, b->value) && word_same(a->control, b->control) &&
               a->margin == b->margin;
    if ((wall || source_of(a) == COLUMN_SCORED || source_of(b) == COLUMN_SCORED) &&
        source_of(a) != source_of(b))
        return false;
    bool same = (wall || a->kind) && word_same(a->kind, b->kind) && word_same(a->part, b->part) &&
                word_same(a->value, b->value) && word_same(a->over, b->over) &&
                word_same(a->control, b->control) && a->margin == b->margin &&
                word_same(a->of.class, b->of.class) && a->of.every == b->of.every;
    for (int d = 0; d < DIMENSION_CLASS; d++) same &= a->of.number[d] == b->of.number[d];
    return same;
}

bool column_covers(const struct column *wide, const struct column *one)
{
    struct column as_wide = *one;
    if (wide->of.every && one->of.class) as_wide.of = wide->of;
    return column_is_same(wide, &as_wide);
}

struct column column_of_class(const struct column *every, const char *class, struct arena *arena)
{
    const int stem = (int)(strlen(every->name) - strlen("all")); /* "accuracy: all" */
    struct column one = *every;
    one.of.every = false;
    one.of.class = class;
    one.name = arena_print(arena, "%.*s%s", stem, every->name, class);
    one.header = arena_print(arena, "%s: %s", every->header, class);
    return one;
}

const char *column_unit(const struct column *column, struct arena *arena)
{
    return arena_print(arena, "%s%s", column->unit ? column->unit : column->header,
                       dimensions_text(&column->of, arena));
}

bool column_is_group(const struct column *column)
{
    const bool of_group = column->source == COLUMN_MEAN || column->source == COLUMN_P;
    return of_group && !column->kind && column->value;
}

bool column_is_measured(const struct column *column)
{
    return column->source == COLUMN_VALUE || column->source == COLUMN_SCORED ||
           column->source == COLUMN_WALL || column->source == COLUMN_MEAN;
}

bool column_is_number(const struct column *column)
{
    return column_is_measured(column) || column->source == COLUMN_P;
}

bool column_is_size(const struct column *column)
{
    return column->form == COLUMN_EXACT || column->form == COLUMN_SCALED ||
           column->form == COLUMN_MILLIONS;
}

const char *column_text(const struct column *column, double value, struct arena *arena)
{
    static const char *(*const print[])(struct arena *,
                                        double) = {[COLUMN_EXACT] = number_count,
                                                   [COLUMN_SHORT] = number_short,
                                                   [COLUMN_SCALED] = number_scaled,
                                                   [COLUMN_SECONDS] = number_seconds};
    const bool millions = column->form == COLUMN_MILLIONS, /* +0.0M, as papers do */
        negative = column->form == COLUMN_SECONDS && column->delta && value < 0;
    if (column->form == COLUMN_FIXED)
        return (column->delta ? number_signed : number_fixed)(arena, value, column->decimals);
    const char *text =
        millions ? arena_print(arena, "%sM", number_fixed(arena, value / 1e6, column->decimals))
                 : print[column->form](arena, negative ? -value : value);
    if (negative) return arena_print(arena, "-%s", text);
    const bool plus = column->delta && (value > 0 || (millions && value == 0));
    return plus ? arena_print(arena, "+%s", text) : text;
}

/* Returns the reader of items for a mean of columns; NULL unless all of them have items. */
static observations_reader *group_observations(const struct column_group *group)
{
    bool all = true;
    for (int i = 0; i < group->count; i++)
        all &= column_observations(&group->member[i]) == observations_items;
    return all ? observations_items : NULL;
}

observations_reader *column_observations(const struct column *column)
{
    if (column_is_group(column) && !column->over)
        return column->group ? group_observations(column->group) : NULL;
    const bool value =
        (column->source == COLUMN_VALUE || column->source == COLUMN_P) && !column->over;
    for (int d = 0; d < DIMENSION_CLASS; d++)
        if (dimensions_have(&column->of, d)) return NULL;
    return value ? observations_of(column->measure) : NULL;
}
