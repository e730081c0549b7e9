/* Reads the key `significance`: which columns are compared with the baseline, and by which test. */
#include <math.h>
#include <string.h>

#include "core/config/option.h"
#include "results/table/layout_part.h"

static void read_alpha(const struct tree *alpha, struct layout_significance *test)
{
    test->levels = alpha->kind == TREE_LIST ? alpha->count : 1;
    if (test->levels < 1 || test->levels > 2 || alpha->kind == TREE_MAP)
        die_at(alpha->location, "alpha: expected one level or two, [0.05, 0.01]");
    for (int i = 0; i < test->levels; i++) {
        const struct tree *level = alpha->kind == TREE_LIST ? alpha->item[i] : alpha;
        test->alpha[i] = scalar_real(level, "alpha", 1e-6, 0.5);
        if (i && test->alpha[i] >= test->alpha[0])
            die_at(level->location, "alpha: expected the smaller level last, [0.05, 0.01]");
    }
    /* The smallest possible p is about 1 / (number of samples). With a smaller alpha, no mark would
     * ever be set. */
    const bool swapped = test->p == COLUMN_SWAPPED;
    const int samples = swapped ? test->options.trials : test->options.samples;
    const double least = test->alpha[test->levels - 1];
    if (least * samples < 1 - 1e-9)
        die_at(alpha->location, "alpha: %g needs at least %.0f %s, got %d", least, ceil(1 / least),
               swapped ? "trials" : "samples", samples);
}

/* True if the table shows a column, its delta or its p. If the table has class: all, it shows every
 * single class. If it has a single class, this also counts for class: all. */
static bool is_shown(const struct layout *layout, const struct column *column)
{
    for (int i = 0; i < layout->columns; i++)
        if (column_covers(&layout->column[i], column) || column_covers(column, &layout->column[i]))
            return true;
    return false;
}

static bool in_family(const struct layout_significance *test, const struct column *column)
{
    for (int i = 0; i < test->families; i++)
        if (column_covers(&test->family[i], column)) return true;
    return false;
}

/* Adds columns of the table to the family: those with items or, if `items` is false, those without
 * items. Margins and controls are not added. */
static void add_shown(const struct layout *layout, struct layout_significance *test, bool items,
                      struct arena *arena)
{
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (!column_untested(column, arena) && column->function != COLUMN_MARGIN &&
            items == (column_observations(column) != NULL) &&
            !offer_is_control(column_offered(column)) && !in_family(test, column))
            test->family[test->families++] = *column;
    }
}

/* Reads the columns that are compared. Without a list, these are bleu and the columns whose p is in
 * the table. If the table has none of them, these are all columns with items. In both cases, all
 * columns without items are added, and are corrected separately. Margins are not members. Controls
 * are members only if they are listed. */
static void read_family(const struct tree *list, struct layout *layout, struct arena *arena)
{
    struct layout_significance *test = &layout->test;
    if (list && (list->kind != TREE_LIST || !list->count))
        die_at(list->location, "family: expected a list of columns, such as [bleu]");
    test->family = ARENA_ARRAY(arena, struct column, (list ? list->count : layout->columns) + 1);
    for (int i = 0; list && i < list->count; i++) {
        struct column column = column_read(list->item[i], arena);
        layout_find_group(&column, layout, arena);
        const char *untested = column_untested(&column, arena);
        if (untested)
            die_at(column_location(&column), "family: %s; expected a column of values such as bleu",
                   untested);
        if (column.function == COLUMN_MARGIN)
            die_at(column_location(&column),
                   "family: \"%s\" is a margin; expected no margin, because the margins of a row "
                   "are a separate family",
                   column.name);
        if (!is_shown(layout, &column))
            die_at(column_location(&column), "family: the table does not show \"%s\"", column.name);
        if (in_family(test, &column))
            die_at(column_location(&column), "family: \"%s\" is listed twice", column.name);
        test->family[test->families++] = column;
    }
    struct column *bleu = &test->family[0];
    if (!list && column_find(COLUMN_MAIN, bleu, NULL, arena))
        test->families = is_shown(layout, bleu);
    for (int i = 0; i < layout->columns; i++) {
        const struct column *column = &layout->column[i];
        if (!column_is_p(column) || column_has(column, COLUMN_MARGIN) || in_family(test, column))
            continue;
        if (list)
            die_at(column_location(column), "%s: the column inside p(..) is not listed in family",
                   column->name);
        test->family[test->families++] = *column;
    }
    if (!list && !test->families) add_shown(layout, test, true, arena);
    const int first = test->families;
    if (!list) add_shown(layout, test, false, arena);
    test->apart = first ? test->families - first : 0;
    bool margin = false;
    for (int i = 0; i < layout->columns; i++)
        margin |= column_has(&layout->column[i], COLUMN_MARGIN) != NULL;
    if (!test->families && !margin) test->families = 1; /* bleu, which is still in family[0] */
}

