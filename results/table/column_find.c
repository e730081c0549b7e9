/* Finds a column by its name: first the names that kinds offer, then functions and the names of
 * column_entries, then KIND.NAME. */
#include "results/table/column.h"

#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/sections.h"
#include "results/table/observations.h"

/* Returns a copy of a measure with another header. If `measure` is NULL, returns the description of
 * an unknown value. */
static struct measure *headed(const struct measure *measure, const char *name, const char *header,
                              struct arena *arena)
{
    struct measure *copy = ARENA_NEW(arena, struct measure);
    *copy = measure ? *measure : (struct measure){.name = name, .form = COLUMN_SHORT};
    copy->header = header;
    return copy;
}

/* Finds a column that a kind offers under a short name. */
static bool find_offered(const char *name, struct column *column, struct arena *arena)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name; measure++) {
            if (!measure->column || strcmp(measure->column, name) != 0) continue;
            *column = (struct column){
                .name = name,
                .kind = (*offer)->kind,
                .value = measure->name,
                .measure = measure->header ? measure : headed(measure, NULL, name, arena)};
            column->header = column->measure->header;
            return true;
        }
    return false;
}

const char *const *column_names(struct arena *arena)
{
    struct names names = {.arena = arena};
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name; measure++)
            if (measure->column) names_add(&names, measure->column);
    for (int i = 0; i < COLUMN_FUNCTIONS; i++)
        if (column_entries[i].name) names_add(&names, column_entries[i].name);
    return names_end(&names);
}

void column_help_names(FILE *out)
{
    fputs("columns:\n", out);
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *one = offer_measures(*offer); one->name; one++)
            if (one->column)
                fprintf(out, "  %-25s  %s.%s, %s%s%s\n", one->column, (*offer)->kind, one->name,
                        one->header ? one->header : one->column, one->help ? ": " : "",
                        one->help ? one->help : "");
    for (int i = 0; i < COLUMN_FUNCTIONS; i++)
        if (column_entries[i].name)
            fprintf(out, "  %-25s  %s\n", column_entries[i].name, column_entries[i].help);
    fputs(
        "  KIND.NAME                  any value in the summaries of stages of that kind\n"
        "  KIND.PART, KIND.PART.NAME  the same for a kind whose stages have parts (probe.Tense)\n",
        out);
}

/* Returns a column with the header and measure of a function. */
static struct column begin(const char *name, int function)
{
    const struct column_entry *entry = &column_entries[function];
    return (struct column){.name = name,
                           .function = (enum column_function)function,
                           .measure = &entry->measure,
                           .header = entry->measure.header};
}

/* Finds a function by the word before its bracket. The first character in the brackets decides
 * between mean(GROUP) and mean($AXIS). */
static bool find_function(const char *name, const char *open, struct column *column,
                          struct column_miss *miss, struct arena *arena)
{
    const char *words[COLUMN_FUNCTIONS + 1] = {NULL};
    const char *word = arena_text_range(arena, name, (size_t)(open - name));
    const char *inner = arena_text_range(arena, open + 1, strlen(open) - 2);
    int found = -1;
    for (int i = 0, count = 0; i < COLUMN_FUNCTIONS; i++) {
        const char *known = column_entries[i].name, *bracket = known ? strchr(known, '(') : NULL;
        if (!bracket) continue;
        words[count] = arena_text_range(arena, known, (size_t)(bracket - known));
        if (!strcmp(word, words[count++]) && (found < 0 || inner[0] == bracket[1])) found = i;
    }
    if (found >= 0) {
        *column = begin(name, found);
        return column_entries[found].find(inner, column, miss, arena);
    }
    const char *near = word_nearest(word, words);
    if (near) miss->nearest = arena_print(arena, "%s(%s)", near, inner);
    return false;
}

/* Returns the point between PART and NAME in PART.NAME; NULL if there is only a part. A view may
 * contain a point, as in Tense@encoder.2. Then the text after the last point is NAME only if it is
 * a measure of the kind. */
static const char *end_of_part(const struct offer *offer, const char *text)
{
    const char *point = strchr(text, '.'), *view = strchr(text, '@');
    if (!point || !view || view > point) return point;
    point = strrchr(text, '.');
    return offer_measure(offer->kind, point + 1) ? point : NULL;
}

/* Returns PREFIX.NAME with the measure of a kind that is nearest to `value`. */
static const char *nearest_value(const struct offer *offer, const char *prefix, const char *value,
                                 struct arena *arena)
{
    struct names names = {.arena = arena};
    for (const struct measure *measure = offer_measures(offer); measure->name; measure++)
        names_add(&names, measure->name);
    for (const char *at = offer && offer->numbers ? offer->numbers : ""; *at;
         at += strspn(at, " ")) {
        const size_t bytes = strcspn(at, " ");
        names_add(&names, arena_text_range(arena, at, bytes));
        at += bytes;
    }
    const char *const *known = names_end(&names), *near = word_nearest(value, known);
    if (!near) near = known[0];
    return near ? arena_print(arena, "%s.%s", prefix, near) : NULL;
}

/* Finds KIND.NAME, KIND.PART or KIND.PART.NAME. */
static bool find_value(const char *name, const char *kind, const char *value, struct column *column,
                       struct column_miss *miss, struct arena *arena)
{
    const struct offer *offer = offer_of(kind);
    const char *part = NULL, *point = NULL;
    if (offer && offer->traits & OFFER_PARTS) {
        point = end_of_part(offer, value);
        part = point ? arena_text_range(arena, value, (size_t)(point - value)) : value;
        value = point ? point + 1 : offer->measure[0].name;
        if (!*part || !*value) return false;
    }
    const struct measure *measure = offer_measure(kind, value);
    if (!measure && !offer_may_have(offer, value)) {
        miss->nearest = nearest_value(offer, part ? arena_print(arena, "%s.%s", kind, part) : kind,
                                      value, arena);
        return false;
    }
    const bool plain = !measure || measure->column; /* only the short name of a measure has the
                                                       format of the kind */
    const char *header = plain || !measure->header ? name : measure->header;
    if (part) header = part;
    if (part && point && measure && measure->header)
        header = arena_print(arena, "%s, %s", part, measure->header);
    struct measure *own = headed(measure, value, header, arena);
    if (plain) own->form = COLUMN_SHORT, own->decimals = 0, own->best = COLUMN_NONE;
    own->column = NULL;
    *column = (struct column){.name = name,
                              .kind = kind,
                              .part = part,
                              .value = value,
                              .measure = own,
                              .header = own->header};
    return true;
}

bool column_find(const char *name, struct column *column, struct column_miss *miss,
                 struct arena *arena)
{
    struct column_miss unwanted;
    if (!miss) miss = &unwanted;
    *miss = (struct column_miss){0};
    const char *open = strchr(name, '('), *point = strchr(name, '.');
    if (open && name[strlen(name) - 1] == ')')
        return find_function(name, open, column, miss, arena);
    if (find_offered(name, column, arena)) return true;
    for (int i = 0; i < COLUMN_FUNCTIONS; i++) {
        if (!word_same(column_entries[i].name, name)) continue;
        *column = begin(name, i);
        return true;
    }
    if (point && point > name && point[1] && !open) {
        const char *kind = arena_text_range(arena, name, (size_t)(point - name));
        return find_value(name, kind, point + 1, column, miss, arena);
    }
    miss->nearest = word_nearest(name, column_names(arena));
    return false;
}
