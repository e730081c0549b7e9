#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/layout.h"
#include "results/store/offer.h"

static const char *list_words(struct arena *arena, const char *const *words)
{
    const char *list = words[0];
    for (int i = 1; words[i]; i++) list = arena_print(arena, "%s, %s", list, words[i]);
    return list;
}

static struct column find_column(const struct tree *scalar, struct arena *arena)
{
    struct column column;
    const char *name = scalar_text(scalar, "a column"), *nearest = NULL;
    if (column_find(name, &column, &nearest, arena)) return column;
    const char *hint = nearest ? arena_print(arena, "did you mean \"%s\"? ", nearest) : "";
    die_at(scalar->place, "no column \"%s\"; %sthere are %s and KIND.NAME", name, hint,
           list_words(arena, column_names(arena)));
}

/* Dies where the metric rows behind a column are known not to have the dimension. */
static void check_dimension(const struct column *column, enum dimension which, struct place place,
                            struct arena *arena)
{
    const char *has = NULL;
    if (column->source != COLUMN_VALUE && !(column->source == COLUMN_P && which == DIMENSION_CLASS))
        die_at(place, "%s: \"%s\" is no value of a stage; expected a column like gates.gate",
               dimension_names[which], column->name);
    if (!column->measure || column->measure->dimensions & 1u << which) return;
    for (int d = 0; d < DIMENSIONS; d++)
        if (column->measure->dimensions & 1u << d)
            has = has ? arena_print(arena, "%s, %s", has, dimension_names[d]) : dimension_names[d];
    die_at(place, "%s: \"%s\" has no values by %s; it has them by: %s", dimension_names[which],
           column->name, dimension_names[which], has ? has : "none of layer, head, set, class");
}

/* Which metric rows the column is of. */
static void read_dimensions(const struct tree *map, struct column *column, struct arena *arena)
{
    const struct tree *value;
    for (int d = 0; d < DIMENSIONS; d++) {
        if (!(value = tree_get(map, dimension_names[d]))) continue;
        check_dimension(column, d, value->place, arena);
        if (d < DIMENSION_CLASS) {
            column->of.number[d] = scalar_int(value, dimension_names[d], 1, INFINITY);
            continue;
        }
        const char *class = scalar_text(value, "class");
        if (!*class || (!value->quoted && number_valid(class)))
            die_at(value->place, "class: expected the name of a class, or all; got %s%s%s",
                   *class ? "the number " : "an empty text", class,
                   *class ? "; a class that is called so stands in quotes" : "");
        column->of.every = !value->quoted && !strcmp(class, "all");
        if (!column->of.every) column->of.class = class;
    }
    if (!dimensions_some(&column->of)) return;
    const char *text = dimensions_text(&column->of, arena);
    column->name =
        arena_print(arena, "%s%s%s", column->name, text, column->of.every ? ": all" : "");
    column->header = arena_print(arena, "%s%s", column->header, text);
}

struct column layout_read_column(const struct tree *item, struct arena *arena)
{
    static const char *const keys[] = {"column", "header", "decimals", "form", "best",  "baseline",
                                       "once",   "layer",  "head",     "set",  "class", NULL};
    const struct tree *map = item->kind == TREE_MAP ? item : NULL, *name = item, *value;
    if (map) {
        tree_only_keys(item, "a column", keys);
        name = tree_get(item, "column");
    }
    if (!name) die_at(item->place, "a column: expected its name, {column: bleu, header: En-De}");
    struct column column = find_column(name, arena);
    column.place = name->place;
    read_dimensions(map, &column, arena);
    if ((value = tree_get(map, "header"))) column.header = scalar_text(value, "header");
    if ((value = tree_get(map, "best")))
        column.best = (enum column_best)scalar_choice(value, "best", COLUMN_BESTS);
    if ((value = tree_get(map, "once"))) column.once = scalar_bool(value, "once");
    if ((value = tree_get(map, "baseline")))
        column.absolute = scalar_choice(value, "baseline", "blank|value");
    if ((value = tree_get(map, "decimals"))) {
        column.decimals = scalar_int(value, "decimals", 0, 9);
        column.form = COLUMN_FIXED;
    }
    if ((value = tree_get(map, "form"))) {
        column.form = (enum column_form)scalar_choice(value, "form", COLUMN_FORMS);
        if (column.form == COLUMN_MILLIONS && !tree_get(map, "decimals")) column.decimals = 1;
    }
    return column;
}

