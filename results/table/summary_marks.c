/* Prints significance in a table: marks, p values, and the notes that explain them. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
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

/* Returns "0.41 to 0.58", or one number if both have equal text. */
static const char *say_range(struct table_maker *maker, double low, double high, int decimals)
{
    const char *a = number_fixed(maker->arena, low, decimals),
               *b = number_fixed(maker->arena, high, decimals);
    return strcmp(a, b) ? arena_print(maker->arena, "%s to %s", a, b) : a;
}

/* Summary of the comparisons that one note describes. There are four notes: for margins or other
 * comparisons, with several seeds or with one seed (hollow marks). */
struct mark_class {
    bool marked;                               /* some cell has a mark */
    bool margins, hollow, worse, exact, other; /* exact: some p are McNemar's; other: some are
                                                  not */
    bool paired, apart;                        /* paired: some comparisons are paired by seed (all
                                                  margins are); apart: some are not */
    int least, most;                           /* number of seeds: minimum, maximum; most 0: no
                                                  comparisons */
    struct name_list against;                  /* names of baselines */
    const char *items;                         /* "sentences"; NULL: none */
    struct name_list values, plain;            /* columns without items; columns without a better
                                                  direction */
    bool chosen;  /* some compared row has one search: only its chosen options are tested */
    int searches; /* largest number of searches of a compared row (tuned_searches) */
    struct name_list untuned; /* pairs of which one row is tuned */
};

/* True if a tested column is a margin. */
static bool is_margin(const struct table_maker *maker, int tested)
{
    return maker->tests.column[tested].function == COLUMN_MARGIN;
}

/* Returns "†, ‡: better than Transformer (↓, ⇓: worse), p < 0.05, 0.01" or, without marks, "No
 * difference from Transformer is significant (p < 0.05)". */
static const char *say_marks(struct table_maker *maker, const struct mark_class *class)
{
    const struct layout_significance *test = &maker->layout->test;
    struct name_list alpha = {.arena = maker->arena}, marks[2] = {alpha, alpha};
    char most[REAL_TEXT];
    real_print(test->alpha[0], most);
    if (!class->marked)
        return arena_print(maker->arena, "No difference from %s is significant (p < %s)",
                           name_list_text(&class->against), most);
    for (int i = 0; i < test->levels; i++) {
        char text[REAL_TEXT];
        real_print(test->alpha[i], text);
        name_list_add(&alpha, arena_text(maker->arena, text));
        for (int k = 0; k < 2; k++) name_list_add(&marks[k], mark_of(test, class->hollow, k, i));
    }
    const char *more = class->plain.count ? arena_print(maker->arena, " (of %s: more)",
                                                        name_list_text(&class->plain))
                                          : "";
    return arena_print(maker->arena, "%s%s: better%s than %s%s%s%s, p < %s",
                       name_list_text(&marks[0]), class->margins ? " at margins" : "", more,
                       name_list_text(&class->against), class->worse ? " (" : "",
                       class->worse ? name_list_text(&marks[1]) : "",
                       class->worse ? ": worse)" : "", name_list_text(&alpha));
}

/* True if a cell of a tested column is compared. */
static bool is_compared(const struct table_maker *maker, int tested)
{
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++)
        if (paired_tests_at(&maker->tests, tested, at)->compared) return true;
    return false;
}

/* Returns "Holm over 2 comparisons, and apart from these over 4 of Dev loss and Time". */
static const char *say_holm(struct table_maker *maker, bool hollow)
{
    const struct paired_tests *tests = &maker->tests;
    const int count = tests->comparisons, apart = hollow ? 0 : tests->comparisons_apart;
    struct name_list names = {.arena = maker->arena};
    for (int k = 0; k < tests->tested; k++)
        if (tests->apart[k] && is_compared(maker, k))
            name_list_add(&names, column_unit(&tests->column[k], maker->arena));
    const char *text = arena_print(maker->arena, "Holm over %s comparison%s",
                                   number_count(maker->arena, count), count == 1 ? "" : "s");
    if (!apart) return text;
    return arena_print(maker->arena, "%s over %s of %s",
                       count ? arena_print(maker->arena, "%s, and apart from these", text) : "Holm",
                       number_count(maker->arena, apart), name_list_text(&names));
}

static const char *say_correction(struct table_maker *maker, bool margins, bool hollow)
{
    const struct paired_tests *tests = &maker->tests;
    const int count = tests->margins[1];
    if (!maker->layout->test.holm) return "not corrected for several comparisons";
    if (!margins) return say_holm(maker, hollow);
    return arena_print(maker->arena, "Holm over the %s margin%s of a row",
                       say_range(maker, tests->margins[0], count, 0), count == 1 ? "" : "s");
}

