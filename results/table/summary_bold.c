/* Selects the bold cells of a column: the best value, and the values that are not significantly
 * worse than the best. p is Holm-corrected over the column's comparisons with the best. If nothing
 * can be tested, only the best value is bold. No value is bold if all would be. */
#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/table/table_maker.h"

static const double alpha = 0.05;

/* A line with a value of the column. */
struct entry {
    struct layout_cell cell;
    const struct sample *sample;
    const char *text; /* as printed */
    bool unknown;     /* cannot be tested, for example because a file is missing, so it is not
                         bold */
};

struct bold {
    struct table_maker *maker;
    const struct column *column;
    unsigned char *said; /* bits SUMMARY_BOLD_.. of the column */
    double sign;         /* 1: more is better, -1: less is better */
    struct entry *entry; /* [count] */
    int count;
};

/* Returns the best of several entries; NULL: there is only one, or their signatures differ. */
static const struct entry *find_best(const struct bold *bold)
{
    const struct entry *best = bold->entry;
    for (const struct entry *one = best + 1; one < bold->entry + bold->count; one++) {
        if (!sample_same_signature(best->sample, one->sample)) return NULL;
        if (bold->sign * one->sample->mean > bold->sign * best->sample->mean) best = one;
    }
    return bold->count > 1 ? best : NULL;
}

/* Adds a note on a line that cannot be tested. */
static void note_problem(const struct bold *bold, struct entry *entry, const char *problem)
{
    struct table_maker *maker = bold->maker;
    const char *unit = column_unit(bold->column, maker->arena),
               *name = maker->layout->line[entry->cell.line].name;
    maker->not_bold.arena = maker->arena;
    name_groups_add(&maker->not_bold, arena_print(maker->arena, "%s of %s", unit, name), problem);
    entry->unknown = true;
}

/* Returns the two-sided p of an entry against the best. Returns 1 if the entry is not worse over
 * the seeds that both have; NaN if they cannot be tested. */
static double p_of(const struct bold *bold, struct entry *entry, const struct entry *best)
{
    if (entry == best || entry->sample->count < 2 || best->sample->count < 2) return (double)NAN;
    const struct paired_test pair =
        paired_tests_two(&bold->maker->tests, bold->column, best->cell, entry->cell, false);
    if (pair.problem) note_problem(bold, entry, pair.problem);
    if (!pair.compared || !pair.result.decides) return (double)NAN;
    if (pair.paired) *bold->said |= SUMMARY_BOLD_PAIRED;
    return bold->sign * pair.result.difference < 0 ? pair.result.p : 1;
}

void summary_bold(struct table_maker *maker, int column, const int *coordinate, int at)
{
    const struct layout *layout = maker->layout;
    struct bold bold = {.maker = maker,
                        .column = &layout->column[column],
                        .said = &maker->bold[column],
                        .entry = ARENA_ARRAY(maker->arena, struct entry, layout->lines)};
    if (!column_is_measured(bold.column) || bold.column->function == COLUMN_DELTA) return;
    const struct measure *measure = bold.column->measure;
    bold.sign = measure->best == COLUMN_LEAST ? -1 : 1;
    if (measure->best == COLUMN_NONE) return;
    bool differ = false;
    int several = 0; /* entries with values of several seeds */
    for (int i = 0; i < layout->lines; i++) {
        if (coordinate[i] < 0 || layout->line[i].quote) continue;
        const struct layout_cell cell = {i, coordinate[i]};
        const struct sample *sample = table_maker_sample(maker, cell, column);
        several += sample->count > 1;
        if (!sample->count) continue;
        const char *text = sample_number(measure, sample->mean, false, maker->arena);
        bold.entry[bold.count++] = (struct entry){cell, sample, text, false};
        differ |= strcmp(text, bold.entry->text) != 0;
    }
    const struct entry *best = find_best(&bold);
    if (!best || !differ) return;
    const bool test = layout->bold == LAYOUT_BOLD_TESTED && best->sample->count > 1 && several > 1;
    if (test) paired_tests_expect(&maker->tests, bold.column);
    double *p = ARENA_ARRAY(maker->arena, double, bold.count);
    for (int i = 0; i < bold.count; i++)
        p[i] = test ? p_of(&bold, &bold.entry[i], best) : (double)NAN;
    significance_holm(p, bold.count);
    bool *chosen = ARENA_ARRAY(maker->arena, bool, bold.count);
    int count = 0;
    for (int i = 0; i < bold.count; i++) {
        const struct entry *one = &bold.entry[i];
        if (!isnan(p[i])) *bold.said |= SUMMARY_BOLD_TESTED;
        chosen[i] = !one->unknown && (p[i] >= alpha || !strcmp(one->text, best->text));
        count += chosen[i];
    }
    *bold.said |= count < bold.count ? SUMMARY_BOLD_BEST : SUMMARY_BOLD_ALL;
    for (int i = 0; i < bold.count && count < bold.count; i++)
        if (chosen[i]) sheet_at(maker->sheet, bold.entry[i].cell.line, at)->style = SHEET_BOLD;
}

/* Adds the note on bold cells; none if tests were wanted and nothing was tested. */
void summary_note_bold(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list tested = {.arena = maker->arena}, best = tested;
    bool paired = false, all = false, some = false;
    for (int i = 0; i < layout->columns; i++) {
        paired |= maker->bold[i] & SUMMARY_BOLD_PAIRED;
        all |= maker->bold[i] & SUMMARY_BOLD_ALL;
        some |= maker->bold[i] & SUMMARY_BOLD_BEST;
        if (maker->bold[i] & SUMMARY_BOLD_TESTED)
            name_list_add(&tested, layout->column[i].header);
        else if (maker->bold[i])
            name_list_add(&best, layout->column[i].header);
    }
    const bool only_best = layout->bold == LAYOUT_BOLD_BEST && best.count;
    if (!tested.count && !maker->not_bold.count && !only_best) return;
    const char *text = NULL;
    if (only_best) {
        text = "Bold: best mean, not tested.";
    } else if (tested.count) {
        const char *names = name_list_text(&tested);
        text = some ? arena_print(maker->arena,
                                  "Bold: the best value of %s, and all values that are not", names)
                    : arena_print(maker->arena, "No bold: no value of %s is", names);
        text = arena_print(
            maker->arena,
            "%s significantly worse than the best (Student's t over seeds%s and, for resampled "
            "values, items; two-sided, Holm over a column's comparisons with its best, alpha 0.05)"
            "%s%s%s%s.",
            text, paired ? ", paired where rows are the same trainings," : "",
            best.count ? "; for " : "", best.count ? name_list_text(&best) : "",
            best.count ? " the best value only" : "",
            all && some ? "; none in a column where no value is significantly worse" : "");
    }
    if (maker->not_bold.count)
        text = arena_append(maker->arena, text, " ",
                            arena_print(maker->arena,
                                        "Not tested against the best, and therefore not bold: %s.",
                                        name_groups_text(&maker->not_bold)));
    summary_say(maker, "%s", text);
    if (!maker->joins) maker->sheet->about_bold = maker->sheet->captions;
}