int layout_read_line(const struct tree *scalar, const struct layout *layout, struct arena *arena)
{
    const char *name = scalar_text(scalar, "a row");
    const char **names = ARENA_ARRAY(arena, const char *, layout->lines + 1);
    for (int i = 0; i < layout->lines; i++) {
        names[i] = layout->line[i].name;
        if (strcmp(names[i], name) == 0) return i;
    }
    word_refuse(scalar->place, "table", "there is no row", name, names);
}

static void read_columns(const struct tree *list, struct layout *layout, struct arena *arena)
{
    static const char *const fallback[] = {"parameters", COLUMN_MAIN, "delta(" COLUMN_MAIN ")"};
    const char *nearest;
    if (!list) {
        layout->columns = layout->lines > 1 ? 3 : 2;
        layout->column = ARENA_ARRAY(arena, struct column, 3);
        for (int i = 0; i < layout->columns; i++)
            column_find(fallback[i], &layout->column[i], &nearest, arena);
        return;
    }
    if (list->kind != TREE_LIST || list->count == 0)
        die_at(list->place, "columns: expected a list like [parameters, bleu, delta(bleu)]");
    layout->columns = list->count;
    layout->column = ARENA_ARRAY(arena, struct column, list->count);
    for (int i = 0; i < list->count; i++)
        layout->column[i] = layout_read_column(list->item[i], arena);
}

static void read_groups(const struct tree *groups, struct layout *layout, struct arena *arena)
{
    if (!groups) return;
    if (groups->kind != TREE_MAP)
        die_at(groups->place, "groups: expected {Surface: [probe.SeLen, probe.WC]}");
    layout->group = ARENA_ARRAY(arena, struct layout_group, groups->count);
    for (int i = 0; i < groups->count; i++) {
        const struct tree *list = groups->item[i];
        struct layout_group *group = &layout->group[layout->groups++];
        if (list->kind != TREE_LIST || !list->count)
            die_at(list->place, "groups: %s: expected a list of columns", groups->key[i]->text);
        *group = (struct layout_group){groups->key[i]->text, list->count,
                                       ARENA_ARRAY(arena, struct column, list->count)};
        for (int k = 0; k < list->count; k++) {
            group->member[k] = layout_read_column(list->item[k], arena);
            if (group->member[k].of.every)
                die_at(tree_get(list->item[k], "class")->place,
                       "groups: %s: class: all is a column for each class; expected the name of "
                       "one",
                       group->name);
        }
    }
}

/* Every mean(GROUP) among the columns has its group, of columns that have values. */
static void check_means(const struct tree *columns, const struct layout *layout,
                        struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, const char *, layout->groups + 1);
    for (int i = 0; i < layout->groups; i++) names[i] = layout->group[i].name;
    for (int i = 0; i < layout->columns; i++) {
        bool found = layout->column[i].source != COLUMN_MEAN;
        for (int k = 0; k < layout->groups && !found; k++) {
            const struct layout_group *group = &layout->group[k];
            found = strcmp(group->name, layout->column[i].value) == 0;
            for (int m = 0; found && m < group->count; m++)
                if (group->member[m].source > COLUMN_WALL || group->member[m].delta)
                    die_at(group->member[m].place,
                           "mean(%s): expected columns of values, got \"%s\"", group->name,
                           group->member[m].name);
        }
        if (!found && !layout->groups)
            die_at(columns->item[i]->place, "mean(%s): table.groups is missing: {%s: [COLUMN, ..]}",
                   layout->column[i].value, layout->column[i].value);
        if (!found)
            word_refuse(columns->item[i]->place, "mean", "there is no group",
                        layout->column[i].value, names);
    }
}

