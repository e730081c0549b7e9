/* Makes the table of claims. Each line has the verdict, difference and p of a claim. People get a
 * sheet, and other programs get rows of an SQL table. */
#include <math.h>
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"
#include "results/table/learned.h"
#include "results/table/name_list.h"
#include "results/table/tuned.h"

enum { SIDES = 2 };
enum { CLAIM, VERDICT, DIFFERENCE, INTERVAL, P, HOLM, SEEDS, COLUMNS };

static const char *const expected[] = {"greater", "less", "equal"}; /* by enum claim_expect */

/* Returns a difference in the number format of the column: +0.46, -12,345. */
static const char *difference_text(const struct claim *claim, double value, struct arena *arena)
{
    return sample_number(claim->column.measure, value, true, arena);
}

static const char *p_text(double p, struct arena *arena)
{
    return p < 0.001 ? "< 0.001" : number_fixed(arena, p, 3);
}

/* Returns a number of items rounded up to two digits. */
static double two_digits(double items)
{
    const double unit = pow(10, fmax(0, floor(log10(items)) - 1));
    return unit * ceil(items / unit);
}

static const char *verdict_text(const struct claim *claim, const struct claim_result *result,
                                struct arena *arena)
{
    const char *text = claim_verdicts[result->verdict];
    if (!result->one_search || result->verdict > CLAIM_INCONCLUSIVE) return text;
    return arena_print(arena, "%s, %s", text,
                       claim->column.function == COLUMN_EXPECTED ? "of one search"
                                                                 : TUNED_ONE_SEARCH);
}

static void set_line(struct sheet *sheet, int line, const struct claim *claim,
                     const struct claim_result *result, struct arena *arena)
{
    sheet_set(sheet, line, CLAIM, arena_print(arena, "%d. %s", line + 1, claim->text));
    sheet_set(sheet, line, VERDICT,
              arena_print(arena, "%s%s", verdict_text(claim, result, arena),
                          result->training_unknown ? ", training not known" : ""));
    sheet_set(sheet, line, SEEDS,
              arena_print(arena, claim->over ? "%d grids" : "%d", result->pair.seeds));
    for (int i = DIFFERENCE; i <= HOLM; i++) sheet_set(sheet, line, i, "");
    if (!result->tested) return;
    sheet_set(sheet, line, DIFFERENCE, difference_text(claim, result->difference, arena));
    sheet_set(sheet, line, INTERVAL,
              arena_print(arena, "%s to %s", difference_text(claim, result->low, arena),
                          difference_text(claim, result->high, arena)));
    sheet_set(sheet, line, P, p_text(result->p, arena));
    if (result->member) sheet_set(sheet, line, HOLM, p_text(result->holm, arena));
}

/* Returns a text on how many seeds of two rows learned the task, with the p of their difference.
 * NULL: the claim does not compare two different rows, or the grid has no criterion. */
static const char *learned_text(struct sampler *sampler, const struct claim *claim)
{
    struct learned_row of[SIDES] = {{0}};
    for (int k = 0; k < SIDES && claim_has_two(claim); k++)
        of[k] = learned_row(sampler, *claim->contrast->row[k]);
    if (!of[0].seeds || !of[1].seeds || *claim->contrast->row[0] == *claim->contrast->row[1])
        return NULL;
    return arena_print(sampler->arena, "learned: %d of %d and %d of %d seeds, Fisher's exact p %s",
                       of[0].learned, of[0].seeds, of[1].learned, of[1].seeds,
                       p_text(learned_p(&of[0], &of[1]), sampler->arena));
}

/* Returns a sentence on the detectable difference, and on the size of an experiment that detects
 * `smallest`; "" if they are unknown. */
static const char *plan_text(const struct claim *claim, const struct claim_result *result,
                             struct arena *arena)
{
    const struct measure *measure = claim->column.measure;
    const struct difference_plan *plan = &result->plan;
    const char *of = claim->over ? "grids" : "seeds", *text, *wanted, *seeds;
    if (!isfinite(result->detectable)) return "";
    text =
        arena_print(arena, " Detectable in 4 of 5 cases: %s%s%s.",
                    sample_number(measure, result->detectable, false, arena),
                    result->floor > 0 ? "; with any number of seeds: " : "",
                    result->floor > 0 ? sample_number(measure, result->floor, false, arena) : "");
    if (!(claim->smallest > 0)) return text;
    wanted = arena_print(arena, "%s %s", number_short(arena, claim->smallest),
                         column_unit(&claim->column, arena));
    seeds = plan->seeds ? arena_print(arena, "%d %s", plan->seeds, of)
                        : arena_print(arena, "more than %d %s", DIFFERENCE_SEEDS, of);
    if (!(plan->items > 0)) return arena_print(arena, "%s %s needs %s.", text, wanted, seeds);
    return arena_print(arena,
                       "%s %s: not decidable with these %s %s; about %s with %s would be enough.",
                       text, wanted, number_count(arena, result->pair.result.known.items),
                       result->pair.items, number_count(arena, two_digits(plan->items)), seeds);
}

/* Returns the differences of several grids, as text or as a JSON object; NULL for a claim about one
 * grid. */
