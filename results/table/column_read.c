/* Reads a column of a grid: its name, or a map that also sets how it is printed and its dimensions.
 * Keys that the map omits keep the values of the named column. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "results/table/observations.h"
#include "results/table/column.h"

/* Reads the name first, because the other keys of the map change the column of this name. */
static void read_name(const struct tree *value, void *field, struct arena *arena)
{
    struct column *column = field;
    const char *nearest = NULL;
    if (!value) return;
    const char *name = scalar_text(value, "a column");
    if (!column_find(name, column, &nearest, arena)) {
        if (strchr(name, '(') && !strchr(name, ')'))
            die_at(value->location,
                   "no column \"%s\"; a name with a comma needs quotes: \"%s, ..)\"", name, name);
        if (column->lacks)
            die_at(value->location, "\"%s\": %s%s", name, column->lacks,
                   nearest ? arena_print(arena, "; did you mean \"%s\"?", nearest) : "");
        const char *const *known = column_names(arena), *list = known[0];
        for (int i = 1; known[i]; i++) list = arena_print(arena, "%s, %s", list, known[i]);
        die_at(value->location, "no column \"%s\"; %sexpected one of: %s, KIND.NAME", name,
               nearest ? arena_print(arena, "did you mean \"%s\"? ", nearest) : "", list);
    }
    column->location = value->location;
}
static const struct option_custom name_custom = {"name", read_name, NULL, NULL};

static void read_class(const struct tree *value, void *field, struct arena *arena)
{
    struct dimensions *of = field;
    if (!value) return;
    const char *class = scalar_text(value, "class");
    if (!*class || (!value->quoted && number_valid(class)))
        die_at(value->location, "class: expected the name of a class, or all; got %s%s%s",
               *class ? "the number " : "an empty text", class,
               *class ? "; a class of this name needs quotes" : "");
    of->every = !value->quoted && !strcmp(class, "all");
    if (!of->every) of->class = class;
}
static const struct option_custom class_custom = {"NOUN|all", read_class, NULL, NULL};

#define FIELD(member) offsetof(struct column, member)
static const struct option options[] = {
    ROW_CUSTOM("column", 0, NULL, &name_custom, OPTION_NO_ID, "name of the column; required"),
    ROW_TEXT("header", FIELD(header), NULL, OPTION_NO_ID, "heading of the column"),
    ROW_INT("decimals", FIELD(decimals), NULL, 0, 9, OPTION_NO_ID,
            "number of decimals of form: fixed"),
    ROW_CHOICE("form", FIELD(form), NULL, COLUMN_FORMS, OPTION_NO_ID,
               "number format: 36.12, 3,681,280, up to 5 digits, 3.68M, 88.0M or 3 h 20 min"),
    ROW_CHOICE("best", FIELD(best), NULL, COLUMN_BESTS, OPTION_NO_ID,
               "direction of better values, for bold and marks"),
    ROW_CHOICE("baseline", FIELD(absolute), NULL, "blank|value", OPTION_NO_ID,
               "content of the baseline's own cell in delta(COLUMN)"),
    ROW_BOOL("once", FIELD(once), NULL, OPTION_NO_ID,
             "single column before the groups of table.by"),
    ROW_INT("layer", FIELD(of.number[DIMENSION_LAYER]), NULL, 1, INFINITY, OPTION_NO_ID,
            "layer of the value"),
    ROW_INT("head", FIELD(of.number[DIMENSION_HEAD]), NULL, 1, INFINITY, OPTION_NO_ID,
            "head of the value"),
    ROW_INT("set", FIELD(of.number[DIMENSION_SET]), NULL, 1, INFINITY, OPTION_NO_ID,
            "set of the value: one of several checkpoints"),
    ROW_CUSTOM("class", FIELD(of), NULL, &class_custom, OPTION_NO_ID,
               "class of the value; all: a column per class; a class named by a number, or "
               "\"all\", needs quotes"),
};
static const struct section section = {"a column", "a name, or a map {column: bleu, header: En-De}",
                                       options, COUNT_OF(options), sizeof(struct column)};

/* Dies if the column's metric rows are known not to have the dimension. */
static void check_dimension(const struct column *column, enum dimension which,
                            struct location location, struct arena *arena)
{
    const char *has = NULL;
    const struct column tested = column_tested(column);
    const bool items = column->source == COLUMN_P && observations_of(column->measure);
    if (tested.source != COLUMN_VALUE || (items && which != DIMENSION_CLASS))
        die_at(location, "%s: \"%s\" is not a value of a stage; expected a column like gates.gate",
               dimension_names[which], column->name);
    if (!column->measure || column->measure->traits & 1u << which) return;
    for (int d = 0; d < DIMENSIONS; d++)
        if (column->measure->traits & 1u << d)
            has = has ? arena_print(arena, "%s, %s", has, dimension_names[d]) : dimension_names[d];
    die_at(location, "%s: \"%s\" has no values by %s; it has them by: %s", dimension_names[which],
           column->name, dimension_names[which], has ? has : "none of layer, head, set, class");
}

struct column column_read(const struct tree *item, struct arena *arena)
{
    struct column column = {0};
    const struct tree *value, *form = tree_get(item, "form"),
                              *decimals = tree_get(item, "decimals");
    if (item->kind == TREE_MAP)
        section_read_part(&section, item, &column, arena);
    else
        read_name(item, &column, arena);
    if (!column.name)
        die_at(item->location,
               "a column: its name is missing; expected {column: bleu, header: En-De}");
    if (decimals && !form) column.form = COLUMN_FIXED;
    if (form && column.form == COLUMN_MILLIONS && !decimals) column.decimals = 1;
    for (int d = 0; d < DIMENSIONS; d++)
        if ((value = tree_get(item, dimension_names[d])))
            check_dimension(&column, d, value->location, arena);
    column.headed = tree_get(item, "header");
    if (!dimensions_some(&column.of)) return column;
    const char *text = dimensions_text(&column.of, arena);
    column.name = arena_print(arena, "%s%s%s", column.name, text, column.of.every ? ": all" : "");
    if (!column.headed) column.header = arena_print(arena, "%s%s", column.header, text);
    return column;
}

void column_refuse_every(const struct column *column, const struct tree *item, const char *why)
{
    if (column->of.every) die_at(tree_get(item, "class")->location, "%s", why);
}

void column_help(FILE *out)
{
    section_help(&section, OPTION_KEYS, out);
    column_help_names(out);
}