void layout_check_option(struct place place, const char *what, const char *path, bool has,
                         const struct summary_grid *grid, struct arena *arena)
{
    const char *const *option = grid->words.option;
    size_t length = strlen(path);
    for (int i = 0; option && option[i]; i++) {
        size_t whole = strlen(option[i]);
        if (strcmp(option[i], path) == 0) return;
        if (has && !strncmp(option[i], path, whole) && path[whole] == '.') return;
        if (strncmp(option[i], path, length) == 0 && option[i][length] == '.')
            return; /* a section */
    }
    if (!option) return;
    /* The beginning that looks like an option is the part that is misspelled. */
    char *head = arena_text(arena, path);
    for (char *end; has && !word_nearest(head, option) && (end = strrchr(head, '.'));) *end = 0;
    word_refuse(place, what, "there is no option", strchr(head, '.') ? head : path, option);
}

/* What needs the grid's words: kinds of stages, names of options. */
static void check_words(const struct column *column, const struct summary_grid *grid,
                        struct arena *arena)
{
    const struct summary_words *words = &grid->words;
    bool known = !words->kind || !column->kind || !strchr(column->name, '.');
    for (int k = 0; !known && words->kind[k]; k++)
        known = strcmp(words->kind[k], column->kind) == 0;
    if (!known)
        word_refuse(column->place, column->name, "there is no kind of stage", column->kind,
                    words->kind);
    if (column->part && words->part && words->part[0]) {
        const char *title = arena_print(arena, "%s.%s", column->kind, column->part);
        bool there = false;
        for (int k = 0; words->part[k]; k++) there |= !strcmp(words->part[k], title);
        if (!there)
            word_refuse(column->place, column->name, "no row has the part", title, words->part);
    }
    if (column->source == COLUMN_HAS || column->source == COLUMN_OPTION)
        layout_check_option(column->place, column->name, column->value,
                            column->source == COLUMN_HAS, grid, arena);
}

/* Of all columns wherever the grid names them. */
static void check_all_words(const struct layout *layout, const struct summary_grid *grid,
                            struct arena *arena)
{
    for (int i = 0; i < layout->columns; i++) check_words(&layout->column[i], grid, arena);
    for (int i = 0; i < layout->groups; i++)
        for (int k = 0; k < layout->group[i].count; k++)
            check_words(&layout->group[i].member[k], grid, arena);
    for (int i = 0; i < layout->paper.columns; i++)
        check_words(&layout->paper.column[i], grid, arena);
}

static int by_number(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

bool layout_name_is_swept(const char *name, const struct layout *layout,
                          const struct summary_grid *grid)
{
    for (int i = 0; i < layout->lines; i++)
        if (!strcmp(layout->line[i].name, name)) return false;
    for (int i = 0; i < grid->rows; i++)
        if (summary_row_meant(&grid->row[i], name)) return true;
    return false;
}

static int line_of_row(const struct layout *layout, int row)
{
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++)
            if (layout->line[i].row[f] == row) return i;
    return -1;
}

/* The line of the row that `name` means beside a line's own; the line itself when there is none. */
static int line_beside(const char *name, int line, const struct layout *layout,
                       const struct summary_grid *grid)
{
    for (int f = 0; f < layout->factors; f++) {
        int row = layout->line[line].row[f];
        int beside = row < 0 ? -1 : summary_row_beside(grid, name, row);
        if (beside >= 0) return line_of_row(layout, beside);
    }
    return line;
}

/* Of a row that sweeps have multiplied: each line's is the one at its own place on the axes. */
static void read_swept_baseline(const char *name, struct layout *layout,
                                const struct summary_grid *grid, struct arena *arena)
{
    layout->baselines = 0;
    layout->baseline = ARENA_ARRAY(arena, int, layout->lines);
    for (int i = 0; i < layout->lines; i++) {
        layout->line[i].baseline = line_beside(name, i, layout, grid);
        if (layout->line[i].baseline == i) layout->baseline[layout->baselines++] = i;
    }
}