static const char *over_text(const struct grid *grid, const struct claim *claim,
                             const struct claim_result *result, bool json, struct arena *arena)
{
    const char *list = NULL;
    int known = 0;
    for (int g = 0; claim->over && g <= claim->grids; g++) {
        const double value = result->over[g];
        const char *name = g ? claim->grid[g - 1].grid->name : grid->name,
                   *text = json ? "null" : "not run";
        known += isfinite(value);
        if (isfinite(value))
            text = json ? arena_print(arena, "%.17g", value) : difference_text(claim, value, arena);
        list = arena_append(arena, list, json ? "," : ", ",
                            arena_print(arena, json ? "\"%s\":%s" : "%s %s", name, text));
    }
    if (!list || json) return list ? arena_print(arena, "{%s}", list) : NULL;
    return arena_print(arena, "grids: %s; the sign agrees in %d of %d", list, result->agree, known);
}

/* Adds the caption of a claim: its sides, what was expected, and the facts about its test. */
static void caption(struct sheet *sheet, int line, struct sampler *sampler,
                    const struct claim *claim, const struct claim_result *result,
                    struct arena *arena)
{
    const struct claim_contrast *contrast = &claim->contrast[result->contrast];
    const struct paired_test *pair = &result->pair;
    const char *of = "", *by = "", *stages = NULL;
    if (result->stages[0]) stages = arena_print(arena, "%d stages", result->stages[0]);
    if (result->stages[1])
        stages = arena_print(arena, "%d and %d stages", result->stages[0], result->stages[1]);
    if (!claim->form && contrast->unit == COMPARED_SIDES)
        of = arena_print(
            arena, " over %s%d pair%s of rows",
            result->left ? arena_print(arena, "%d of ", contrast->rows[0] - result->left) : "",
            contrast->rows[0], contrast->rows[0] == 1 ? "" : "s");
    if (claim->contrasts > 1)
        of = arena_print(arena, " (the weakest of %d comparisons)", claim->contrasts);
    if (claim->smallest > 0)
        by = arena_print(arena, " %s %s", claim->expect == CLAIM_EQUAL ? "within" : "by",
                         number_short(arena, claim->smallest));
    const char *text =
        arena_print(arena, "%d. %s of %s against %s%s, expected %s%s, alpha %s", line + 1,
                    claim->column.header, contrast->side[0], contrast->side[1], of,
                    expected[claim->expect], by, number_short(arena, claim->alpha));
    const char *const facts[] = {
        over_text(sampler->grid, claim, result, false, arena),
        result->note,
        result->controls ? arena_print(arena, "above the best control: %s", result->controls)
                         : NULL,
        learned_text(sampler, claim),
        result->tested && pair->paired && pair->seeds > 1 && result->stages[1] ? "paired by seed"
                                                                               : NULL,
        pair->items ? arena_print(arena, "resampled over %s", pair->items) : NULL,
        pair->pooled
            ? arena_print(arena, "variance between seeds pooled over %d rows", pair->pooled)
            : NULL,
        stages};
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (facts[i]) text = arena_append(arena, text, "; ", facts[i]);
    sheet_caption(arena, sheet, "%s.%s", text, plan_text(claim, result, arena));
}

/* Adds captions on the columns of the table, and on the tests that decide the verdicts. */
static void note_tests(struct sheet *sheet, const struct claims *claims,
                       const struct claim_result *results, struct arena *arena)
{
    int members = 0;
    bool student = false, resampled = false;
    const char *level =
        arena_print(arena, "%s%%", number_short(arena, 100 * (1 - 2 * claims->claim[0].alpha)));
    for (int i = 0; i < claims->count; i++) {
        if (claims->claim[i].alpha != claims->claim[0].alpha) level = "level 1 - 2 alpha";
        members += results[i].member;
        student |= results[i].tested && results[i].test == CLAIM_STUDENT;
        resampled |= results[i].pair.items != NULL;
    }
    sheet_caption(
        arena, sheet,
        "Difference: the first side minus the second side. Interval: %s. p: one-sided, for "
        "the expected direction (near 1: the opposite direction). Interval and p are not "
        "corrected.",
        level);
    if (members)
        sheet_caption(arena, sheet,
                      "Verdicts are by p, Holm: corrected over %d claim%s, without claims that are "
                      "not run, have one seed or compare sizes. A claim is contradicted by the p "
                      "of the opposite direction, which is corrected in the same way.",
                      members, members == 1 ? "" : "s");
    if (student)
        sheet_caption(arena, sheet,
                      "With two seeds or more, p and interval are by Student's t. The variance is "
                      "that between seeds (pooled over rows, or the pair's own where that is "
                      "larger) plus, for resampled values, that of the resampled differences. For "
                      "values that are not resampled, p and interval hold for this text only.");
    if (resampled)
        sheet_caption(arena, sheet,
                      "Resampled: both sides over the same items (paired bootstrap, %s samples, "
                      "random seed %u).",
                      number_count(arena, significance_usual.samples), significance_usual.seed);
}

