/* The page of a comparison, part by part; each part is a file or a function of its own. */
#include "results/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/corpus/corpus.h"
#include "results/compare/compare_parts.h"
#include "results/sheet/number.h"

static void open_comparison(struct comparison *comparison, const char *const word[COMPARED],
                            const struct compare_place place[COMPARED])
{
    for (int i = 0; i < COMPARED; i++)
        comparison->system[i] =
            compare_find(comparison->store, word[i], &place[i], &comparison->arena);
    const struct observations *first = comparison->system[0].scores.of[0];
    for (int i = 0; i < COMPARED; i++)
        for (int k = 0; k < comparison->system[i].scores.seeds; k++) {
            const struct observations *one = comparison->system[i].scores.of[k];
            const char *problem = comparison_problem(one, first, &comparison->arena);
            if (problem)
                die("%s and %s cannot be compared: %s (%s; %s)", word[0], word[1], problem,
                    first->signature, one->signature);
        }
    const struct observations_text *text = first->text;
    comparison->sentences = first->items;
    comparison->reference = text->reference;
    comparison->bleu = text->bleu;
    while (strcmp(split_names[comparison->split], text->split) != 0) comparison->split++;
    comparison->corpus = corpus_open(&comparison->arena, text->corpus_folder);
}

static void heading(const char *text, FILE *out)
{
    fprintf(out, "\n%s\n", text);
}

static void put_systems(const struct comparison *comparison)
{
    for (int i = 0; i < COMPARED; i++) {
        const struct compare_system *system = &comparison->system[i];
        fprintf(comparison->out, "%c  ", 'A' + i);
        sheet_put(system->word, comparison->out);
        fputs(": ", comparison->out);
        for (int k = 0; k < system->scores.seeds; k++) {
            if (k) fputs(", ", comparison->out);
            sheet_put(system->scores.of[k]->name, comparison->out);
        }
        fputc('\n', comparison->out);
    }
}

/* The logged losses that two trainings have at the same steps. */
#define BOTH_LOSSES                                                                                \
    "FROM value AS a JOIN value AS b ON a.step = b.step WHERE a.name = 'loss' AND b.name = "       \
    "'loss' AND a.stage = (SELECT number FROM stage WHERE id = ?1) AND b.stage = (SELECT number "  \
    "FROM stage WHERE id = ?2)"
static const char losses_count[] = "SELECT count(*), max(a.step) " BOTH_LOSSES;
static const char losses_part[] = "SELECT a.step, a.value, b.value " BOTH_LOSSES
                                  " AND a.value IS NOT b.value ORDER BY a.step LIMIT 1";

/* Of the first seed of each. */
static void put_losses(const struct comparison *comparison)
{
    struct arena scratch = {0};
    FILE *out = comparison->out;
    const char *a = comparison->system[0].scores.of[0]->text->train,
               *b = comparison->system[1].scores.of[0]->text->train;
    sqlite3_stmt *ask = store_ask(comparison->store, losses_count, "ss", a, b);
    const int64_t steps = store_next(ask) ? sqlite3_column_int64(ask, 0) : 0;
    const int64_t last = steps ? sqlite3_column_int64(ask, 1) : 0;
    store_finish(ask);
    ask = store_ask(comparison->store, losses_part, "ss", a, b);
    if (!strcmp(a, b))
        fputs("Both are scores of the same training.\n", out);
    else if (!steps)
        fputs("Their trainings have no logged step in common.\n", out);
    else if (store_next(ask))
        fprintf(out, "Training losses part at step %lld: %s and %s.\n",
                (long long)sqlite3_column_int64(ask, 0),
                number_fixed(&scratch, store_real(ask, 1), 6),
                number_fixed(&scratch, store_real(ask, 2), 6));
    else
        fprintf(out,
                "Training losses are equal at all %lld steps that both have logged, to %lld.\n",
                (long long)steps, (long long)last);
    store_finish(ask);
    arena_free(&scratch);
}

static const char *p_text(struct arena *arena, double p)
{
    return isnan(p) ? "none (unequal numbers of seeds)" : number_fixed(arena, p, 4);
}

/* Which p to believe: significance.h has what each test does, and the sides of the bootstraps. */
static const char *advice(bool decides)
{
    if (decides)
        return "Believe Student's t: the others look at sentences only, and not at what training "
               "owes to chance.";
    return "Believe none for a verdict: of one training nobody knows how the next would differ. Of "
           "sentences\nalone, believe randomization, which is two-sided (Riezler and Maxwell "
           "2005): of equal systems\neither bootstrap finds a difference twice as often as its p "
           "says.";
}

/* Whether the scores are of the same trainings, seed by seed: one model, scored in two ways. */
static bool are_paired(const struct comparison *comparison)
{
    const struct compared_side *a = &comparison->system[0].scores,
                               *b = &comparison->system[1].scores;
    bool paired = a->seeds == b->seeds;
    for (int i = 0; i < a->seeds && paired; i++)
        paired = !strcmp(a->of[i]->text->train, b->of[i]->text->train);
    return paired;
}