/* The baselines in the order of the table; each line's is the last one at or above it. */
static void read_baseline(const struct tree *baseline, struct layout *layout,
                          const struct summary_grid *grid, struct arena *arena)
{
    if (baseline && baseline->kind == TREE_SCALAR &&
        layout_name_is_swept(baseline->text, layout, grid)) {
        read_swept_baseline(baseline->text, layout, grid, arena);
        return;
    }
    bool list = baseline && baseline->kind == TREE_LIST;
    layout->baselines = list ? baseline->count : 1;
    layout->baseline = ARENA_ARRAY(arena, int, layout->baselines);
    if (list && !baseline->count) die_at(baseline->place, "baseline: the list is empty");
    for (int i = 0; baseline && i < layout->baselines; i++)
        layout->baseline[i] = layout_read_line(list ? baseline->item[i] : baseline, layout, arena);
    while (!baseline && layout->baseline[0] < layout->lines - 1 &&
           layout->line[layout->baseline[0]].quote)
        layout->baseline[0]++; /* the first line that is not quoted */
    qsort(layout->baseline, (size_t)layout->baselines, sizeof(int), by_number);
    for (int i = 0, at = 0; i < layout->lines; i++) {
        while (at + 1 < layout->baselines && layout->baseline[at + 1] <= i) at++;
        layout->line[i].baseline = layout->baseline[at];
    }
}

static void read_alpha(const struct tree *alpha, struct layout_test *test)
{
    test->levels = alpha->kind == TREE_LIST ? alpha->count : 1;
    if (test->levels < 1 || test->levels > 2 || alpha->kind == TREE_MAP)
        die_at(alpha->place, "alpha: expected one level or two, [0.05, 0.01]");
    for (int i = 0; i < test->levels; i++) {
        const struct tree *level = alpha->kind == TREE_LIST ? alpha->item[i] : alpha;
        test->alpha[i] = scalar_real(level, "alpha", 1e-6, 0.5);
        if (i && test->alpha[i] >= test->alpha[0])
            die_at(level->place, "alpha: expected the smaller level last, [0.05, 0.01]");
    }
}

/* A p of so many samples cannot say more than that none of them was worse. */
static void check_alpha(const struct tree *alpha, const struct layout_test *test)
{
    const bool swapped = test->p == COLUMN_SWAPPED;
    const int samples = swapped ? test->options.trials : test->options.samples;
    const double least = test->alpha[test->levels - 1];
    if (alpha && least * samples < 1 - 1e-9)
        die_at(alpha->place, "alpha: %g needs %.0f %s at least, there are %d", least,
               ceil(1 / least), swapped ? "trials" : "samples", samples);
}

/* Whether a column stands in the table, itself or p of it; of a class also where all are asked for.
 */
static bool is_shown(const struct layout *layout, const struct column *column)
{
    for (int i = 0; i < layout->columns; i++) {
        struct column shown = layout->column[i];
        if ((shown.of.every && column->of.class) || (column->of.every && shown.of.class))
            shown.of = column->of;
        if (column_is_same(&shown, column)) return true;
    }
    return false;
}

static bool in_family(const struct layout_test *test, const struct column *column)
{
    for (int i = 0; i < test->families; i++) {
        struct column one = *column;
        if (test->family[i].of.every && one.of.class) one.of = test->family[i].of;
        if (column_is_same(&test->family[i], &one)) return true;
    }
    return false;
}

/* The columns that are compared: those of the list; or else those of which the table has p, and
 * bleu; without any of these all that it shows and that can be, and bleu where it shows none. */
static void read_family(const struct tree *list, struct layout *layout, struct arena *arena)
{
    struct layout_test *test = &layout->test;
    const char *nearest;
    if (list && (list->kind != TREE_LIST || !list->count))
        die_at(list->place, "family: expected a list of columns, such as [bleu]");
    test->family = ARENA_ARRAY(arena, struct column, (list ? list->count : layout->columns) + 1);
    for (int i = 0; list && i < list->count; i++) {
        const struct column column = layout_read_column(list->item[i], arena);
        if (column.source != COLUMN_VALUE || column.delta || !column_evidence(&column))
            die_at(column.place,
                   "family: nothing stands behind \"%s\" that could be resampled; expected a "
                   "column such as bleu",
                   column.name);
        if (!is_shown(layout, &column))
            die_at(column.place, "family: the table does not show \"%s\"", column.name);
        if (in_family(test, &column))
            die_at(column.place, "family: \"%s\" stands there twice", column.name);
        test->family[test->families++] = column;
    }
    struct column *bleu = &test->family[0];
    if (!list && column_find(COLUMN_MAIN, bleu, &nearest, arena))
        test->families = is_shown(layout, bleu);
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (column->source != COLUMN_P || in_family(test, column)) continue;
        if (list) die_at(column->place, "%s: what it is of is not in family", column->name);
        test->family[test->families++] = *column;
    }
    for (int i = 0, none = !test->families; none && i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (column->source == COLUMN_VALUE && !column->delta && column_evidence(column) &&
            !in_family(test, column))
            test->family[test->families++] = *column;
    }
    if (!test->families) test->families = 1; /* bleu, which no column has overwritten */
}

