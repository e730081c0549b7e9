/* Prints significance in a table: marks, p values, and the notes that explain them. */
#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/tune.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/table/table_maker.h"
#include "results/table/tuned.h"

/* Returns the index of the tested column whose marks are printed after the values of this column;
 * -1: none. */
static int marks_stand_at(const struct table_maker *maker, const struct column *column)
{
    const struct layout *layout = maker->layout;
    if (!layout->test.wanted || !column_is_measured(column)) return -1;
    for (int i = 0; i < layout->columns && column->function == COLUMN_DELTA; i++) {
        const struct column *other = &layout->column[i];
        if (column_is_measured(other) && other->function != COLUMN_DELTA &&
            column_is_same(other, column))
            return -1;
    }
    return paired_tests_column(&maker->tests, column);
}

/* Returns the direction of better values of a tested column, as the table or the kind gives it. For
 * times and validation losses, neither gives a direction, so that their best values are not bold.
 * Their direction here is lower. */
static enum column_best best_of(const struct table_maker *maker, int tested)
{
    const struct column *column = &maker->tests.column[tested];
    for (int i = 0; i < maker->layout->columns; i++) {
        const struct column *shown = &maker->layout->column[i];
        if (shown->measure->best != COLUMN_NONE && column_is_same(shown, column))
            return shown->measure->best;
    }
    const struct measure *offered = column_offered(column);
    if (offered && offered->best != COLUMN_NONE) return offered->best;
    const bool least = column->function == COLUMN_WALL ||
                       (column->value && !strcmp(column->value, OFFER_VALIDATION));
    return least ? COLUMN_LEAST : COLUMN_NONE;
}

/* True if a difference is for the worse. */
static bool is_worse(const struct table_maker *maker, int tested, const struct paired_test *pair)
{
    return best_of(maker, tested) == COLUMN_LEAST ? pair->result.difference > 0
                                                  : pair->result.difference < 0;
}

/* Returns the mark of a significance level. Hollow marks are for tests with one seed, which are
 * over items only. */
static const char *mark_of(const struct layout_significance *test, bool hollow, bool worse,
                           int level)
{
    static const char *const daggers[] = {"†", "‡"}, *const up[] = {"↑", "⇑"},
                             *const down[] = {"↓", "⇓"}, *const better[] = {"△", "△△"},
                             *const less[] = {"▽", "▽▽"};
    if (hollow) return worse ? less[level] : better[level];
    return worse ? down[level] : test->arrows ? up[level] : daggers[level];
}

/* Returns the index of the smallest alpha above p; -1: none. */
static int level_of(const struct layout_significance *test, double p)
{
    int level = -1;
    for (int i = 0; i < test->levels; i++)
        if (p < test->alpha[i]) level = i;
    return level;
}

const char *summary_mark(const struct table_maker *maker, const struct column *column,
                         struct layout_cell cell)
{
    const int tested = marks_stand_at(maker, column);
    if (tested < 0) return NULL;
    const struct paired_test *pair = paired_tests_at(&maker->tests, tested, cell);
    int level = pair->compared ? level_of(&maker->layout->test, pair->p) : -1;
    if (level < 0) return NULL;
    return mark_of(&maker->layout->test, !pair->result.decides, is_worse(maker, tested, pair),
                   level);
}

const char *summary_p(struct table_maker *maker, const struct column *column,
                      struct layout_cell cell)
{
    const struct layout *layout = maker->layout;
    const int tested = paired_tests_column(&maker->tests, column);
    if (tested < 0) return NULL; /* a column with class: all, whose classes are not known yet */
    const struct paired_test *pair = paired_tests_at(&maker->tests, tested, cell);
    if (!column_has(column, COLUMN_MARGIN) &&
        layout_same_cell(layout, paired_tests_baseline(layout, cell), cell))
        return "";
    if (!pair->compared) return pair->problem ? "n/c" : NULL;
    /* The p that sets the marks is printed with the same correction. */
    const enum column_p test = (enum column_p)(column->function - COLUMN_P);
    const bool marks = test == (pair->result.decides ? COLUMN_KOEHN : layout->test.p);
    const double p = marks ? pair->p : paired_test_p(pair, test);
    if (isnan(p)) return NULL;
    const struct measure *measure = column->measure;
    const double least = pow(10, -measure->decimals);
    return arena_print(maker->arena, "%s%s", p < least ? "<" : "",
                       sample_number(measure, p < least ? least : p, false, maker->arena));
}

