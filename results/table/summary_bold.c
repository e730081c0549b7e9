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

/* Returns the best of several entries; NULL: there is only one, or their signatures differ. sign: 1
 * if more is better, -1 if less is better. */
static const struct entry *find_best(const struct entry *entry, int count, double sign)
{
    const struct entry *best = entry;
    for (const struct entry *one = best + 1; one < entry + count; one++) {
        if (!sample_same_signature(best->sample, one->sample)) return NULL;
        if (sign * one->sample->mean > sign * best->sample->mean) best = one;
    }
    return count > 1 ? best : NULL;
}

/* Returns the two-sided p of an entry against the best. Returns 1 if the entry is not worse over
 * the seeds that both have; NaN if they cannot be tested. */
static double p_of(struct table_maker *maker, const struct column *column, double sign,
                   struct entry *entry, const struct entry *best)
{
    if (entry == best || entry->sample->count < 2 || best->sample->count < 2) return (double)NAN;
    const struct paired_test pair =
        paired_tests_two(&maker->tests, column, best->cell, entry->cell);
    if (pair.problem) {
        entry->unknown = true;
        maker->not_bold.arena = maker->arena;
        name_list_add(&maker->not_bold,
                      arena_print(maker->arena, "%s of %s (%s)", column_unit(column, maker->arena),
                                  maker->layout->line[entry->cell.line].name, pair.problem));
    }
    if (!pair.compared || !pair.result.decides) return (double)NAN;
    return sign * pair.result.difference < 0 ? pair.result.p : 1;
}

void summary_bold(struct table_maker *maker, int column, const int *coordinate, int at)
{
    const struct layout *layout = maker->layout;
    const struct column *of = &layout->column[column];
    const struct measure *measure = of->measure;
    if (!column_is_measured(of) || of->function == COLUMN_DELTA || measure->best == COLUMN_NONE)
        return;
    struct entry *entry = ARENA_ARRAY(maker->arena, struct entry, layout->lines);
    const double sign = measure->best == COLUMN_LEAST ? -1 : 1;
    bool differ = false;
    int count = 0, several = 0; /* several: entries with values of several seeds */
    for (int i = 0; i < layout->lines; i++) {
        if (coordinate[i] < 0 || layout->line[i].quote) continue;
        const struct layout_cell cell = {i, coordinate[i]};
        const struct sample *sample = table_maker_sample(maker, cell, column);
        several += sample->count > 1;
        if (!sample->count) continue;
        const char *text = sample_number(measure, sample->mean, false, maker->arena);
        entry[count++] = (struct entry){cell, sample, text, false};
        differ |= strcmp(text, entry->text) != 0;
    }
    const struct entry *best = find_best(entry, count, sign);
    if (!best || !differ) return;
    const bool test = layout->bold == LAYOUT_BOLD_TESTED && best->sample->count > 1 && several > 1;
    if (test) paired_tests_expect(&maker->tests, of);
    double *p = ARENA_ARRAY(maker->arena, double, count);
    for (int i = 0; i < count; i++)
        p[i] = test ? p_of(maker, of, sign, &entry[i], best) : (double)NAN;
    significance_holm(p, count);
    bool *chosen = ARENA_ARRAY(maker->arena, bool, count), all = true;
    for (int i = 0; i < count; i++) {
        maker->bold[column] |= !isnan(p[i]);
        chosen[i] = !entry[i].unknown && (p[i] >= alpha || !strcmp(entry[i].text, best->text));
        all &= chosen[i];
    }
    for (int i = 0; i < count && !all; i++)
        if (chosen[i]) sheet_at(maker->sheet, entry[i].cell.line, at)->style = SHEET_BOLD;
}

void summary_note_bold(struct table_maker *maker)
{
    const struct layout *layout = maker->layout;
    struct name_list tested = {.arena = maker->arena};
    const char *text = layout->bold == LAYOUT_BOLD_BEST ? "Bold: best mean, not tested." : NULL;
    for (int i = 0; i < layout->columns; i++)
        if (maker->bold[i]) name_list_add(&tested, layout->column[i].header);
    if (tested.count)
        text = arena_print(maker->arena,
                           "Bold: the best value; of %s also all values that are not significantly "
                           "worse (Student's t over seeds and, for resampled values, items; "
                           "two-sided, Holm over a column's comparisons with its best, alpha "
                           "0.05). None is bold if all would be.",
                           name_list_text(&tested));
    if (maker->not_bold.count)
        text = arena_append(maker->arena, text, " ",
                            arena_print(maker->arena,
                                        "Not tested against the best, and therefore not bold: %s.",
                                        name_list_text(&maker->not_bold)));
    if (!text) return;
    summary_say(maker, NOTE_SEEDS, "%s", text);
    maker->about_bold = maker->note[NOTE_SEEDS].text[maker->note[NOTE_SEEDS].count - 1];
}
