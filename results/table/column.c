/* Implements properties of columns: parts and controls, equality, units, and whether differences
 * can be tested. */
#include "results/table/column.h"

#include <string.h>

#include "core/config/word.h"
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

struct column column_argument(const struct column *column, int index)
{
    struct column argument = column->argument[index];
    if (column->function == COLUMN_GROUP) return argument;
    argument.item = column->item;
    argument.kind = column->kind;
    argument.part = column->part;
    argument.label = column->label;
    argument.of = column->of;
    /* The control of a value without a part is another value, and keeps its name. */
    if (!index || argument.function == COLUMN_CONTROL) argument.value = column->value;
    return argument;
}

const struct column *column_has(const struct column *column, enum column_function function)
{
    while (column->function != function && column->function != COLUMN_GROUP && column->arguments)
        column = column->argument;
    return column->function == function ? column : NULL;
}

const struct column *column_first(const struct column *column)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    return group && group->arguments ? group->argument : column;
}

bool column_is_p(const struct column *column)
{
    return column->function >= COLUMN_P && column->function <= COLUMN_P_SWAPPED;
}

struct column column_control(const struct column *column, const char *control, struct arena *arena)
{
    struct column of = *column;
    struct column *argument = ARENA_ARRAY(arena, struct column, of.arguments + 1);
    for (int i = 0; i < of.arguments; i++)
        argument[i] = column_control(&of.argument[i], control, arena);
    of.argument = argument;
    if (of.arguments) return of;
    const struct measure *measure = of.part ? NULL : offer_control(of.kind, of.value);
    if (measure) {
        of.value = measure->name;
        of.measure = measure;
    } else {
        of.function = COLUMN_CONTROL;
        of.word = control;
    }
    return of;
}

const struct measure *column_offered(const struct column *column)
{
    while (column->arguments) column = column->argument;
    return column->kind && column->measure ? offer_measure(column->kind, column->measure->name)
                                           : NULL;
}

struct measure *column_describe(struct column *column, struct arena *arena)
{
    struct measure *measure = ARENA_NEW(arena, struct measure);
    *measure = *column->measure;
    column->measure = measure;
    return measure;
}

struct column column_tested(const struct column *column)
{
    const bool outer = column->function == COLUMN_DELTA || column_is_p(column);
    return outer ? column_argument(column, 0) : *column;
}

const char *column_untested(const struct column *column, struct arena *arena)
{
    if (!column_is_measured(column))
        return arena_print(arena, "%s has no values of seeds", column->name);
    if (column->function == COLUMN_DELTA)
        return arena_print(arena, "%s is a difference", column->name);
    if (column_has(column, COLUMN_AXIS))
        return arena_print(arena, "%s is a mean over rows", column->name);
    if (column_is_size(column)) return arena_print(arena, "%s is a size", column->name);
    return NULL;
}

bool column_is_same(const struct column *a, const struct column *b)
{
    const struct column one = column_tested(a), other = column_tested(b);
    bool same = one.function == other.function && one.arguments == other.arguments &&
                word_same(one.word, other.word) && word_same(one.kind, other.kind) &&
                word_same(one.part, other.part) && word_same(one.value, other.value) &&
                word_same(one.of.class, other.of.class);
    for (int d = 0; d < DIMENSION_CLASS; d++) same &= one.of.number[d] == other.of.number[d];
    for (int i = 0; i < one.arguments && same; i++) {
        const struct column its = column_argument(&one, i), others = column_argument(&other, i);
        same = column_is_same(&its, &others);
    }
    return same;
}

bool column_covers(const struct column *wide, const struct column *one)
{
    struct column as_wide = *one;
    if (dimensions_every(&wide->of) && one->of.class) as_wide.of = wide->of;
    return column_is_same(wide, &as_wide);
}

struct column column_of_class(const struct column *every, const char *class, struct arena *arena)
{
    const int stem = (int)(strlen(every->name) - strlen("all")); /* "accuracy: all" */
    struct column one = *every;
    one.of.class = class;
    one.name = arena_print(arena, "%.*s%s", stem, every->name, class);
    one.header = arena_print(arena, "%s: %s", every->header, class);
    return one;
}

const char *column_labelled(const struct column *column, const char *header, struct arena *arena)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    const char *name = group ? group->word : column->part;
    const char *at = column->label ? strstr(header, name) : NULL;
    return at ? arena_print(arena, "%.*s%s%s", (int)(at - header), header, column->label,
                            at + strlen(name))
              : header;
}

const char *column_unit(const struct column *column, struct arena *arena)
{
    return arena_print(arena, "%s%s", column_labelled(column, column->measure->header, arena),
                       dimensions_text(&column->of, arena));
}

bool column_is_measured(const struct column *column)
{
    return column_entries[column->function].sample;
}

bool column_is_size(const struct column *column)
{
    const enum column_form form = column->measure ? column->measure->form : COLUMN_FIXED;
    return form == COLUMN_EXACT || form == COLUMN_SCALED || form == COLUMN_MILLIONS;
}

observations_reader *column_observations(const struct column *column)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    bool all = group && group->arguments;
    for (int d = 0; d < DIMENSION_CLASS; d++)
        if (dimensions_have(&column->of, d)) return NULL;
    if (column_has(column, COLUMN_AXIS)) return NULL;
    if (!group) return observations_of(column_offered(column));
    for (int i = 0; i < group->arguments; i++)
        all &= column_observations(&group->argument[i]) == observations_items;
    return all ? observations_items : NULL;
}