/* Describes the test over items only. */
static const char *say_test(struct table_maker *maker, const struct mark_class *class)
{
    static const char *const tests[] = {[COLUMN_KOEHN] = "paired bootstrap (Koehn 2004, one-sided)",
                                        [COLUMN_CENTERED] =
                                            "paired bootstrap, centered (Riezler and Maxwell 2005)",
                                        [COLUMN_SWAPPED] = "approximate randomization (two-sided)"};
    const struct layout_significance *test = &maker->layout->test;
    const bool swapped = test->p == COLUMN_SWAPPED, exact = class->exact && test->p == COLUMN_KOEHN;
    if (exact && !class->other) return "McNemar's exact test (1947, two-sided)";
    const int draws = swapped ? test->options.trials : test->options.samples;
    return arena_print(maker->arena, "%s%s, %s %s, random seed %u",
                       exact ? "McNemar's exact test (1947, two-sided) of items that are right or "
                               "wrong, of others "
                             : "",
                       tests[test->p], number_count(maker->arena, draws),
                       swapped ? "trials" : "samples", test->options.seed);
}

/* True for a column without items that the grid does not list in `family` and that has no compared
 * cell. The note "Not tested" lists it. */
static bool is_silent(const struct table_maker *maker, int tested)
{
    return maker->tests.apart[tested] && !is_compared(maker, tested);
}

/* Lists the cells that could not be compared, each with its reason. The column is printed, too,
 * unless all tested columns have the same reason. */
static void say_problems(struct table_maker *maker, bool margins)
{
    const struct paired_tests *tests = &maker->tests;
    struct name_list list = {.arena = maker->arena};
    const char **all = NULL; /* [list.count] the complete list: each entry may have another reason,
                                so none is omitted */
    int *member = ARENA_ARRAY(maker->arena, int, tests->tested), members = 0;
    for (int k = 0; k < tests->tested; k++)
        if (is_margin(maker, k) == margins && !is_silent(maker, k)) member[members++] = k;
    for (struct layout_cell at = {0}; layout_next(maker->layout, &at); at.coordinate++)
        for (int m = 0; m < members; m++) {
            const char *problem = paired_tests_at(tests, member[m], at)->problem;
            int alike = 0, before = 0;
            for (int i = 0; problem && i < members; i++) {
                const bool same =
                    word_same(paired_tests_at(tests, member[i], at)->problem, problem);
                alike += same;
                before += same && i < m;
            }
            if (!alike || before) continue;
            const char *unit = column_unit(&tests->column[member[m]], maker->arena);
            const char *text = arena_print(
                maker->arena, "%s (%s%s%s)", layout_cell_name(maker->layout, maker->grid, at),
                alike < members ? unit : "", alike < members ? ": " : "", problem);
            ARENA_MORE(maker->arena, all, list.count);
            all[list.count] = text;
            name_list_add(&list, text);
        }
    if (all)
        summary_say(maker, "Not compared with the %s: %s.", margins ? "control" : "baseline",
                    list.count > NAME_LIST_SAID ? arena_join(maker->arena, all, list.count, "; ")
                                                : name_list_text(&list));
}

/* Adds a note with the baselines of columns delta(..). */
void summary_note_differences(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list from = {.arena = maker->arena};
    struct name_groups headers = {.arena = maker->arena};
    for (int i = 0; i < layout->baselines; i++)
        name_list_add(&from, layout_cell_name(layout, maker->grid, layout->baseline[i]));
    for (int i = 0; i < layout->columns && from.count; i++)
        if (layout->column[i].function == COLUMN_DELTA)
            name_groups_add(&headers, name_list_text(&from), layout->column[i].header);
    if (headers.count)
        summary_say(maker, "%s: difference from %s.", name_list_text(&headers.group[0].names),
                    headers.group[0].text);
}

/* Adds the numbers of searches of two compared rows. */
static void add_searches(struct table_maker *maker, struct mark_class *class, int row, int other)
{
    const struct grid_row *of = maker->grid->row;
    const int searches[] = {row < 0 ? 0 : tuned_searches(&of[row]),
                            other < 0 || class->margins ? 0 : tuned_searches(&of[other])};
    for (int k = 0; k < 2; k++) {
        if (searches[k] > class->searches) class->searches = searches[k];
        class->chosen |= searches[k] == 1;
    }
    if (row >= 0 && other >= 0 && !class->margins && !searches[0] != !searches[1])
        name_list_add(&class->untuned,
                      arena_print(maker->arena, "%s with %s", of[row].name, of[other].name));
}