/* The second side is A. */
static void put_significance(struct comparison *comparison, struct compared_side side[COMPARED],
                             int decimals, const struct significance_options *options)
{
    struct arena *arena = &comparison->arena;
    FILE *out = comparison->out;
    struct comparing comparing = {NULL, {.arena = arena, .options = *options}};
    const struct paired_test test = comparison_of(&comparing, NULL, side, true, arena);
    if (test.problem) mask_line(out, "Not compared: %s.", test.problem);
    if (test.problem) return;
    const struct significance result = test.result;
    fprintf(
        out, "A %s, B %s: B - A %s, 95%% %s from %s to %s\n",
        number_fixed(arena, result.a, decimals), number_fixed(arena, result.b, decimals),
        number_signed(arena, result.difference, decimals),
        result.decides ? "by Student's t" : arena_print(arena, "of %d samples", options->samples),
        number_signed(arena, result.low, decimals), number_signed(arena, result.high, decimals));
    if (result.decides)
        fprintf(out, "p: Student's t over %sseeds and sentences %s (two-sided)\n",
                options->paired ? "paired " : "", p_text(arena, result.p));
    fprintf(out,
            "p%s: paired bootstrap %s (Koehn 2004, one-sided), %s (centered, sacreBLEU's); "
            "randomization %s\n",
            result.decides ? " of sentences alone" : "", p_text(arena, result.koehn),
            p_text(arena, result.centered), p_text(arena, result.swapped));
    fprintf(out, "%s\n", advice(result.decides));
    if (result.detectable > 0)
        fprintf(out, "Such a test finds a difference of %s in 4 of 5 cases.",
                number_fixed(arena, result.detectable, decimals));
    else
        fputs("Nothing varies, so what such a test finds in 4 of 5 cases is unknown.", out);
    fprintf(out, " Seeds: %d and %d%s.\n", side[1].seeds, side[0].seeds,
            !result.decides ? "; what training owes to chance is not covered" : "");
    mask_line(out, "%s", side[1].of[0]->signature);
}

/* The same of every other number of the scores behind which there is something to resample. */
static void put_others(struct comparison *comparison, const struct significance_options *options)
{
    const char *kind;
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    const struct offer *offer = offer_of(kind);
    for (int m = 0; m < offer->measures; m++) {
        const struct measure *measure = &offer->measure[m];
        if (measure == bleu || !measure->observations) continue;
        struct compared_side side[COMPARED];
        for (int i = 0; i < COMPARED; i++) {
            const struct compared_side *scored = &comparison->system[COMPARED - 1 - i].scores;
            side[i] = (struct compared_side){
                .seeds = scored->seeds,
                .value = ARENA_ARRAY(&comparison->arena, double, scored->seeds),
                .of = ARENA_ARRAY(&comparison->arena, const struct observations *, scored->seeds)};
            for (int k = 0; k < scored->seeds; k++) {
                side[i].of[k] = measure->observations(comparison->store, kind, scored->of[k]->id,
                                                      measure->name, NULL);
                side[i].value[k] = side[i].of[k]->score;
            }
        }
        heading(measure->header, comparison->out);
        put_significance(comparison, side, measure->decimals, options);
    }
}

static void put_sheet(const struct sheet *sheet, FILE *out)
{
    fputc('\n', out);
    sheet_print(sheet, SHEET_TEXT, out);
}

void compare_systems(struct store *store, const char *const word[COMPARED],
                     const struct compare_options *options, FILE *out)
{
    struct comparison comparison = {.store = store, .out = out};
    open_comparison(&comparison, word, options->place);
    const struct observations *a = comparison.system[0].scores.of[0],
                              *b = comparison.system[1].scores.of[0];
    put_systems(&comparison);
    const char *train[] = {options->train, options->train},
               *score[] = {options->score, options->score};
    if (strcmp(a->text->train, b->text->train) != 0) {
        heading("Trainings", out);
        query_diff(store, (const char *const[]){a->text->train, b->text->train}, train, false, out);
    }
    if (strcmp(a->id, b->id) != 0) {
        heading("Scores", out);
        query_diff(store, (const char *const[]){a->id, b->id}, score, false, out);
    }
    fputc('\n', out);
    put_losses(&comparison);
    heading("BLEU", out);
    struct compared_side scored[COMPARED] = {comparison.system[1].scores,
                                             comparison.system[0].scores};
    struct significance_options test = options->test;
    test.paired = are_paired(&comparison);
    put_significance(&comparison, scored, 2, &test);
    put_others(&comparison, &test);
    put_sheet(compare_lengths(&comparison), out);
    put_sheet(compare_frequencies(&comparison), out);
    if (options->tags) put_sheet(compare_tags(&comparison, options->tags), out);
    compare_sentences(&comparison, options->sentences);
    arena_free(&comparison.arena);
}
