/* Finds a column by its name: first the names that kinds offer, then functions and the names below,
 * then KIND.NAME. */
#include "results/table/column.h"

#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/sections.h"
#include "results/table/observations.h"

/* Columns that no kind of stage offers. A function is found by the word before its bracket. */
static const struct {
    struct column column;
    const char *help;
} known[] = {
    {{.name = "wall", .source = COLUMN_WALL, .header = "Time", .form = COLUMN_SECONDS},
     "total time of all stages of one seed"},
    {{.name = "number", .source = COLUMN_NUMBER, .header = "#", .form = COLUMN_EXACT, .once = true},
     "number of the row, from 1"},
    {{.name = "scored.NAME", .source = COLUMN_SCORED},
     "training metric (dev_loss, dev_bleu, ..) at the checkpoint that was scored: a mean for "
     "mean_of_best(N), none for average(N)"},
    {{.name = "delta(COLUMN)"}, "mean minus the baseline's mean"},
    {{.name = "margin(COLUMN)"},
     "value minus that of its control start, by seed, for KIND.PART, mean(GROUP) or a value with a "
     "start; margin(COLUMN, bag): minus another control"},
    {{.name = "mean(GROUP)", .source = COLUMN_MEAN, .decimals = 2, .best = COLUMN_MOST},
     "mean of the columns of a group in table.groups, seed by seed, or of a group of probing "
     "tasks"},
    {{.name = "mean($AXIS)"},
     "mean of bleu over the points of an axis that agree in all other axes; mean($AXIS, COLUMN): "
     "of any column"},
    {{.name = "p(COLUMN)", .source = COLUMN_P, .p = COLUMN_KOEHN, .header = "p", .decimals = 3},
     "p value against the baseline: Student's t over seeds and, if resampled (bleu, test_loss), "
     "sentences; with one seed paired bootstrap (Koehn 2004), for probes McNemar's exact test"},
    {{.name = "centered(COLUMN)",
      .source = COLUMN_P,
      .p = COLUMN_CENTERED,
      .header = "p, centered",
      .decimals = 3},
     "p value over sentences only, by the centered bootstrap (Riezler and Maxwell 2005)"},
    {{.name = "swapped(COLUMN)",
      .source = COLUMN_P,
      .p = COLUMN_SWAPPED,
      .header = "p, swapped",
      .decimals = 3},
     "p value over sentences only, by approximate randomization"},
    {{.name = "has(OPTION.WORD)", .source = COLUMN_HAS, .once = true},
     "check mark if the options have the word: has(encoder.attention.terms.gauss)"},
    {{.name = "option(OPTION)", .source = COLUMN_OPTION, .once = true}, "value of the option"},
};

static struct column offered(const char *name, const char *kind, const struct measure *measure)
{
    return (struct column){.name = name,
                           .kind = kind,
                           .value = measure->name,
                           .measure = measure,
                           .unit = measure->header ? measure->header : name,
                           .header = measure->header ? measure->header : name,
                           .form = measure->form,
                           .decimals = measure->decimals,
                           .best = measure->best,
                           .always = offer_is_size(measure)};
}

/* Finds a column that a kind offers under a short name. */
static bool find_offered(const char *name, struct column *column)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name; measure++) {
            if (!measure->column || strcmp(measure->column, name) != 0) continue;
            *column = offered(name, (*offer)->kind, measure);
            column->of_training = offer_trains(*offer);
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
    for (size_t i = 0; i < COUNT_OF(known); i++) names_add(&names, known[i].column.name);
    return names_end(&names);
}

void column_help_names(FILE *out)
{
    struct arena arena = {0};
    struct column column;
    const char *nearest;
    fputs("columns:\n", out);
    for (const char *const *name = column_names(&arena);
         column_find(*name, &column, &nearest, &arena) && column.measure; name++)
        fprintf(out, "  %-25s  %s.%s, %s%s%s\n", *name, column.kind, column.value, column.header,
                column.measure->help ? ": " : "", column.measure->help ? column.measure->help : "");
    for (size_t i = 0; i < COUNT_OF(known); i++)
        fprintf(out, "  %-25s  %s\n", known[i].column.name, known[i].help);
    fputs(
        "  KIND.NAME                  any value in the summaries of stages of that kind\n"
        "  KIND.PART, KIND.PART.NAME  the same for a kind whose stages have parts (probe.Tense)\n",
        out);
    arena_free(&arena);
}