/* True if a tested column is a margin. */
static bool is_margin(const struct table_maker *maker, int tested)
{
    return maker->tests.column[tested].function == COLUMN_MARGIN;
}

/* True for a column without items that the grid does not list in `family` and that has no compared
 * cell. The note "Not tested" lists it. */
static bool is_silent(const struct table_maker *maker, int tested)
{
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++)
        if (paired_tests_at(&maker->tests, tested, at)->compared) return false;
    return maker->tests.apart[tested];
}

/* The comparisons with several seeds or, if `hollow` is true, those with one seed. */
struct mark_class {
    bool hollow;
    bool plain;                 /* some columns have no better direction */
    bool exact, other;          /* some p are McNemar's; some are not */
    bool alone;                 /* some values have no items */
    bool paired, apart;         /* some comparisons are paired by seed; some are not */
    bool chosen;                /* some row has one search: only its chosen options are tested */
    int searches;               /* largest number of searches of a row (tuned_searches) */
    int least, most;            /* number of seeds: minimum, maximum; most 0: no comparisons */
    const char *items;          /* "sentences and items"; NULL: none */
    struct name_groups against; /* names of the baselines */
    struct name_groups untuned; /* pairs of which one row is tuned */
};

/* Adds the numbers of searches of two compared rows. */
static void add_searches(struct table_maker *maker, struct mark_class *class, int row, int other)
{
    const struct grid_row *of = maker->grid->row;
    const int searches[] = {row < 0 ? 0 : tuned_searches(&of[row]),
                            other < 0 ? 0 : tuned_searches(&of[other])};
    for (int k = 0; k < 2; k++) {
        if (searches[k] > class->searches) class->searches = searches[k];
        class->chosen |= searches[k] == 1;
    }
    if (row >= 0 && other >= 0 && !searches[0] != !searches[1])
        name_groups_add(&class->untuned, "",
                        arena_print(maker->arena, "%s with %s", of[row].name, of[other].name));
}

static void add_pair(struct table_maker *maker, struct mark_class *class, int tested,
                     struct layout_cell at)
{
    const struct layout *layout = maker->layout;
    const struct paired_test *pair = paired_tests_at(&maker->tests, tested, at);
    const struct layout_cell base =
        paired_tests_baseline(layout, (struct layout_cell){at.line, -1});
    const bool margin = is_margin(maker, tested);
    if (!pair->compared || pair->result.decides == class->hollow) return;
    const int row = layout_row(layout, at);
    add_searches(maker, class, row,
                 margin ? row : layout_row(layout, layout_cell_at(base, at.coordinate)));
    name_groups_add(&class->against, "",
                    margin ? "the control" : layout_cell_name(layout, maker->grid, base));
    if (pair->items && !(class->items && strstr(class->items, pair->items)))
        class->items = arena_append(maker->arena, class->items, " and ", pair->items);
    class->alone |= !pair->items;
    class->plain |= best_of(maker, tested) == COLUMN_NONE;
    *(pair->exact ? &class->exact : &class->other) = true;
    *(pair->paired ? &class->paired : &class->apart) = true;
    if (!class->most || pair->seeds < class->least) class->least = pair->seeds;
    if (pair->seeds > class->most) class->most = pair->seeds;
}

