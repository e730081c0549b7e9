/* What a table says about significance: marks, p values, and the caption that explains them. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/table/summary_make.h"

/* The tested column behind whose values marks stand here; -1: none. */
static int marks_stand_at(const struct maker *maker, const struct column *column)
{
    const struct layout *layout = maker->layout;
    if (!layout->test.wanted || column->source != COLUMN_VALUE) return -1;
    for (int i = 0; i < layout->columns && column->delta; i++) {
        const struct column *other = &layout->column[i];
        if (other->source == COLUMN_VALUE && !other->delta && column_is_same(other, column))
            return -1;
    }
    return pair_tested(&maker->pairing, column);
}

/* A difference for the worse: less, but where less is better. */
static bool is_worse(const struct maker *maker, int tested, const struct pair *pair)
{
    const struct measure *measure = maker->pairing.column[tested].measure;
    return measure->best == COLUMN_LEAST ? pair->result.difference > 0
                                         : pair->result.difference < 0;
}

/* [worse][level] */
static const char *mark_of(const struct layout_test *test, bool worse, int level)
{
    static const char *const daggers[] = {"†", "‡"}, *const up[] = {"↑", "⇑"},
                             *const down[] = {"↓", "⇓"};
    return worse ? down[level] : test->arrows ? up[level] : daggers[level];
}

/* The strictest level that a p stays below; -1: none. */
static int level_of(const struct layout_test *test, double p)
{
    int level = -1;
    for (int i = 0; i < test->levels; i++)
        if (p < test->alpha[i]) level = i;
    return level;
}

const char *marks_of(const struct maker *maker, const struct column *column, int line, int factor)
{
    const int tested = marks_stand_at(maker, column);
    if (tested < 0) return NULL;
    const struct pair *pair = pair_at(&maker->pairing, tested, line, factor);
    int level = pair->compared ? level_of(&maker->layout->test, pair->p) : -1;
    if (level < 0) return NULL;
    return mark_of(&maker->layout->test, is_worse(maker, tested, pair), level);
}

const char *marks_p(struct maker *maker, const struct column *column, int line, int factor)
{
    const int tested = pair_tested(&maker->pairing, column);
    if (tested < 0) return NULL; /* of all classes, none of which is known yet */
    const struct pair *pair = pair_at(&maker->pairing, tested, line, factor);
    const struct significance *result = &pair->result;
    if (line == pair_baseline(maker->layout, line)) return "";
    if (!pair->compared) return pair->problem ? "n/c" : NULL;
    double p = column->p == maker->layout->test.p ? pair->p /* corrected, as the marks are */
               : column->p == COLUMN_CENTERED     ? result->centered
               : column->p == COLUMN_SWAPPED      ? result->swapped
                                                  : result->koehn;
    if (isnan(p)) return NULL;
    /* 0 of 1000 samples is no certainty; of 300, 0.004 is the least that can be printed. */
    const double scale = pow(10, column->decimals), one = 1. / maker->layout->test.options.samples;
    const double least = p > 0 ? 1 / scale : fmax(1, ceil(scale * one - 1e-9)) / scale;
    if (p < least)
        return arena_print(maker->arena, "<%s",
                           number_fixed(maker->arena, least, column->decimals));
    return column_text(column, p, maker->arena);
}

/* "†, ‡: better than Transformer" and "; ↓, ⇓: worse". */
static const char *say_marks(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    const struct layout_test *test = &layout->test;
    struct maker_names against = {0}, alpha = {0}, marks[2] = {{0}, {0}};
    bool worse = false;
    int cells = layout->lines * layout->factors, last = -1;
    for (int i = 0; i < cells; i++) {
        int base = pair_baseline(layout, i / layout->factors);
        for (int k = 0; k < maker->pairing.tested; k++) {
            const struct pair *pair = &maker->pairing.pair[k * cells + i];
            if (!pair->compared) continue;
            worse |= is_worse(maker, k, pair) && level_of(test, pair->p) >= 0;
            if (base != last) maker_list(maker, &against, layout->line[base].name);
            last = base;
        }
    }
    for (int i = 0; i < test->levels; i++) {
        char text[REAL_TEXT];
        real_print(test->alpha[i], text);
        maker_list(maker, &alpha, arena_text(maker->arena, text));
        for (int k = 0; k < 2; k++) maker_list(maker, &marks[k], mark_of(test, k, i));
    }
    return arena_print(maker->arena, "%s: better than %s%s%s%s, p < %s", marks[0].text,
                       maker_list(maker, &against, NULL), worse ? " (" : "",
                       worse ? marks[1].text : "", worse ? ": worse)" : "", alpha.text);
}

static const char *say_test(struct maker *maker)
{
    static const char *const tests[] = {[COLUMN_KOEHN] = "paired bootstrap (Koehn 2004, one-sided)",
                                        [COLUMN_CENTERED] =
                                            "paired bootstrap, centered (Riezler and Maxwell 2005)",
                                        [COLUMN_SWAPPED] = "approximate randomization (two-sided)"};
    const struct layout_test *test = &maker->layout->test;
    bool swapped = test->p == COLUMN_SWAPPED;
    return arena_print(maker->arena, "%s, %d %s, random seed %u; %s", tests[test->p],
                       swapped ? test->options.trials : test->options.samples,
                       swapped ? "trials" : "samples", test->options.seed,
                       test->holm ? arena_print(maker->arena, "Holm over %d comparison%s",
                                                maker->pairing.comparisons,
                                                maker->pairing.comparisons == 1 ? "" : "s")
                                  : "not corrected for several comparisons");
}

