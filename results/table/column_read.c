/* Reads a column of a grid: its name, or a map of its name, number format and dimensions. If the
 * map lacks a key, the setting of the named column is kept. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/observations.h"
#include "results/table/column.h"

/* Values of the map's keys. They change the column that the key `column` names. */
struct column_map {
    struct column column;
    struct measure measure;
    int absolute;
    bool once;
};

/* This key must be read first, because the other keys change the column that it names. */
static void read_name(const struct tree *value, void *field, struct arena *arena)
{
    struct column_map *map = field;
    struct column_miss miss;
    if (!value) return;
    const char *name = scalar_text(value, "a column");
    if (!column_find(name, &map->column, &miss, arena)) {
        if (strchr(name, '(') && !strchr(name, ')'))
            die_at(value->location,
                   "no column \"%s\"; a name with a comma needs quotes: \"%s, ..)\"", name, name);
        if (miss.lacks)
            die_at(value->location, "\"%s\": %s%s", name, miss.lacks,
                   miss.nearest ? arena_print(arena, "; did you mean \"%s\"?", miss.nearest) : "");
        const char *const *known = column_names(arena), *list = known[0];
        for (int i = 1; known[i]; i++) list = arena_print(arena, "%s, %s", list, known[i]);
        die_at(value->location, "no column \"%s\"; %sexpected one of: %s, KIND.NAME", name,
               miss.nearest ? arena_print(arena, "did you mean \"%s\"? ", miss.nearest) : "", list);
    }
    map->measure = *map->column.measure;
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
    of->class = !value->quoted && !strcmp(class, "all") ? "" : class;
}
static const struct option_custom class_custom = {"NOUN|all", read_class, NULL, NULL};

#define FIELD(member) offsetof(struct column_map, member)
static const struct option options[] = {
    OPTION_CUSTOM("column", 0, NULL, &name_custom, OPTION_NO_ID, "name of the column; required"),
    OPTION_TEXT("header", FIELD(column.header), NULL, OPTION_NO_ID, "heading of the column"),
    OPTION_INT("decimals", FIELD(measure.decimals), NULL, 0, 9, OPTION_NO_ID,
               "number of decimals of form: fixed"),
    OPTION_CHOICE("form", FIELD(measure.form), NULL, COLUMN_FORMS, OPTION_NO_ID,
                  "number format: 36.12, 3,681,280, up to 5 digits, 3.68M, 88.0M or 3 h 20 min"),
    OPTION_CHOICE("best", FIELD(measure.best), NULL, COLUMN_BESTS, OPTION_NO_ID,
                  "direction of better values, for bold and marks"),
    OPTION_CHOICE("baseline", FIELD(absolute), NULL, "blank|value", OPTION_NO_ID,
                  "content of the baseline's own cell in delta(COLUMN)"),
    OPTION_BOOL("once", FIELD(once), NULL, OPTION_NO_ID,
                "single column before the groups of table.by"),
    OPTION_INT("layer", FIELD(column.of.number[DIMENSION_LAYER]), NULL, 1, INFINITY, OPTION_NO_ID,
               "layer of the value"),
    OPTION_INT("head", FIELD(column.of.number[DIMENSION_HEAD]), NULL, 1, INFINITY, OPTION_NO_ID,
               "head of the value"),
    OPTION_INT("set", FIELD(column.of.number[DIMENSION_SET]), NULL, 1, INFINITY, OPTION_NO_ID,
               "set of the value: one of several checkpoints"),
    OPTION_CUSTOM("class", FIELD(column.of), NULL, &class_custom, OPTION_NO_ID,
                  "class of the value; all: a column per class; a class named by a number, or "
                  "\"all\", needs quotes"),
};
static const struct section section = {"a column", "a name, or a map {column: bleu, header: En-De}",
                                       options, COUNT_OF(options), sizeof(struct column_map)};

/* Exits with an error if the column is not a value of a stage. Also exits with an error if the
 * column's kind does not offer the value by this dimension. */
static void check_dimension(const struct column *column, enum dimension which,
                            struct location location, struct arena *arena)
{
    const char *has = NULL;
    const struct measure *measure = column_offered(column);
    const bool items = column_is_p(column) && observations_of(measure);
    if (!column_has(column, COLUMN_VALUE) || (items && which != DIMENSION_CLASS))
        die_at(location, "%s: \"%s\" is not a value of a stage; expected a column like gates.gate",
               dimension_names[which], column->name);
    if (!measure || measure->traits & 1u << which) return;
    for (int d = 0; d < DIMENSIONS; d++)
        if (measure->traits & 1u << d)
            has = has ? arena_print(arena, "%s, %s", has, dimension_names[d]) : dimension_names[d];
    die_at(location, "%s: \"%s\" has no values by %s; it has them by: %s", dimension_names[which],
           column->name, dimension_names[which], has ? has : "none of layer, head, set, class");
}

struct column column_read(const struct tree *item, struct arena *arena)
{
    struct column_map map = {0};
    const struct tree *value, *form = tree_get(item, "form"),
                              *decimals = tree_get(item, "decimals");
    if (item->kind == TREE_MAP)
        section_read_part(&section, item, &map, arena);
    else
        read_name(item, &map, arena);
    struct column column = map.column;
    if (!column.name)
        die_at(item->location,
               "a column: its name is missing; expected {column: bleu, header: En-De}");
    if (decimals && !form) map.measure.form = COLUMN_FIXED;
    if (form && map.measure.form == COLUMN_MILLIONS && !decimals) map.measure.decimals = 1;
    for (int d = 0; d < DIMENSIONS; d++)
        if ((value = tree_get(item, dimension_names[d])))
            check_dimension(&column, d, value->location, arena);
    const bool headed = tree_get(item, "header");
    column.item = item;
    if (headed && !column.kind && !column.arguments) map.measure.header = column.header;
    if (form || decimals || headed || tree_get(item, "best"))
        *column_describe(&column, arena) = map.measure;
    if (!dimensions_some(&column.of)) return column;
    const char *text = dimensions_text(&column.of, arena);
    column.name = arena_print(arena, "%s%s%s", column.name, text,
                              dimensions_every(&column.of) ? ": all" : "");
    if (!headed) column.header = arena_print(arena, "%s%s", column.header, text);
    return column;
}

struct location column_location(const struct column *column)
{
    const struct tree *name = tree_get(column->item, "column");
    if (!name) name = column->item;
    return name ? name->location : (struct location){0};
}

bool column_is_once(const struct column *column)
{
    const struct tree *once = tree_get(column->item, "once");
    return once ? scalar_bool(once, "once") : column_entries[column->function].once;
}

bool column_shows_baseline(const struct column *column)
{
    const struct tree *shown = tree_get(column->item, "baseline");
    return shown && word_same(shown->text, "value");
}

void column_refuse_every(const struct column *column, const struct tree *item, const char *why)
{
    if (dimensions_every(&column->of)) die_at(tree_get(item, "class")->location, "%s", why);
}

void column_help(FILE *out)
{
    section_help(&section, OPTION_KEYS, out);
    column_help_names(out);
}