static void read_test(const struct tree *map, struct layout *layout, struct arena *arena)
{
    static const char *const keys[] = {"test",       "samples", "trials", "alpha",  "seed",
                                       "correction", "against", "marks",  "family", NULL};
    struct layout_test *test = &layout->test;
    const struct tree *value, *alpha = tree_get(map, "alpha");
    *test = (struct layout_test){.wanted = map,
                                 .options = {.samples = 1000, .trials = 10000, .seed = 12345},
                                 .levels = 2,
                                 .alpha = {0.05, 0.01},
                                 .against = -1};
    if (map) tree_only_keys(map, "significance", keys);
    for (int i = 0; i < layout->columns; i++) test->wanted |= layout->column[i].source == COLUMN_P;
    if (test->wanted) read_family(tree_get(map, "family"), layout, arena);
    if (!map) return;
    if ((value = tree_get(map, "test")))
        test->p = (enum column_p)scalar_choice(value, "test",
                                               "paired-bootstrap|centered-bootstrap|randomization");
    if ((value = tree_get(map, "samples")))
        test->options.samples = scalar_int(value, "samples", 100, 1000000);
    if ((value = tree_get(map, "trials")))
        test->options.trials = scalar_int(value, "trials", 100, 1000000);
    if ((value = tree_get(map, "seed")))
        test->options.seed = (uint32_t)scalar_int(value, "seed", 0, INT32_MAX);
    if (alpha) read_alpha(alpha, test);
    if ((value = tree_get(map, "correction")))
        test->holm = scalar_choice(value, "correction", "none|holm");
    if ((value = tree_get(map, "marks")))
        test->arrows = scalar_choice(value, "marks", "daggers|arrows");
    check_alpha(alpha, test);
    value = tree_get(map, "against");
    if (value && strcmp(scalar_text(value, "against"), "baseline") != 0)
        test->against = layout_read_line(value, layout, arena);
}

const struct layout *layout_read(const struct tree *table, const struct summary_grid *grid,
                                 struct arena *arena)
{
    static const char *const keys[] = {"columns",   "baseline", "by",   "groups",
                                       "transpose", "names",    "bold", "significance",
                                       "paper",     "caption",  NULL};
    struct layout *layout = ARENA_NEW(arena, struct layout);
    if (table) tree_only_keys(table, "table", keys);
    const struct tree *columns = tree_get(table, "columns"), *value;
    layout_arrange(tree_get(table, "by"), grid, layout, arena);
    read_columns(columns, layout, arena);
    read_groups(tree_get(table, "groups"), layout, arena);
    check_means(columns, layout, arena);
    read_baseline(tree_get(table, "baseline"), layout, grid, arena);
    read_test(tree_get(table, "significance"), layout, arena);
    layout_read_paper(tree_get(table, "paper"), layout, grid, arena);
    layout_read_quotes(layout, arena);
    check_all_words(layout, grid, arena);
    if ((value = tree_get(table, "caption")))
        layout->captions = scalar_texts(value, "caption", arena);
    value = tree_get(table, "transpose");
    layout->transpose = value && scalar_bool(value, "transpose");
    value = tree_get(table, "bold");
    layout->bold = !value || scalar_bool(value, "bold");
    layout->names = "";
    if ((value = tree_get(table, "names")))
        layout->names =
            value->kind == TREE_SCALAR && !value->quoted && !strcmp(value->text, "false")
                ? NULL
                : scalar_text(value, "names");
    return layout;
}
