/* Makes the table of claims. Each line has the verdict, difference and p of a claim. People get a
 * sheet, and other programs get rows of an SQL table. */
#include <math.h>
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"
#include "results/store/offer.h"
#include "results/table/learned.h"
#include "results/table/name_list.h"
#include "results/table/tuned.h"

enum { SIDES = 2 };
enum { CLAIM, VERDICT, DIFFERENCE, INTERVAL, P, HOLM, SEEDS, COLUMNS };

/* Returns a difference in the number format of the column: +0.46, -12,345. */
static const char *difference_text(const struct claim *claim, double value, struct arena *arena)
{
    return sample_number(claim->column.measure, value, true, arena);
}

static const char *p_text(double p, struct arena *arena)
{
    return p < 0.001 ? "< 0.001" : number_fixed(arena, p, 3);
}

/* True if the result describes a main effect. */
static bool is_effect(const struct claim *claim)
{
    return !claim->form && claim->contrast->unit == COMPARED_SIDES;
}

/* Returns a number of items rounded up to two digits. */
static double two_digits(double items)
{
    const double unit = pow(10, fmax(0, floor(log10(items)) - 1));
    return unit * ceil(items / unit);
}

static const char *const expected[] = {"greater", "less", "equal"}; /* by enum claim_expect */

/* Returns "greater", "greater by 0.3" or "equal within 0.3". */
static const char *expectation(const struct claim *claim, struct arena *arena)
{
    const char *word = expected[claim->expect];
    if (!(claim->smallest > 0)) return word;
    return arena_print(arena, "%s %s %s", word, claim->expect == CLAIM_EQUAL ? "within" : "by",
                       number_short(arena, claim->smallest));
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
              claim->seeds[0].ranges
                  ? arena_print(arena, "%d, %d", result->named[0], result->named[1])
                  : arena_print(arena, claim->over ? "%d grids" : "%d", result->pair.seeds));
    for (int i = DIFFERENCE; i <= HOLM; i++) sheet_set(sheet, line, i, "");
    if (!result->tested) return;
    sheet_set(sheet, line, DIFFERENCE, difference_text(claim, result->difference, arena));
    sheet_set(sheet, line, INTERVAL,
              arena_print(arena, "%s to %s", difference_text(claim, result->low, arena),
                          difference_text(claim, result->high, arena)));
    sheet_set(sheet, line, P, p_text(result->p, arena));
    if (result->member) sheet_set(sheet, line, HOLM, p_text(result->holm, arena));
}

/* Returns the text of a side of a claim within a row. Examples of two sides: "NOUN, VERB in + Gate"
 * and "CONJ"; "the layers of + Gate (slope by layer)" and "0". */
static const char *within_text(const struct grid *grid, const struct claim *claim, int side,
                               struct arena *arena)
{
    const char *row = grid->row[claim->contrast->row[0][0]].name, *list = NULL;
    if (claim->form == CLAIM_SLOPE)
        return side ? "0"
                    : arena_print(arena, "the layers %sof %s (slope by layer)",
                                  claim->layers.last
                                      ? arena_print(arena, "%d-%d ", claim->layers.first,
                                                    claim->layers.last)
                                      : "",
                                  row);
    if (claim->form == CLAIM_LEVEL) return side ? number_short(arena, claim->level) : row;
    for (int i = 0; i < claim->class[side].count; i++)
        list = arena_append(arena, list, ", ", claim->class[side].text[i]);
    return side ? list : arena_print(arena, "%s in %s", list, row);
}

/* Returns the name of a side of a claim, in the comparison that its result describes. */
static const char *side_text(const struct grid *grid, const struct claim *claim,
                             const struct claim_result *result, int side, struct arena *arena)
{
    const struct claim_contrast *contrast = &claim->contrast[result->contrast];
    if (claim->form) return within_text(grid, claim, side, arena);
    if (claim->alone && side) return "its control";
    const char *text = claim_side(grid, contrast, side);
    if (claim->seeds[side].ranges)
        return arena_print(arena, "%s (seeds %s)", text, claim->seeds[side].text);
    return text;
}

/* Returns a text on how many seeds of each compared row learned the task: "; learned (..): 1 of 3
 * seeds of SAN, ..". Of two rows it also has the p of the difference. */