/* Summarizes the comparisons with several seeds or, if `hollow` is true, those with one seed. */
static struct mark_class class_of(struct table_maker *maker, bool margins, bool hollow)
{
    const struct layout *layout = maker->layout;
    const struct paired_tests *tests = &maker->tests;
    struct mark_class class = {.margins = margins, .hollow = hollow};
    struct name_groups items = {.arena = maker->arena};
    class.against.arena = class.values.arena = class.plain.arena = maker->arena;
    class.untuned.arena = maker->arena;
    bool *seen = ARENA_ARRAY(maker->arena, bool, tests->tested);
    int last = -1;
    for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++)
        for (int k = 0; k < tests->tested; k++) {
            const struct paired_test *pair = paired_tests_at(tests, k, at);
            const struct layout_cell base =
                paired_tests_baseline(layout, (struct layout_cell){at.line, -1});
            if (!pair->compared || pair->result.decides == hollow || is_margin(maker, k) != margins)
                continue;
            const bool marked = level_of(&layout->test, pair->p) >= 0;
            class.marked |= marked;
            class.worse |= marked && is_worse(maker, k, pair);
            if (base.line != last && !margins)
                name_list_add(&class.against, layout_cell_name(layout, maker->grid, base));
            last = base.line;
            add_searches(maker, &class, layout_row(layout, at),
                         layout_row(layout, layout_cell_at(base, at.coordinate)));
            class.paired |= pair->paired;
            class.apart |= !pair->paired;
            class.exact |= pair->exact;
            class.other |= !pair->exact;
            seen[k] = true;
            if (pair->items) name_groups_add(&items, pair->items, pair->items);
            if (!class.most || pair->seeds < class.least) class.least = pair->seeds;
            if (pair->seeds > class.most) class.most = pair->seeds;
        }
    for (int i = 0; i < items.count; i++)
        class.items = arena_append(maker->arena, class.items, " and ", items.group[i].text);
    for (int k = 0; k < tests->tested; k++) {
        const char *unit = seen[k] ? column_unit(&tests->column[k], maker->arena) : NULL;
        if (unit && !column_observations(&tests->column[k])) name_list_add(&class.values, unit);
        if (unit && best_of(maker, k) == COLUMN_NONE) name_list_add(&class.plain, unit);
    }
    if (margins) name_list_add(&class.against, "the control");
    return class;
}

/* Returns "seeds and sentences (10,000 resamples, random seed 12345), of Dev loss over seeds alone,
 * on this text". */
static const char *say_over(struct table_maker *maker, const struct mark_class *class)
{
    const struct significance_options *options = &maker->layout->test.options;
    const char *paired = class->apart ? "" : "paired ",
               *some = class->paired && class->apart
                           ? " (paired where both rows are the same trainings)"
                           : "",
               *text = "";
    if (!class->items)
        return arena_print(maker->arena, "%sseeds%s alone, on this text", paired, some);
    if (class->values.count)
        text = arena_print(maker->arena, ", of %s over seeds alone, on this text",
                           name_list_text(&class->values));
    return arena_print(maker->arena, "%sseeds%s and %s (%s resamples, random seed %u)%s", paired,
                       some, class->items, number_count(maker->arena, options->samples),
                       options->seed, text);
}

/* Prints a note on the comparisons with two seeds or more (Student's t) or, if `hollow` is true,
 * with one seed. */
static void say_class(struct table_maker *maker, bool margins, bool hollow)
{
    const struct mark_class class = class_of(maker, margins, hollow);
    if (!class.most) return;
    const char *marks = say_marks(maker, &class),
               *correction = say_correction(maker, margins, hollow), *seeds = "";
    if (!hollow &&
        (class.least != maker->seeds || class.most != maker->seeds)) /* not in the note on means */
        seeds = arena_print(maker->arena, "; n = %s seeds",
                            say_range(maker, class.least, class.most, 0));
    if (class.searches > 1)
        seeds = arena_print(maker->arena, "%s; each seed has its own search", seeds);
    if (class.chosen) seeds = arena_print(maker->arena, "%s; " TUNED_ONE_SEARCH, seeds);
    if (hollow)
        summary_say(maker, "%s, with one seed: %s; %s%s.", marks, say_test(maker, &class),
                    correction, seeds);
    else
        summary_say(maker, "%s: Student's t, two-sided, over %s; %s%s.", marks,
                    say_over(maker, &class), correction, seeds);
    if (class.untuned.count)
        summary_say(maker, "Compared although only one of the two is tuned: %s.",
                    name_list_text(&class.untuned));
    if (maker->full && hollow)
        summary_say(maker,
                    "With one seed (n = 1) %s are sampled, not trainings: another seed may differ "
                    "by more, and no verdict is possible.",
                    class.items);
}

/* Adds a note that lists the columns without tests: they are not in the family, or no cell is
 * compared. */
void summary_note_untested(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list names = {.arena = maker->arena};
    const int compared = maker->tests.comparisons + maker->tests.comparisons_apart;
    for (int i = 0; i < layout->columns && compared && layout->test.wanted; i++) {
        const struct column *column = &layout->column[i];
        const bool value = column_is_measured(column) && !column_has(column, COLUMN_WALL);
        if (!value || column->function == COLUMN_DELTA || column_has(column, COLUMN_MARGIN))
            continue;
        if (column_is_size(column) || offer_is_control(column_offered(column))) continue;
        const int tested = paired_tests_column(&maker->tests, column);
        if (column_has(column, COLUMN_AXIS) || tested < 0 || is_silent(maker, tested))
            name_list_add(&names, column->header);
    }
    if (names.count) summary_say(maker, "Not tested: %s.", name_list_text(&names));
}

void summary_note_tests(struct table_maker *maker)
{
    for (int margins = 0; margins < 2 && maker->layout->test.wanted; margins++)
        for (int hollow = 0; hollow < 2; hollow++) say_class(maker, margins, hollow);
}

void summary_note_problems(struct table_maker *maker)
{
    for (int margins = 0; margins < 2 && maker->layout->test.wanted; margins++)
        say_problems(maker, margins);
}