/* Adds a caption on how the values were computed, by column. */
static void note_values(struct sheet *sheet, const struct claims *claims,
                        const struct claim_result *results, struct arena *arena)
{
    struct name_groups computed = {.arena = arena};
    for (int i = 0; i < claims->count; i++)
        if (results[i].tested && results[i].signature)
            name_groups_add(&computed, results[i].signature, claims->claim[i].column.header);
    if (computed.count) sheet_caption(arena, sheet, "%s", name_groups_said(&computed));
}

struct sheet *claims_sheet(struct store *store, const struct grid *grid,
                           const struct claims *claims, struct arena *arena)
{
    static const char *const header[COLUMNS] = {"Claim", "Verdict", "Difference", "Interval",
                                                "p",     "p, Holm", "Seeds"};
    struct sheet *sheet = sheet_headed(arena, claims->count, COLUMNS, header, DIFFERENCE);
    struct sampler sampler = sampler_open(store, grid, arena);
    const struct claim_result *results = claims_judge(&sampler, claims);
    for (int i = DIFFERENCE; i <= HOLM; i++)
        if (i != INTERVAL)
            sheet->column[i] =
                (struct sheet_column){header[i], SHEET_NUMBER, i == DIFFERENCE ? 2 : 3};
    sheet->title = grid->title ? arena_print(arena, "Claims: %s (%s)", grid->title, grid->name)
                               : arena_print(arena, "Claims of %s", grid->name);
    sheet->name = arena_print(arena, "%s-claims", grid->name);
    for (int i = 0; i < claims->count; i++) {
        set_line(sheet, i, &claims->claim[i], &results[i], arena);
        caption(sheet, i, &sampler, &claims->claim[i], &results[i], arena);
    }
    bool failed;
    const char *learned = learned_caption(&sampler, &failed);
    if (learned) sheet_caption(arena, sheet, "%s.", learned);
    note_tests(sheet, claims, results, arena);
    note_values(sheet, claims, results, arena);
    if (claims->left_out)
        sheet_caption(arena, sheet, "Left out: %d claim%s about rows that are not selected.",
                      claims->left_out, claims->left_out > 1 ? "s" : "");
    return sheet;
}

/* ---- for other programs ---- */

static const char verdict_table[] =
    "CREATE TABLE verdict (grid TEXT, claim INTEGER, text TEXT, verdict TEXT, metric TEXT,"
    "  first TEXT, second TEXT, expect TEXT, smallest REAL, alpha REAL, seeds INTEGER,"
    "  paired INTEGER, pooled INTEGER,"
    "  difference REAL, low REAL, high REAL, p REAL, p_against REAL, holm REAL, test TEXT,"
    "  comparisons INTEGER, detectable REAL, floor REAL, seeds_needed INTEGER, items_needed REAL,"
    "  grids TEXT, grids_agree INTEGER,"
    "  resampled TEXT, training_known INTEGER, undertrained_allowed INTEGER, signature TEXT,"
    "  note TEXT, first_stages TEXT, second_stages TEXT)";
void claims_export(struct store *store, const struct grid *grid, const struct claims *claims,
                   struct store *to)
{
    static const char *const tests[] = {"exact", "bootstrap", "Student's t"};
    struct arena arena = {0};
    struct sampler sampler = sampler_open(store, grid, &arena);
    const struct claim_result *results = claims_judge(&sampler, claims);
    store_script(to, verdict_table);
    for (int i = 0; i < claims->count; i++) {
        const struct claim *claim = &claims->claim[i];
        const struct claim_result *result = &results[i];
        const struct claim_contrast *contrast = &claim->contrast[result->contrast];
        SCOPED(heap_free) char *first = cell_json_texts(result->stage[0], result->stages[0]);
        SCOPED(heap_free) char *second = cell_json_texts(result->stage[1], result->stages[1]);
        store_insert(to, "verdict", "sissssssddiiiddddddsiddidsisiissss", grid->name,
                     (int64_t)(i + 1), claim->text, verdict_text(claim, result, &arena),
                     claim->column.name, contrast->side[0], contrast->side[1],
                     expected[claim->expect], claim->smallest, claim->alpha,
                     (int64_t)result->pair.seeds, (int64_t)result->pair.paired,
                     (int64_t)result->pair.pooled, result->difference, result->low, result->high,
                     result->p, result->against, result->member ? result->holm : (double)NAN,
                     result->tested ? tests[result->test] : NULL, (int64_t)claim->contrasts,
                     result->detectable, result->floor, (int64_t)result->plan.seeds,
                     result->plan.items > 0 ? two_digits(result->plan.items) : (double)NAN,
                     over_text(grid, claim, result, true, &arena), (int64_t)result->agree,
                     result->pair.items, (int64_t)!result->training_unknown,
                     (int64_t)claim->undertrained, result->signature, result->note, first, second);
    }
    arena_free(&arena);
}

void claims_rows(struct store *store, const struct grid *grid, const struct claims *claims,
                 enum export_format format, FILE *out)
{
    struct store *rows = store_export(store, NULL);
    claims_export(store, grid, claims, rows);
    query_print_verdicts(rows, format, out);
    store_close(rows);
}