static const char *learned_text_of(struct sampler *sampler, const struct claim *claim)
{
    struct arena *arena = sampler->arena;
    const char *list = NULL;
    struct learned_row *row_of = ARENA_ARRAY(arena, struct learned_row, sampler->grid->rows);
    int seeds = 0, learned = 0, rows = 0, count;
    const int *row = claim_rows(claim, &count, arena);
    for (int i = 0; i < count; i++) {
        const struct learned_row found = learned_row(sampler, row[i]);
        if (!found.seeds) continue;
        row_of[rows++] = found;
        seeds += found.seeds;
        learned += found.learned;
        list = arena_append(arena, list, ", ",
                            arena_print(arena, "%d of %d seeds of %s", found.learned, found.seeds,
                                        sampler->grid->row[row[i]].name));
    }
    if (!seeds) return "";
    if (is_effect(claim)) list = arena_print(arena, "%d of %d seeds", learned, seeds);
    list = arena_print(arena, "; learned (%s): %s", learned_limit(sampler->grid->learned, arena),
                       list);
    if (rows != SIDES) return list;
    return arena_print(arena, "%s, Fisher's exact p %s", list,
                       p_text(learned_p(&row_of[0], &row_of[1]), arena));
}

/* Returns a text on the detectable difference, and on the size of an experiment that detects
 * `smallest`; "" if they are unknown. */
static const char *plan_text(const struct claim *claim, const struct claim_result *result,
                             struct arena *arena)
{
    const struct measure *measure = claim->column.measure;
    const struct difference_plan *plan = &result->plan;
    const char *items = result->pair.items ? result->pair.items : "items", *wanted,
               *of = result->over ? "grids" : "seeds", *text;
    if (!isfinite(result->detectable)) return "";
    text = arena_print(arena, " Detectable in 4 of 5 cases: %s",
                       sample_number(measure, result->detectable, false, arena));
    if (result->floor > 0)
        text = arena_print(arena, "%s; with any number of seeds: %s", text,
                           sample_number(measure, result->floor, false, arena));
    if (!(claim->smallest > 0)) return arena_print(arena, "%s.", text);
    wanted = arena_print(arena, "%s %s", number_short(arena, claim->smallest),
                         column_unit(&claim->column, arena));
    const char *seeds = plan->seeds ? arena_print(arena, "%d %s", plan->seeds, of)
                                    : arena_print(arena, "more than %d %s", DIFFERENCE_SEEDS, of);
    if (plan->items > 0)
        return arena_print(
            arena, "%s. %s: not decidable with these %s %s; about %s with %s would be enough.",
            text, wanted, number_count(arena, result->items), items,
            number_count(arena, two_digits(plan->items)), seeds);
    return arena_print(arena, "%s. %s needs %s.", text, wanted, seeds);
}

/* Returns a text on the differences of several grids; "" for a claim about one grid. */
static const char *over_text(const struct grid *grid, const struct claim *claim,
                             const struct claim_result *result, struct arena *arena)
{
    const char *list = NULL;
    int known = 0;
    for (int g = 0; claim->over && g <= claim->grids; g++) {
        const double value = result->over[g];
        known += isfinite(value);
        list = arena_append(
            arena, list, ", ",
            arena_print(arena, "%s %s", g ? claim->grid[g - 1].grid->name : grid->name,
                        isfinite(value) ? difference_text(claim, value, arena) : "not run"));
    }
    if (!list) return "";
    return arena_print(arena, "; grids: %s; the sign agrees in %d of %d", list, result->agree,
                       known);
}