/* Adds "Holm" to the headers of columns with a corrected p, unless the grid has set the header. */
static void head_corrected(struct layout *layout, struct arena *arena)
{
    for (int i = 0; i < layout->columns; i++) {
        struct column *column = &layout->column[i];
        if (column->function == COLUMN_P && !tree_get(column->item, "header") &&
            !dimensions_some(&column->of))
            column->header = arena_print(arena, "p, Holm%s", column->header + 1);
    }
}

/* Values of the map's keys. layout_read_test reads the trees later, because they name lines and
 * columns. */
struct test_map {
    struct layout_significance test;
    const struct tree *alpha, *against, *family; /* NULL: absent */
};

#define FIELD(member) offsetof(struct test_map, member)
static const struct option options[] = {
    OPTION_CHOICE("test", FIELD(test.p), "paired-bootstrap",
                  "paired-bootstrap|centered-bootstrap|randomization", OPTION_NO_ID,
                  "test that sets the marks with one seed; with more seeds it is Student's t"),
    OPTION_INT("samples", FIELD(test.options.samples), SIGNIFICANCE_SAMPLES, 100, 1000000,
               OPTION_NO_ID, "number of samples of the bootstrap"),
    OPTION_INT("trials", FIELD(test.options.trials), "10000", 100, 1000000, OPTION_NO_ID,
               "number of trials of the randomization"),
    OPTION_TREE("alpha", FIELD(alpha), "[0.05, 0.01]", "one or two levels",
                "significance levels of the marks, none below one sample's share"),
    OPTION_INT("seed", FIELD(test.options.seed), "12345", 0, INT32_MAX, OPTION_NO_ID,
               "random seed of samples and trials"),
    OPTION_CHOICE(
        "correction", FIELD(test.holm), "none", "none|holm", OPTION_NO_ID,
        "correction over all comparisons of the family, and over the margins of a row (Holm 1979)"),
    OPTION_TREE("against", FIELD(against), "baseline", "baseline or row",
                "row with which all others are compared"),
    OPTION_CHOICE(
        "marks", FIELD(test.arrows), "daggers", "daggers|arrows", OPTION_NO_ID,
        "signs of better values with several seeds: † or ↑; worse values have ↓; with one "
        "seed △ and ▽"),
    OPTION_TREE(
        "family", FIELD(family), NULL, "list of columns",
        "columns that are compared; default: bleu and those of p(COLUMN), or else all columns "
        "with items, and all others with values over seeds"),
};
static const struct section section = {"significance",
                                       "marks of values that differ from the baseline", options,
                                       COUNT_OF(options), sizeof(struct test_map)};

void layout_help_test(FILE *out)
{
    section_help(&section, OPTION_KEYS, out);
}

void layout_read_test(const struct tree *map, struct layout *layout, const struct grid *grid,
                      struct arena *arena)
{
    struct layout_significance *test = &layout->test;
    struct test_map read = {
        .test = {.wanted = map, .levels = 2, .alpha = {0.05, 0.01}, .against = {-1, -1}}};
    section_read_part(&section, map, &read, arena);
    *test = read.test;
    for (int i = 0; i < layout->columns; i++) test->wanted |= column_is_p(&layout->column[i]);
    if (test->wanted) read_family(read.family, layout, arena);
    if (test->holm && test->p == COLUMN_KOEHN) head_corrected(layout, arena);
    if (read.alpha) read_alpha(read.alpha, test);
    if (read.against && strcmp(scalar_text(read.against, "against"), "baseline") != 0) {
        test->against = layout_read_cell(read.against, 0, layout, grid, arena);
        if (test->against.line < 0) layout_compare_nothing(layout, read.against->text);
    }
}
