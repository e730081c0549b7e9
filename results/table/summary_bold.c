/* The best values of a column in bold, and those that may be as good: all that are not
 * significantly worse than the best, Holm over its comparisons. The best alone if nothing can be
 * tested. None if all values of the column are printed alike. */
#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/table/table_maker.h"

static const double alpha = 0.05;

/* A column at a factor, or at whichever each line has. */
struct bold {
    struct table_maker *maker;
    const struct column *column;
    int index;
    const int *factor; /* [lines] -1: none */
    bool *unknown;     /* [lines] true: it cannot be tested, because a file is missing, say */
    double sign;       /* -1: less is better */
};

static const struct sample *sample_at(const struct bold *bold, int line)
{
    return table_maker_sample(bold->maker, line, bold->factor[line], bold->index);
}

/* Whether a line takes part. */
static bool has_value(const struct bold *bold, int line)
{
    return bold->factor[line] >= 0 && sample_at(bold, line)->count &&
           !bold->maker->layout->line[line].quote;
}

static const char *text_at(const struct bold *bold, int line)
{
    return column_text(bold->column, sample_mean(sample_at(bold, line)), bold->maker->arena);
}

/* The line of the best of those of one signature, and of two at least; -1: there is none. */
static int find_best(const struct bold *bold)
{
    int best = -1, count = 0;
    for (int i = 0; i < bold->maker->layout->lines; i++) {
        if (!has_value(bold, i)) continue;
        if (best >= 0 && !sample_same_signature(sample_at(bold, best), sample_at(bold, i)))
            return -1;
        count++;
        if (best < 0 || bold->sign * sample_mean(sample_at(bold, i)) >
                            bold->sign * sample_mean(sample_at(bold, best)))
            best = i;
    }
    return count > 1 ? best : -1;
}

/* Notes a line that cannot be tested: it is not bold, and may be as good as the best. */
static void note_problem(const struct bold *bold, int line, const char *problem)
{
    bold->unknown[line] = true;
    struct arena *arena = bold->maker->arena;
    const char *text = arena_print(arena, "%s of %s (%s)", column_unit(bold->column, arena),
                                   bold->maker->layout->line[line].name, problem);
    if (!bold->maker->not_bold || !strstr(bold->maker->not_bold, text))
        bold->maker->not_bold = cell_append(bold->maker->not_bold, "; ", text, arena);
}

/* Two-sided p of a line against the best, 1 where it is not worse over the seeds of both; NaN: it
 * cannot be tested. */
static double p_of(const struct bold *bold, int line, int best)
{
    if (sample_at(bold, line)->count < 2 || sample_at(bold, best)->count < 2) return (double)NAN;
    const struct paired_test pair = paired_tests_two(
        &bold->maker->tests, bold->column, (struct layout_cell){best, bold->factor[best]},
        (struct layout_cell){line, bold->factor[line]}, false);
    if (pair.problem) note_problem(bold, line, pair.problem);
    if (!pair.compared || !pair.result.decides) return (double)NAN;
    if (pair.paired) bold->maker->bold[bold->index] |= SUMMARY_BOLD_PAIRED;
    return bold->sign * pair.result.difference < 0 ? pair.result.p : 1;
}

/* Some line but the best has several seeds, and so may be tested. */
static bool expect_tests(const struct bold *bold, int best)
{
    bool some = false;
    for (int i = 0; i < bold->maker->layout->lines; i++)
        some |= i != best && has_value(bold, i) && sample_at(bold, i)->count > 1;
    some &= sample_at(bold, best)->count > 1;
    if (some) paired_tests_expect(&bold->maker->tests, bold->column);
    return some;
}

void summary_bold(struct table_maker *maker, int column, const int *factor, int at)
{
    const struct layout *layout = maker->layout;
    struct bold bold = {.maker = maker,
                        .column = &layout->column[column],
                        .index = column,
                        .factor = factor,
                        .sign = 1};
    if (bold.column->best == COLUMN_NONE || !column_is_measured(bold.column) || bold.column->delta)
        return;
    if (bold.column->best == COLUMN_LEAST) bold.sign = -1;
    const int best = find_best(&bold);
    if (best < 0) return;
    const char *best_text = text_at(&bold, best);
    bool differ = false;
    for (int i = 0; i < layout->lines && !differ; i++)
        differ = has_value(&bold, i) && strcmp(text_at(&bold, i), best_text) != 0;
    if (!differ) return;
    double *p = ARENA_ARRAY(maker->arena, double, layout->lines);
    bold.unknown = ARENA_ARRAY(maker->arena, bool, layout->lines);
    const bool test = layout->bold == LAYOUT_BOLD_TESTED && expect_tests(&bold, best);
    for (int i = 0; i < layout->lines; i++)
        p[i] = test && i != best && has_value(&bold, i) ? p_of(&bold, i, best) : (double)NAN;
    significance_holm(p, layout->lines, p);
    maker->bold[column] |= SUMMARY_BOLD_BEST;
    for (int i = 0; i < layout->lines; i++) {
        if (!isnan(p[i])) maker->bold[column] |= SUMMARY_BOLD_TESTED;
        if (!has_value(&bold, i) || bold.unknown[i]) continue;
        if (p[i] >= alpha || !strcmp(text_at(&bold, i), best_text))
            sheet_style(maker->sheet, i, at, SHEET_BOLD);
    }
}

/* Where nothing was tested bold is what it always was, and needs no word. */
void summary_note_bold(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list tested = {.arena = maker->arena}, best = tested;
    bool paired = false;
    for (int i = 0; i < layout->columns; i++) {
        paired |= maker->bold[i] & SUMMARY_BOLD_PAIRED;
        if (maker->bold[i] & SUMMARY_BOLD_TESTED)
            name_list_add(&tested, layout->column[i].header);
        else if (maker->bold[i])
            name_list_add(&best, layout->column[i].header);
    }
    if (!tested.count && !maker->not_bold) return;
    const char *text = NULL;
    if (tested.count)
        text = arena_print(
            maker->arena,
            "Bold: of %s the best, and all that are not significantly worse than it "
            "(Student's t over seeds%s and, where it is resampled, items; two-sided, Holm "
            "over a column's comparisons with its best, alpha 0.05)%s%s%s.",
            name_list_text(&tested), paired ? ", paired where rows are the same trainings," : "",
            best.count ? "; of " : "", best.count ? name_list_text(&best) : "",
            best.count ? " the best alone" : "");
    if (maker->not_bold)
        text = cell_append(text, " ",
                           arena_print(maker->arena,
                                       "Not tested against the best, and so not bold: %s.",
                                       maker->not_bold),
                           maker->arena);
    summary_say(maker, "%s", text);
    if (!maker->joins) maker->sheet->about_bold = maker->sheet->captions;
}