/* Adds the caption of a claim: sides, expectation, note, and its stages or their number. */
static void caption(struct sheet *sheet, int line, struct sampler *sampler,
                    const struct claim *claim, const struct claim_result *result,
                    struct arena *arena)
{
    const struct grid *grid = sampler->grid;
    const char *stages = "", *over = "";
    const int pairs = result->pairs ? result->pairs : claim->contrast->rows[0];
    const bool many = is_effect(claim) || claim->contrasts > 1 || claim->contrast->weight[0];
    if (is_effect(claim))
        over = arena_print(arena, " over %d pair%s of rows", pairs, pairs == 1 ? "" : "s");
    if (claim->contrasts > 1)
        over = arena_print(arena, " (the weakest of %d comparisons)", claim->contrasts);
    if (many && result->stages) /* too many to list */
        stages = arena_print(arena, "; %d stages", result->stages);
    for (int i = 0; i < result->stages && !many; i++)
        stages =
            arena_print(arena, "%s%s%s", stages, i ? ", " : "; stages ", result->stage[i].name);
    sheet_caption(arena, sheet, "%d. %s of %s against %s%s, expected %s, alpha %s%s%s%s%s%s%s%s.%s",
                  line + 1, claim->column.header, side_text(grid, claim, result, 0, arena),
                  side_text(grid, claim, result, 1, arena), over, expectation(claim, arena),
                  number_short(arena, claim->alpha), over_text(grid, claim, result, arena),
                  result->note ? "; " : "", result->note ? result->note : "",
                  result->controls ? "; above the best control: " : "",
                  result->controls ? result->controls : "", learned_text_of(sampler, claim), stages,
                  plan_text(claim, result, arena));
}

/* Appends to `about` a text on how the values of a kind were computed. If the texts of rows differ,
 * each text names its rows. */
static const char *add_about(const char *about, const struct offer *offer, struct sampler *sampler,
                             const struct claims *claims, const struct claim_result *results)
{
    struct arena *arena = sampler->arena;
    struct name_groups groups = {.arena = arena};
    bool *said = ARENA_ARRAY(arena, bool, sampler->grid->rows);
    for (int i = 0; i < claims->count; i++) {
        const struct claim *claim = &claims->claim[i];
        const bool its = claim->column.kind && !strcmp(claim->column.kind, offer->kind);
        for (int side = 0; side < 2 && its && results[i].tested && results[i].pair.items; side++) {
            const int row = claim->contrast[results[i].contrast].row[side][0];
            const char *text = said[row] ? NULL : sample_caption(sampler, offer, row);
            said[row] = true;
            if (text) name_groups_add(&groups, text, sampler->grid->row[row].name);
        }
    }
    for (int i = 0; i < groups.count; i++)
        about = arena_append(arena, about, "; ",
                             name_groups_about(&groups, i, offer_title(offer, arena)));
    return about;
}

/* True if the variance of a claim is neither that of means nor that of pairs (note_contrasts). */
static bool has_own_test(const struct claim *claim)
{
    return claim->over || (!claim->form && claim->contrast->unit == COMPARED_SEEDS);
}

/* Adds a caption on claims that are tested over seeds: which variance over seeds is used, and over
 * how many rows it is pooled. If both sides come from the same trainings, it is the variance of the
 * mean difference. Otherwise it is the variance of both means. */
static void note_seeds(struct sheet *sheet, const struct claims *claims,
                       const struct claim_result *results, struct arena *arena)
{
    struct name_list paired = {.arena = arena};
    const int count = claims->count;
    int apart = 0, least = 0, most = 0;
    const char *seeds = "both means over seeds", *pooled = "";
    for (int i = 0; i < count; i++) {
        const struct paired_test *pair = &results[i].pair;
        if (!results[i].tested || results[i].test != CLAIM_STUDENT) continue;
        if (has_own_test(&claims->claim[i])) continue;
        apart += !pair->paired;
        if (pair->paired) name_list_add(&paired, arena_print(arena, "%d", i + 1));
        if (pair->pooled && (!least || pair->pooled < least)) least = pair->pooled;
        if (pair->pooled > most) most = pair->pooled;
    }
    if (!paired.count && !apart) return;
    if (!apart)
        seeds = "the mean difference by seed, since both sides are of the same trainings,";
    else if (paired.count)
        seeds = arena_print(arena,
                            "both means over seeds (of claim%s %s, whose sides are of the same "
                            "trainings, that of the mean difference by seed)",
                            paired.count == 1 ? "" : "s", name_list_text(&paired));
    if (most)
        pooled = arena_print(arena,
                             "; the variance between seeds is pooled over %s%d rows of the grid, "
                             "and is the pair's own where that is larger (F test, p < 0.25)",
                             least < most ? arena_print(arena, "%d to ", least) : "", most);
    sheet_caption(
        arena, sheet,
        "With two seeds or more, p and interval are by Student's t. The variance is that of %s "
        "plus, for resampled values, that of the resampled differences%s. The sum of both has "
        "Fisher's fiducial distribution. For values that are not resampled, p and interval hold "
        "for this text only.",
        seeds, pooled);
}