/* Finds the column in the brackets of a function. If there is none, *nearest becomes the function
 * with the nearest column in its brackets, printed by `format`. */
static bool find_inner(const char *format, const char *inner, struct column *column,
                       const char **nearest, struct arena *arena)
{
    const bool found = column_find(inner, column, nearest, arena);
    if (!found && *nearest) *nearest = arena_print(arena, format, *nearest);
    return found;
}

static bool find_delta(const char *name, const char *inner, struct column *column,
                       const char **nearest, struct arena *arena)
{
    if (!find_inner("delta(%s)", inner, column, nearest, arena)) return false;
    if (column->delta || !column_is_measured(column)) return false;
    if (!column->unit) column->unit = column->header;
    column->delta = true;
    column->name = name;
    column->best = COLUMN_NONE;
    column->header = arena_print(arena, "Δ %s", column->header);
    return true;
}

/* Returns the controls that a column may have; NULL if none. A part has the controls of its kind. A
 * value without part has `start` if its kind offers one. For a mean these are the controls of the
 * first kind that has any, because its group is found later. */
static const char *const *controls_of(const struct column *column)
{
    static const char *const start[] = {"start", NULL};
    if (column->kind && !column->part)
        return offer_control(column->kind, column->value) ? start : NULL;
    const struct offer *const *offer = offers();
    const char *kind = column->kind;
    while (*offer && (kind ? strcmp((*offer)->kind, kind) != 0 : !(*offer)->views)) offer++;
    return *offer && (*offer)->views ? (*offer)->views + 1 : NULL;
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
static bool find_margin(const char *name, const char *inner, struct column *column,
                        const char **nearest, struct arena *arena)
{
    const size_t length = argument_length(inner);
    const char *of = arena_text_range(arena, inner, length), *control = inner + length;
    control += strspn(control, ", ");
    if (!*control) control = "start";
    if (!find_inner("margin(%s)", of, column, nearest, arena)) return false;
    const bool group = column->source == COLUMN_MEAN && column_is_group(column) && !column->over;
    const char *const *controls = controls_of(column);
    if (!controls && column_is_measured(column) && !column->delta)
        *nearest = arena_print(arena, "delta(%s)", of); /* nothing but a baseline to compare with */
    column->lacks = arena_print(arena, "%s has no control of this name", of);
    if (!controls || !(group || column->source == COLUMN_VALUE) || column->delta || column->control)
        return false;
    if (!word_known(control, controls)) {
        const char *near = word_nearest(control, controls);
        *nearest = arena_print(arena, "margin(%s, %s)", of, near ? near : controls[0]);
        return false;
    }
    column->lacks = NULL;
    column->name = name;
    column->control = control;
    column->margin = true;
    column->best = COLUMN_NONE;
    column->header = column->unit = arena_print(arena, "%s − %s", column->header, control);
    return true;
}

/* Finds mean($AXIS) and mean($AXIS, COLUMN). `inner` begins with $. */
static bool find_over(const char *name, const char *inner, struct column *column,
                      const char **nearest, struct arena *arena)
{
    const size_t axis = strcspn(inner + 1, ", ");
    const char *over = arena_text_range(arena, inner + 1, axis), *of = inner + 1 + axis;
    of += strspn(of, ", ");
    if (!axis) return false;
    if (!find_inner(arena_print(arena, "mean($%s, %%s)", over), *of ? of : COLUMN_MAIN, column,
                    nearest, arena))
        return false;
    if (column->delta || column->over || !column_is_measured(column)) return false;
    column->name = name;
    column->over = over;
    column->header = arena_print(arena, "%s, mean over %s", column->header, column_last_word(over));
    return true;
}

/* Returns the name of a column of the same kind that can be tested, as a suggestion. */
static const char *tested_instead(const struct column *column, struct arena *arena)
{
    const struct offer *offer = column->kind ? offer_of(column->kind) : NULL;
    for (const struct measure *measure = offer_measures(offer); measure->name; measure++) {
        if (!observations_of(measure)) continue;
        if (measure->column) return measure->column;
        return arena_print(arena, "%s%s%s.%s", offer->kind, column->part ? "." : "",
                           column->part ? column->part : "", measure->name);
    }
    return COLUMN_MAIN;
}

/* Finds the p of a column that can be tested. *column is the entry of this p in `known`. */
static bool find_p(const char *word, const char *inner, struct column *column, const char **nearest,
                   struct arena *arena)
{
    struct column *tested = ARENA_NEW(arena, struct column);
    bool found = column_find(inner, tested, nearest, arena);
    const char *near = *nearest;
    if (!found && near) column_find(near, tested, nearest, arena);
    const bool mean = tested->source == COLUMN_MEAN; /* layout_find_group looks for items */
    const char *untested = found || near ? column_untested(tested, arena) : NULL;
    if (!untested && column->p != COLUMN_KOEHN && !mean && !column_observations(tested))
        untested = arena_print(arena, "%s has no items to resample", inner);
    const bool good = (found || near) && !untested;
    *nearest =
        arena_print(arena, "%s(%s)", word, good && near ? near : tested_instead(tested, arena));
    column->kind = tested->kind;
    column->part = tested->part;
    column->value = tested->value;
    column->measure = tested->measure;
    column->control = tested->control;
    column->margin = tested->margin;
    column->unit = tested->unit ? tested->unit : tested->header;
    if (good && strcmp(inner, COLUMN_MAIN) != 0)
        column->header = arena_print(arena, "%s, %s", column->header, column->unit);
    column->tested = tested;
    if (found) column->lacks = untested;
    return found && good;
}

static bool find_function(const char *name, const char *open, struct column *column,
                          const char **nearest, struct arena *arena)
{
    const char *words[COUNT_OF(known) + 1] = {NULL};
    const char *word = arena_text_range(arena, name, (size_t)(open - name));
    const char *inner = arena_text_range(arena, open + 1, strlen(open) - 2);
    for (size_t i = 0, count = 0; i < COUNT_OF(known); i++) {
        const char *bracket = strchr(known[i].column.name, '(');
        if (!bracket) continue;
        words[count] =
            arena_text_range(arena, known[i].column.name, (size_t)(bracket - known[i].column.name));
        if (strcmp(word, words[count++]) != 0) continue;
        if (!strcmp(word, "mean") && inner[0] == '$')
            return find_over(name, inner, column, nearest, arena);
        *column = known[i].column;
        column->name = name;
        if (!strcmp(word, "margin")) return find_margin(name, inner, column, nearest, arena);
        if (column->source == COLUMN_VALUE) return find_delta(name, inner, column, nearest, arena);
        if (column->source == COLUMN_P) return find_p(word, inner, column, nearest, arena);
        column->value = inner;
        column->header = column->source == COLUMN_MEAN ? inner : column_last_word(inner);
        return *inner;
    }
    const char *near = word_nearest(word, words);
    if (near) *nearest = arena_print(arena, "%s(%s)", near, inner);
    return false;
}

static bool find_scored(const char *name, const char *metric, struct column *column,
                        struct arena *arena)
{
    const struct offer *train = offer_that_trains();
    const struct measure *measure = train ? offer_measure(train->kind, metric) : NULL;
    *column = (struct column){.name = name, .value = metric, .header = name, .form = COLUMN_SHORT};
    if (measure) *column = offered(name, NULL, measure);
    if (measure) column->header = arena_print(arena, "%s (scored)", column->header);
    column->source = COLUMN_SCORED;
    column->unit = column->header;
    return offer_read_by(observations_bleu, &column->kind) != NULL;
}

/* Returns the point between PART and NAME in PART.NAME; NULL if there is only a part. A view,
 * Tense@encoder.2, contains points: then the text after the last point is NAME only if it is a
 * measure of the kind. */
static const char *end_of_part(const struct offer *offer, const char *text)
{
    const char *point = strchr(text, '.'), *view = strchr(text, '@');
    if (!point || !view || view > point) return point;
    point = strrchr(text, '.');
    return offer_measure(offer->kind, point + 1) ? point : NULL;
}

/* Returns the names of a kind's values, measures first, NULL-terminated. Excludes the words of
 * `numbers` that are prefixes of names. */
static const char *const *number_names(const struct offer *offer, struct arena *arena)
{
    const char **name = NULL;
    int count = 0;
    for (const struct measure *measure = offer_measures(offer); measure->name; measure++)
        ARENA_ADD(arena, name, count, measure->name);
    for (const char *at = offer->numbers; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const size_t bytes = strcspn(at, " ");
        if (strchr("._", at[bytes - 1])) continue;
        ARENA_ADD(arena, name, count, arena_text_range(arena, at, bytes));
    }
    ARENA_MORE(arena, name, count);
    name[count] = NULL;
    return name;
}

/* Returns KIND.NAME or KIND.PART.NAME with the value of the kind that is nearest to `value`. */
static const char *nearest_value(const struct offer *offer, const char *part, const char *value,
                                 struct arena *arena)
{
    const char *const *names = number_names(offer, arena), *near = word_nearest(value, names);
    if (!near && !names[0]) return NULL;
    return arena_print(arena, "%s.%s%s%s", offer->kind, part ? part : "", part ? "." : "",
                       near ? near : names[0]);
}

/* True if stages of a kind may have a value that is not a measure: one of the offer's `numbers`, or
 * a name with a prefix among them, a word that ends in a point or an underscore. */
static bool may_have(const struct offer *offer, const char *value)
{
    const size_t length = strlen(value);
    if (!offer || !offer->numbers) return true;
    for (const char *name = offer->numbers; *name; name += strspn(name, " ")) {
        const size_t bytes = strcspn(name, " ");
        const bool begins = strchr("._", name[bytes - 1]);
        if ((begins ? bytes < length : bytes == length) && !strncmp(name, value, bytes))
            return true;
        name += bytes;
    }
    return false;
}

/* Finds KIND.NAME, KIND.PART or KIND.PART.NAME. */
static bool find_value(const char *name, const char *kind, const char *value, struct column *column,
                       const char **nearest, struct arena *arena)
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
    if (!measure && !may_have(offer, value)) {
        *nearest = nearest_value(offer, part, value, arena);
        return false;
    }
    *column = (struct column){
        .name = name, .kind = kind, .value = value, .header = name, .form = COLUMN_SHORT};
    if (measure && !measure->column) *column = offered(name, kind, measure);
    column->measure = measure;
    column->part = column->label = part;
    if (part)
        column->header = point && measure && measure->header
                             ? arena_print(arena, "%s, %s", part, measure->header)
                             : part;
    column->unit = column->header;
    return true;
}

bool column_find(const char *name, struct column *column, const char **nearest, struct arena *arena)
{
    static const char scored[] = "scored.";
    *nearest = column->lacks = NULL;
    const char *open = strchr(name, '('), *point = strchr(name, '.');
    if (open && name[strlen(name) - 1] == ')')
        return find_function(name, open, column, nearest, arena);
    if (!strncmp(name, scored, sizeof scored - 1) && point[1])
        return find_scored(name, point + 1, column, arena);
    if (find_offered(name, column)) return true;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(known[i].column.name, name) != 0) continue;
        *column = known[i].column;
        return true;
    }
    if (point && point > name && point[1] && !open) {
        const char *kind = arena_text_range(arena, name, (size_t)(point - name));
        return find_value(name, kind, point + 1, column, nearest, arena);
    }
    *nearest = word_nearest(name, column_names(arena));
    return false;
}