/* Returns "†, ‡: better than Transformer (↓, ⇓: worse), p < 0.05, 0.01". */
static const char *say_marks(struct table_maker *maker, const struct mark_class *class)
{
    const struct layout_significance *test = &maker->layout->test;
    struct name_list alpha = {.arena = maker->arena}, marks[2] = {alpha, alpha};
    for (int i = 0; i < test->levels; i++) {
        name_list_add(&alpha, number_short(maker->arena, test->alpha[i]));
        for (int k = 0; k < 2; k++) name_list_add(&marks[k], mark_of(test, class->hollow, k, i));
    }
    return arena_print(maker->arena, "%s: better than %s (%s: worse)%s, p < %s",
                       name_list_text(&marks[0]), name_list_text(&class->against.group[0].names),
                       name_list_text(&marks[1]),
                       class->plain ? ", or more and less where no direction is better" : "",
                       name_list_text(&alpha));
}

/* Describes the test over items only. */
static const char *say_items(struct table_maker *maker, const struct mark_class *class)
{
    static const char *const tests[] = {[COLUMN_KOEHN] = "paired bootstrap (Koehn 2004, one-sided)",
                                        [COLUMN_CENTERED] =
                                            "paired bootstrap, centered (Riezler and Maxwell 2005)",
                                        [COLUMN_SWAPPED] = "approximate randomization (two-sided)"};
    const struct layout_significance *test = &maker->layout->test;
    const bool swapped = test->p == COLUMN_SWAPPED, exact = class->exact && test->p == COLUMN_KOEHN;
    const char *text = exact ? "McNemar's exact test (1947, two-sided)" : NULL;
    if (exact && !class->other) return text;
    return arena_append(maker->arena, text, " of items that are right or wrong; of others ",
                        arena_print(maker->arena, "%s, %s %s, random seed %u", tests[test->p],
                                    number_count(maker->arena, swapped ? test->options.trials
                                                                       : test->options.samples),
                                    swapped ? "trials" : "samples", test->options.seed));
}

/* Describes the test over seeds and items. */
static const char *say_seeds(struct table_maker *maker, const struct mark_class *class)
{
    const struct significance_options *options = &maker->layout->test.options;
    const char *seeds = !class->apart   ? "paired seeds"
                        : class->paired ? "seeds (paired where both rows are the same trainings)"
                                        : "seeds",
               *items = " alone, on this text";
    if (class->items)
        items = arena_print(maker->arena, " and %s (%s resamples, random seed %u)%s", class->items,
                            number_count(maker->arena, options->samples), options->seed,
                            class->alone ? ", of values without items over seeds alone" : "");
    return arena_print(maker->arena, "Student's t, two-sided, over %s%s", seeds, items);
}

/* Returns "Holm over 2 comparisons, separately over 4 comparisons of values without items". */
static const char *say_correction(struct table_maker *maker, bool hollow)
{
    const struct paired_tests *tests = &maker->tests;
    const int counts[] = {tests->comparisons, hollow ? 0 : tests->comparisons_apart,
                          tests->margins};
    static const char *const of[][2] = {{"", "comparison"}, {"", "comparison"}, {"the ", "margin"}};
    static const char *const rest[] = {"", " of values without items", " of a row"};
    const char *text = NULL;
    if (!maker->layout->test.holm) return "not corrected for several comparisons";
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (counts[i])
            text = arena_append(maker->arena, text, ", separately over ",
                                arena_print(maker->arena, "%s%s %s%s%s", of[i][0],
                                            number_count(maker->arena, counts[i]), of[i][1],
                                            counts[i] == 1 ? "" : "s", rest[i]));
    return arena_print(maker->arena, "Holm over %s", text);
}