/* Adds captions on the claims with several comparisons, on slopes, and on claims about grids. */
static void note_contrasts(struct sheet *sheet, const struct claims *claims, struct arena *arena)
{
    static const char *const verb[][2] = {{"holds", "hold"}, {"is", "are"}, {"is", "are"}};
    static const char *const says[] = {
        " if all comparisons hold (intersection-union test). Difference, interval and "
        "p "
        "are those of the comparison with the largest p. The p of the opposite direction is the "
        "smallest one times the number of comparisons",
        " about a slope of least squares: one slope for each seed, and Student's t over seeds",
        " about grids: Student's t over the differences of the grids"};
    struct name_list list[COUNT_OF(says)] = {{.arena = arena}, {.arena = arena}, {.arena = arena}};
    for (int i = 0; i < claims->count; i++) {
        const struct claim *claim = &claims->claim[i];
        const char *number = arena_print(arena, "%d", i + 1);
        if (claim->contrasts > 1) name_list_add(&list[0], number);
        if (!claim->form && claim->contrast->unit == COMPARED_SEEDS)
            name_list_add(&list[1], number);
        if (claim->over) name_list_add(&list[2], number);
    }
    for (size_t i = 0; i < COUNT_OF(says); i++)
        if (list[i].count)
            sheet_caption(arena, sheet, "Claim%s %s %s%s.", list[i].count > 1 ? "s" : "",
                          name_list_text(&list[i]), verb[i][list[i].count > 1], says[i]);
}

/* Adds captions on the columns of the table, and on the tests that decide the verdicts. */
static void note_tests(struct sheet *sheet, const struct claims *claims,
                       const struct claim_result *results, struct arena *arena)
{
    const int count = claims->count;
    const double alpha = claims->claim[0].alpha;
    const char *level = arena_print(arena, "%s%%", number_short(arena, 100 * (1 - 2 * alpha)));
    int members = 0;
    bool contradicted = false;
    for (int i = 0; i < count; i++) {
        if (claims->claim[i].alpha != alpha) level = "level 1 - 2 alpha";
        if (!results[i].tested) continue;
        members += results[i].member;
        contradicted |= results[i].member && results[i].verdict == CLAIM_CONTRADICTED;
    }
    sheet_caption(
        arena, sheet,
        "Difference: mean of the first row minus mean of the second row. Interval: %s, two-sided, "
        "alpha on each side. p: one-sided, for the expected direction (near 1: the opposite "
        "direction); Student's t in a table is two-sided. Interval and p are not corrected.",
        level);
    if (members)
        sheet_caption(
            arena, sheet, "Verdicts are by p, Holm: corrected over %d claim%s%s.%s", members,
            members == 1 ? "" : "s",
            members < count
                ? "; claims that are not run, have one seed or compare sizes are not included"
                : "",
            contradicted ? " A claim is contradicted by the p of the opposite direction, which is "
                           "corrected in the same way and not shown."
                         : "");
    note_seeds(sheet, claims, results, arena);
    note_contrasts(sheet, claims, arena);
}

/* Adds captions on the resampled items, and on how the values were computed. */
static void note_values(struct sheet *sheet, const struct claims *claims,
                        const struct claim_result *results, struct arena *arena)
{
    struct name_groups items = {.arena = arena}, computed = items;
    for (int i = 0; i < claims->count; i++)
        if (results[i].pair.items)
            name_groups_add(&items, results[i].pair.items,
                            column_unit(&claims->claim[i].column, arena));
    for (int own = 0; own < 2; own++)
        for (int i = 0; i < claims->count; i++) {
            const struct column *column = &claims->claim[i].column;
            const char *text = sample_signature(results[i].signature, column, own, arena),
                       *name = own ? column->part : column->header;
            if (results[i].tested && text)
                name_groups_add(&computed, text,
                                own ? arena_text_range(arena, name, strcspn(name, "@")) : name);
        }
    for (int i = 0; i < items.count; i++)
        sheet_caption(arena, sheet,
                      "%s: resampled over %s, the same for both rows (paired bootstrap, %s "
                      "samples, random seed %u).",
                      name_list_text(&items.group[i].names), items.group[i].text,
                      number_count(arena, significance_usual.samples), significance_usual.seed);
    const char *list = name_groups_said(&computed);
    if (list) sheet_caption(arena, sheet, "%s", list);
}