/* "0.41 to 0.58", or one number when both print alike. */
static const char *say_range(struct maker *maker, double low, double high, int decimals)
{
    const char *a = number_fixed(maker->arena, low, decimals),
               *b = number_fixed(maker->arena, high, decimals);
    return strcmp(a, b) ? arena_print(maker->arena, "%s to %s", a, b) : a;
}

/* In how many of the tested columns a cell could not be compared for the same reason. */
static int count_alike(const struct maker *maker, int cell, int tested)
{
    const int cells = maker->layout->lines * maker->layout->factors;
    const char *problem = maker->pairing.pair[tested * cells + cell].problem;
    int alike = 0;
    for (int k = 0; k < maker->pairing.tested; k++) {
        const char *other = maker->pairing.pair[k * cells + cell].problem;
        if (!other || strcmp(other, problem) != 0) continue;
        if (k < tested) return 0; /* was said */
        alike++;
    }
    return alike;
}

/* Cells that have values but could not be paired, by reason; the column is said where not all of
 * the tested ones have that reason. */
static void caption_problems(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    const struct pairing *pairing = &maker->pairing;
    const int cells = layout->lines * layout->factors;
    struct maker_names list = {0};
    for (int i = 0; i < cells * pairing->tested; i++) {
        const int tested = i % pairing->tested, cell = i / pairing->tested;
        const struct pair *pair = &pairing->pair[tested * cells + cell];
        int row = layout->line[cell / layout->factors].row[cell % layout->factors];
        const char *name =
            row < 0 ? layout->line[cell / layout->factors].name : maker->grid->row[row].name;
        if (pair->compared || !pair->problem) continue;
        const int alike = count_alike(maker, cell, tested);
        const char *unit =
            alike == pairing->tested ? NULL : column_unit(&pairing->column[tested], maker->arena);
        if (alike)
            maker_list(maker, &list,
                       arena_print(maker->arena, "%s (%s%s%s)", name, unit ? unit : "",
                                   unit ? ": " : "", pair->problem));
    }
    if (list.count)
        sheet_caption(maker->arena, maker->sheet, "Not compared with the baseline: %s.",
                      maker_list(maker, &list, NULL));
}

/* Where marks and differences are against different rows, those of the differences. */
static void caption_differences(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    struct maker_names names = {0};
    bool same = true, shown = false;
    for (int i = 0; i < layout->columns; i++) shown |= layout->column[i].delta;
    for (int i = 0; i < layout->baselines; i++) {
        same &= layout->test.against < 0 || layout->baseline[i] == layout->test.against;
        maker_list(maker, &names, layout->line[layout->baseline[i]].name);
    }
    if (shown && !same)
        sheet_caption(maker->arena, maker->sheet, "Differences (Δ) are against %s.",
                      maker_list(maker, &names, NULL));
}

/* "0.41 to 0.58 BLEU": the smallest differences that the comparisons of a tested column find; NULL:
 * there is none. */
static const char *say_detectable(struct maker *maker, int tested)
{
    const int cells = maker->layout->lines * maker->layout->factors;
    const struct column *column = &maker->pairing.column[tested];
    const int decimals = column->measure->form == COLUMN_FIXED ? column->measure->decimals : 4;
    double low = INFINITY, high = 0;
    for (int i = 0; i < cells; i++) {
        const struct pair *pair = &maker->pairing.pair[tested * cells + i];
        /* Items of which all differ alike, or none, teach nothing about the design. */
        const double detectable = pair->result.detectable;
        if (pair->compared && detectable > 0 && detectable < low) low = detectable;
        if (pair->compared && detectable > high) high = detectable;
    }
    if (!(high > 0)) return NULL;
    return arena_print(maker->arena, "%s %s", say_range(maker, low, high, decimals),
                       column_unit(column, maker->arena));
}

void marks_caption(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    const struct pairing *pairing = &maker->pairing;
    struct maker_kinds items = {0};
    struct maker_names resampled = {0}, detectable = {0};
    int least = 0, most = 0;
    for (int i = 0; i < layout->lines * layout->factors * pairing->tested; i++) {
        const struct pair *pair = &pairing->pair[i];
        if (!pair->compared) continue;
        maker_kind(maker, &items, pair->items, pair->items);
        if (!most || pair->seeds < least) least = pair->seeds;
        if (pair->seeds > most) most = pair->seeds;
    }
    for (int i = 0; i < items.count; i++)
        resampled.text =
            i ? arena_print(maker->arena, "%s and %s", resampled.text, items.kind[i].text)
              : items.kind[i].text;
    for (int k = 0; k < pairing->tested; k++) {
        const char *text = say_detectable(maker, k);
        if (text) maker_list(maker, &detectable, text);
    }
    if (most) {
        const bool swapped = layout->test.p == COLUMN_SWAPPED;
        const char *sampled =
            arena_print(maker->arena, " seeds, sampled as %s are", resampled.text);
        sheet_caption(maker->arena, maker->sheet, "%s: %s; n = %s%s.", say_marks(maker),
                      say_test(maker), say_range(maker, least, most, 0),
                      most == 1 ? ""
                      : swapped ? " seeds, which are not sampled"
                                : sampled);
        sheet_caption(
            maker->arena, maker->sheet,
            "Smallest difference that %s design finds in 4 of 5 cases: %s (one comparison, "
            "one-sided, alpha 0.05).%s",
            swapped ? "a paired bootstrap of this" : "this",
            detectable.count ? maker_list(maker, &detectable, NULL) : "unknown, none varies",
            least > 1 ? ""
                      : arena_print(maker->arena,
                                    " With one seed (n = 1) %s are sampled, not trainings: "
                                    "another seed may differ by more.",
                                    resampled.text));
    }
    caption_differences(maker);
    caption_problems(maker);
}
