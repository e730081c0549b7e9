/* Prints the page of a comparison, part by part. */
#include "results/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/corpus/corpus_folder.h"
#include "results/compare/compare_parts.h"
#include "results/compare/print_test.h"
#include "results/query/find_stage.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"

/* ---- systems: an argument is GRID/ROW, a score, or a training with one score ---- */

static const char of_training[] =
    "SELECT position, id FROM input JOIN stage ON stage = number WHERE input = ?1 AND kind = ?2 "
    "ORDER BY id";

/* Appends the observations of a score's value to a side. */
static void add_score(struct comparison *comparison, const struct measure *measure, const char *id,
                      struct compared_side *side)
{
    int values = side->seeds;
    ARENA_MORE(&comparison->arena, side->value, values);
    ARENA_MORE(&comparison->arena, side->of, side->seeds);
    side->of[side->seeds] = observations_read(comparison->store, NULL, comparison->kind, id,
                                              measure->name, NULL, measure->observations);
    side->value[side->seeds] = side->of[side->seeds]->score;
    side->seeds++;
}

static void find_scores(struct comparison *comparison, struct compare_system *system)
{
    struct arena *arena = &comparison->arena;
    struct store *store = comparison->store;
    struct found_stage found;
    const char *list = "";
    if (find_stage_try(store, system->word, comparison->kind, &found, arena)) {
        add_score(comparison, comparison->measure, found.id, &system->scores);
        return;
    }
    const struct offer *trains = offer_that_trains();
    if (!trains || !find_stage_try(store, system->word, trains->kind, &found, arena)) {
        found = find_stage(store, system->word, NULL, arena);
        die("%s is a stage of kind %s; expected a score stage, a train stage, or GRID/ROW",
            found.folder, found.kind);
    }
    sqlite3_stmt *ask = store_ask(store, of_training, "ss", found.id, comparison->kind);
    while (store_next(ask))
        add_score(comparison, comparison->measure, store_text(ask, 1, arena), &system->scores);
    for (int i = 0; i < system->scores.seeds; i++)
        list = arena_print(arena, "%s %s", list, system->scores.of[i]->name);
    if (system->scores.seeds > 1)
        die("%s has several scores; name one of them:%s", found.folder, list);
    if (!system->scores.seeds)
        die("%s has no score yet; `sanlab run` of its grid computes one", found.folder);
}

/* Finds the score stages of a system from its argument. */
static void find_system(struct comparison *comparison, struct compare_system *system,
                        const struct compare_scores *place)
{
    struct arena *arena = &comparison->arena;
    for (int i = 0; i < place->count; i++)
        add_score(comparison, comparison->measure, place->id[i], &system->scores);
    if (!place->count) find_scores(comparison, system);
    const struct compared_side *side = &system->scores;
    const char *problems = NULL;
    for (int i = 0; i < side->seeds; i++) {
        if (side->of[i]->problem)
            problems = arena_append(arena, problems, "; ", side->of[i]->problem);
        else if (side->of[i]->text->no_reference)
            problems = arena_append(arena, problems, "; ", side->of[i]->text->no_reference);
        system->runs += side->of[i]->sets;
    }
    if (problems) die("%s: %s", system->word, problems);
    system->hypothesis = ARENA_ARRAY(arena, const char *const *, system->runs);
    system->stats = ARENA_ARRAY(arena, const struct bleu_stats *, system->runs);
    for (int i = 0, run = 0; i < side->seeds; i++)
        for (int set = 0; set < side->of[i]->sets; set++, run++) {
            system->hypothesis[run] = side->of[i]->text->hypothesis[set];
            system->stats[run] = side->of[i]->text->stats[set];
        }
}

static void open_comparison(struct comparison *comparison, const char *const word[COMPARED],
                            const struct compare_scores place[COMPARED])
{
    comparison->measure = offer_read_by(observations_bleu, &comparison->kind);
    CHECK(comparison->measure, "no kind of stage has BLEU");
    for (int i = 0; i < COMPARED; i++) {
        comparison->system[i].word = word[i];
        find_system(comparison, &comparison->system[i], &place[i]);
    }
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

/* ---- the parts of the page ---- */

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

/* SQL: the training losses of two trainings at the steps that both have logged. */
#define BOTH_LOSSES                                                                                \
    "FROM value AS a JOIN value AS b ON a.step = b.step WHERE a.name = 'loss' AND b.name = "       \
    "'loss' AND a.stage = (SELECT number FROM stage WHERE id = ?1) AND b.stage = (SELECT number "  \
    "FROM stage WHERE id = ?2)"
static const char losses_count[] = "SELECT count(*), max(a.step) " BOTH_LOSSES;
static const char losses_part[] = "SELECT a.step, a.value, b.value " BOTH_LOSSES
                                  " AND a.value IS NOT b.value ORDER BY a.step LIMIT 1";

/* Compares the training losses of the first seeds of the two systems. */
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
        fprintf(out, "Training losses first differ at step %lld: %s and %s.\n",
                (long long)sqlite3_column_int64(ask, 0),
                number_fixed(&scratch, store_real(ask, 1), 6),
                number_fixed(&scratch, store_real(ask, 2), 6));
    else
        fprintf(out,
                "Training losses are equal at all %lld steps that both logged, up to step %lld.\n",
                (long long)steps, (long long)last);
    store_finish(ask);
    arena_free(&scratch);
}