static struct sheet *new_sheet(const struct grid *grid, int claims, struct arena *arena)
{
    static const char *const header[COLUMNS] = {"Claim", "Verdict", "Difference", "Interval",
                                                "p",     "p, Holm", "Seeds"};
    struct sheet *sheet = sheet_headed(arena, claims, COLUMNS, header, DIFFERENCE);
    sheet->column[DIFFERENCE] = (struct sheet_column){header[DIFFERENCE], SHEET_NUMBER, 2};
    for (int i = P; i <= HOLM; i++)
        sheet->column[i] = (struct sheet_column){header[i], SHEET_NUMBER, 3};
    sheet->title = grid->title ? arena_print(arena, "Claims: %s (%s)", grid->title, grid->name)
                               : arena_print(arena, "Claims of %s", grid->name);
    sheet->name = arena_print(arena, "%s-claims", grid->name);
    return sheet;
}

struct sheet *claims_sheet(struct store *store, const struct grid *grid,
                           const struct claims *claims, struct arena *arena)
{
    struct sheet *sheet = new_sheet(grid, claims->count, arena);
    struct sampler sampler = sampler_open(store, grid, arena);
    const struct claim_result *results = claims_judge(&sampler, claims);
    for (int i = 0; i < claims->count; i++) {
        set_line(sheet, i, &claims->claim[i], &results[i], arena);
        caption(sheet, i, &sampler, &claims->claim[i], &results[i], arena);
    }
    const char *about = NULL;
    for (const struct offer *const *offer = offers(); *offer; offer++)
        about = add_about(about, *offer, &sampler, claims, results);
    note_tests(sheet, claims, results, arena);
    note_values(sheet, claims, results, arena);
    if (about) sheet_caption(arena, sheet, "%s.", about);
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
/* Returns the ids of a side's stages as a JSON list. */
static const char *stages_json(const struct claim_result *result, int side, struct arena *arena)
{
    const char *list = NULL;
    for (int i = 0; i < result->stages; i++)
        if (result->stage[i].sides & 1u << side && result->stage[i].id)
            list =
                arena_append(arena, list, ",", arena_print(arena, "\"%s\"", result->stage[i].id));
    return arena_print(arena, "[%s]", list ? list : "");
}

/* Returns the differences of all grids as a JSON object; NULL for a claim about one grid. */
static const char *grids_json(const struct grid *grid, const struct claim *claim,
                              const struct claim_result *result, struct arena *arena)
{
    const char *list = NULL;
    for (int g = 0; claim->over && g <= claim->grids; g++)
        list = arena_append(
            arena, list, ",",
            arena_print(arena, "\"%s\":%s", g ? claim->grid[g - 1].grid->name : grid->name,
                        isfinite(result->over[g]) ? arena_print(arena, "%.17g", result->over[g])
                                                  : "null"));
    return list ? arena_print(arena, "{%s}", list) : NULL;
}

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
        store_insert(
            to, "verdict", "sissssssddiiiddddddsiddidsisiissss", grid->name, (int64_t)(i + 1),
            claim->text, verdict_text(claim, result, &arena), claim->column.name,
            side_text(grid, claim, result, 0, &arena), side_text(grid, claim, result, 1, &arena),
            expected[claim->expect], claim->smallest, claim->alpha, (int64_t)result->pair.seeds,
            (int64_t)result->pair.paired, (int64_t)result->pair.pooled, result->difference,
            result->low, result->high, result->p, result->against,
            result->member ? result->holm : (double)NAN,
            result->tested ? tests[result->test] : NULL, (int64_t)claim->contrasts,
            result->detectable, result->floor, (int64_t)result->plan.seeds,
            result->plan.items > 0 ? two_digits(result->plan.items) : (double)NAN,
            grids_json(grid, claim, result, &arena), (int64_t)result->agree, result->pair.items,
            (int64_t)!result->training_unknown, (int64_t)claim->undertrained, result->signature,
            result->note, stages_json(result, 0, &arena), stages_json(result, 1, &arena));
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