/* Adds a note on the comparisons with two seeds or more or, if `hollow` is true, with one seed. */
static void note_class(struct table_maker *maker, bool hollow)
{
    const struct name_groups none = {.arena = maker->arena};
    struct mark_class class = {.hollow = hollow, .against = none, .untuned = none};
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++)
        for (int k = 0; k < maker->tests.tested; k++) add_pair(maker, &class, k, at);
    if (!class.most) return;
    const char *seeds = "";
    if (!hollow && (class.least != maker->seeds || class.most != maker->seeds))
        seeds = arena_print(maker->arena,
                            class.least < class.most ? "; n = %d to %d seeds" : "; n = %d seeds",
                            class.least, class.most);
    summary_say(maker, NOTE_SEEDS, "%s%s: %s; %s%s%s%s.", say_marks(maker, &class),
                hollow ? ", with one seed" : "",
                hollow ? say_items(maker, &class) : say_seeds(maker, &class),
                say_correction(maker, hollow), seeds,
                class.searches > 1 ? "; each seed has its own search" : "",
                class.chosen ? "; " TUNED_ONE_SEARCH : "");
    if (hollow && class.items)
        summary_say(maker, NOTE_MORE,
                    "With one seed (n = 1) %s are sampled, not trainings: another seed may differ "
                    "by more, and no verdict is possible.",
                    class.items);
    if (class.untuned.count)
        summary_say(maker, NOTE_SEEDS, "Compared although only one of the two is tuned: %s.",
                    name_list_text(&class.untuned.group[0].names));
}

/* Lists the cells that could not be compared, each with its column and reason. Columns with the
 * same reason are not repeated. */
static void note_problems(struct table_maker *maker)
{
    const struct paired_tests *tests = &maker->tests;
    struct name_list list = {.arena = maker->arena};
    bool *silent = ARENA_ARRAY(maker->arena, bool, tests->tested);
    for (int k = 0; k < tests->tested; k++) silent[k] = is_silent(maker, k);
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++)
        for (int k = 0; k < tests->tested; k++) {
            const char *problem = paired_tests_at(tests, k, at)->problem;
            bool known = silent[k] || !problem;
            for (int i = 0; i < k && !known; i++)
                known = !silent[i] && word_same(paired_tests_at(tests, i, at)->problem, problem);
            if (known) continue;
            name_list_add(&list,
                          arena_print(maker->arena, "%s (%s: %s)",
                                      layout_cell_name(maker->layout, maker->grid, at),
                                      column_unit(&tests->column[k], maker->arena), problem));
        }
    if (list.count) summary_say(maker, NOTE_MISSING, "Not compared: %s.", name_list_text(&list));
}

/* Lists the columns without tests: they are not in the family, or no cell is compared. */
static void note_untested(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list names = {.arena = maker->arena};
    const int compared = maker->tests.comparisons + maker->tests.comparisons_apart;
    for (int i = 0; i < layout->columns && compared; i++) {
        const struct column *column = &layout->column[i];
        const bool value = column_is_measured(column) && !column_has(column, COLUMN_WALL);
        if (!value || column->function == COLUMN_DELTA || column_has(column, COLUMN_MARGIN))
            continue;
        if (column_is_size(column) || offer_is_control(column_offered(column))) continue;
        const int tested = paired_tests_column(&maker->tests, column);
        if (column_has(column, COLUMN_AXIS) || tested < 0 || is_silent(maker, tested))
            name_list_add(&names, column->header);
    }
    if (names.count) summary_say(maker, NOTE_MISSING, "Not tested: %s.", name_list_text(&names));
}

/* Lists the baselines of columns delta(..). */
static void note_differences(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list from = {.arena = maker->arena}, headers = from;
    for (int i = 0; i < layout->baselines; i++)
        name_list_add(&from, layout_cell_name(layout, maker->grid, layout->baseline[i]));
    for (int i = 0; i < layout->columns; i++)
        if (layout->column[i].function == COLUMN_DELTA)
            name_list_add(&headers, layout->column[i].header);
    if (headers.count && from.count)
        summary_say(maker, NOTE_SEEDS, "%s: difference from %s.", name_list_text(&headers),
                    name_list_text(&from));
}

void summary_note_tests(struct table_maker *maker)
{
    note_differences(maker);
    if (!maker->layout->test.wanted) return;
    note_class(maker, false);
    note_class(maker, true);
    note_untested(maker);
    note_problems(maker);
}