/* True if both systems have the same trainings, seed by seed: one model, scored in two ways. */
static bool are_paired(const struct comparison *comparison)
{
    const struct compared_side *a = &comparison->system[0].scores,
                               *b = &comparison->system[1].scores;
    bool paired = a->seeds == b->seeds;
    for (int i = 0; i < a->seeds && paired; i++)
        paired = !strcmp(a->of[i]->text->train, b->of[i]->text->train);
    return paired;
}

/* Prints the tests. side[0] is B and side[1] is A, because differences are B - A. */
static void put_significance(struct comparison *comparison, struct compared_side side[COMPARED],
                             const char *unit, int decimals,
                             const struct significance_options *options)
{
    struct arena *arena = &comparison->arena;
    FILE *out = comparison->out;
    struct comparing comparing = {.resamples = {.arena = arena, .options = *options},
                                  .paired = are_paired(comparison)};
    const struct paired_test test = comparison_of(&comparing, NULL, side, true, arena);
    if (test.problem) mask_line(out, "Not compared: %s.", test.problem);
    if (test.problem) return;
    fprintf(out, "A %s, B %s, n = %d and %d; B - A:\n",
            number_fixed(arena, test.result.known.b, decimals),
            number_fixed(arena, test.result.known.a, decimals), side[1].seeds, side[0].seeds);
    print_test(&test, unit, decimals, options, arena, out);
    mask_line(out, "%s", side[1].of[0]->signature);
}

/* Tests every measure of the score stages that has observations; BLEU is the first. */
static void put_tests(struct comparison *comparison, const struct significance_options *options)
{
    const struct measure *measure = offer_measures(offer_of(comparison->kind));
    for (; measure->name; measure++) {
        if (!measure->observations) continue;
        struct compared_side side[COMPARED] = {{0}};
        for (int i = 0; i < COMPARED; i++) {
            const struct compared_side *scored = &comparison->system[COMPARED - 1 - i].scores;
            for (int k = 0; k < scored->seeds; k++)
                add_score(comparison, measure, scored->of[k]->id, &side[i]);
        }
        heading(measure->header, comparison->out);
        put_significance(comparison, side, measure->header, measure->decimals, options);
    }
}

/* ---- sentences by gain: both ends of one sorted list ---- */

/* A sentence, and its BLEU in both systems: the mean over the runs of a system. */
struct sentence_gain {
    int sentence;
    double bleu[COMPARED], gain;
};

static int compare_gains(const void *a, const void *b)
{
    const struct sentence_gain *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->sentence - y->sentence;
}

static void put_line(const char *name, const char *text, FILE *out)
{
    fprintf(out, "  %-10s", name);
    sheet_put(text, out);
    fputc('\n', out);
}

static void put_sentence(struct comparison *comparison, const struct sentence_gain *gain)
{
    struct arena scratch = {0};
    FILE *out = comparison->out;
    const int s = gain->sentence;
    const struct side *side = &comparison->corpus->split[comparison->split].side[SIDE_SOURCE];
    fprintf(out, "line %d: A %s, B %s, %s\n", s + 1, number_fixed(&scratch, gain->bleu[0], 1),
            number_fixed(&scratch, gain->bleu[1], 1), number_signed(&scratch, gain->gain, 1));
    put_line("source",
             corpus_text(&scratch, comparison->corpus, SIDE_SOURCE, side->token + side->start[s],
                         (int)(side->start[s + 1] - side->start[s])),
             out);
    put_line("reference", comparison->reference[s], out);
    put_line("A", comparison->system[0].hypothesis[0][s], out);
    put_line("B", comparison->system[1].hypothesis[0][s], out);
    arena_free(&scratch);
}

static void put_gains(struct comparison *comparison, const char *title,
                      const struct sentence_gain *gain, int count, int step)
{
    FILE *out = comparison->out;
    const bool several = comparison->system[0].runs > 1 || comparison->system[1].runs > 1;
    fprintf(out, "\n%s%s\n", title, several ? " (mean BLEU; the first hypothesis of each)" : "");
    int shown = 0;
    for (; shown < count && step * gain->gain > 0; shown++, gain += step)
        put_sentence(comparison, gain);
    if (!shown) fputs("none\n", out);
}

static void put_sentences(struct comparison *comparison, int count)
{
    const int sentences = comparison->sentences;
    struct sentence_gain *gain = heap_alloc(sizeof *gain * (size_t)sentences);
    for (int s = 0; s < sentences; s++) {
        gain[s].sentence = s;
        for (int i = 0; i < COMPARED; i++) {
            const struct compare_system *system = &comparison->system[i];
            for (int run = 0; run < system->runs; run++)
                gain[s].bleu[i] += bleu_sentence(&system->stats[run][s]) / system->runs;
        }
        gain[s].gain = gain[s].bleu[1] - gain[s].bleu[0];
    }
    qsort(gain, (size_t)sentences, sizeof *gain, compare_gains);
    if (count > sentences) count = sentences;
    put_gains(comparison, "Largest gains of B over A, BLEU of the sentence", gain, count, 1);
    put_gains(comparison, "Largest losses of B against A", gain + sentences - 1, count, -1);
    free(gain);
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
    put_tests(&comparison, &options->test);
    put_sheet(compare_lengths(&comparison), out);
    put_sheet(compare_frequencies(&comparison), out);
    if (options->tags) put_sheet(compare_tags(&comparison, options->tags), out);
    put_sentences(&comparison, options->sentences);
    arena_free(&comparison.arena);
}
