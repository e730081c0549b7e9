/* Prints the page of a comparison, part by part. */
#include "results/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/corpus/corpus_folder.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"

/* Reads BLEU of a system. Exits with an error if a score has no hypotheses, or is not comparable
 * with the first score of A. */
static void open_system(struct comparison *comparison, struct compare_system *system)
{
    struct arena *arena = &comparison->arena;
    const struct measure *bleu = offer_read_by(observations_bleu, &comparison->kind);
    system->of = ARENA_ARRAY(arena, const struct observations *, system->scores);
    for (int i = 0; i < system->scores; i++) {
        const struct observations *one = system->of[i] =
            observations_read(comparison->store, NULL, comparison->kind, system->id[i], bleu->name,
                              NULL, observations_bleu);
        const char *problem = one->problem ? one->problem : one->text->no_reference;
        if (problem) die("%s: %s", system->word, problem);
        if (!comparison->first) comparison->first = one;
        problem = comparison_problem(one, comparison->first, arena);
        if (problem)
            die("%s and %s cannot be compared: %s (%s; %s)", comparison->system[0].word,
                system->word, problem, comparison->first->signature, one->signature);
        system->runs += one->sets;
    }
}

/* Tests a metric of the score stages. Differences are B - A, so side[0] is B. */
static void put_test(struct comparison *comparison, const struct measure *measure,
                     const struct significance_options *options)
{
    struct arena *arena = &comparison->arena;
    FILE *out = comparison->out;
    struct compared_side side[COMPARED];
    struct comparing comparing = {.resamples = {.arena = arena, .options = *options},
                                  .paired = true};
    for (int k = 0; k < COMPARED; k++) {
        const struct compare_system *system = &comparison->system[!k],
                                    *other = &comparison->system[k];
        comparing.paired &= system->scores == other->scores;
        side[k] = (struct compared_side){
            .seeds = system->scores,
            .value = ARENA_ARRAY(arena, double, system->scores),
            .of = ARENA_ARRAY(arena, const struct observations *, system->scores)};
        for (int i = 0; i < system->scores; i++) {
            side[k].of[i] =
                observations_read(comparison->store, NULL, comparison->kind, system->id[i],
                                  measure->name, NULL, measure->observations);
            side[k].value[i] = side[k].of[i]->score;
            if (comparing.paired)
                comparing.paired = !strcmp(system->of[i]->text->train, other->of[i]->text->train);
        }
    }
    const struct paired_test test = comparison_of(&comparing, NULL, side, arena);
    fprintf(out, "\n%s\n", measure->header);
    if (test.problem) mask_line(out, "Not compared: %s.", test.problem);
    if (test.problem) return;
    fprintf(out, "A %s, B %s, n = %d and %d; B - A:\n",
            number_fixed(arena, test.result.known.b, measure->decimals),
            number_fixed(arena, test.result.known.a, measure->decimals), side[1].seeds,
            side[0].seeds);
    print_test(&test, measure->header, measure->decimals, arena, out);
    mask_line(out, "%s", side[1].of[0]->signature);
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

static void put_sentence(struct comparison *comparison, const struct sentence_gain *gain)
{
    struct arena scratch = {0};
    const int s = gain->sentence;
    const struct side *side = &comparison->corpus->split[comparison->split].side[SIDE_SOURCE];
    const struct compare_system *a = &comparison->system[0], *b = &comparison->system[1];
    const char *const text[][2] = {
        {"source",
         corpus_text(&scratch, comparison->corpus, SIDE_SOURCE, side->token + side->start[s],
                     (int)(side->start[s + 1] - side->start[s]))},
        {"reference", comparison->first->text->reference[s]},
        {"A", a->of[0]->text->hypothesis[0][s]},
        {"B", b->of[0]->text->hypothesis[0][s]}};
    fprintf(comparison->out, "line %d: A %s, B %s, %s\n", s + 1,
            number_fixed(&scratch, gain->bleu[0], 1), number_fixed(&scratch, gain->bleu[1], 1),
            number_signed(&scratch, gain->gain, 1));
    for (size_t i = 0; i < COUNT_OF(text); i++)
        mask_line(comparison->out, "  %-10s%s", text[i][0], text[i][1]);
    arena_free(&scratch);
}

/* Prints the first sentences of the list if `step` is 1, and its last ones if `step` is -1. */
static void put_gains(struct comparison *comparison, const char *title,
                      const struct sentence_gain *gain, int count, int step)
{
    fprintf(comparison->out, "\n%s, by mean BLEU; the first hypothesis of each\n", title);
    int shown = 0;
    for (; shown < count && step * gain->gain > 0; shown++, gain += step)
        put_sentence(comparison, gain);
    if (!shown) fputs("none\n", comparison->out);
}

static void put_sentences(struct comparison *comparison, int count)
{
    const int sentences = comparison->first->items;
    const struct observations_text *text = comparison->first->text;
    struct sentence_gain *gain = ARENA_ARRAY(&comparison->arena, struct sentence_gain, sentences);
    comparison->corpus = corpus_open(&comparison->arena, text->corpus_folder);
    while (strcmp(split_names[comparison->split], text->split) != 0) comparison->split++;
    for (int s = 0; s < sentences; s++) {
        gain[s].sentence = s;
        for (int k = 0; k < COMPARED; k++) {
            const struct compare_system *system = &comparison->system[k];
            for (int i = 0; i < system->scores; i++)
                for (int set = 0; set < system->of[i]->sets; set++)
                    gain[s].bleu[k] +=
                        bleu_sentence(&system->of[i]->text->stats[set][s]) / system->runs;
        }
        gain[s].gain = gain[s].bleu[1] - gain[s].bleu[0];
    }
    qsort(gain, (size_t)sentences, sizeof *gain, compare_gains);
    if (count > sentences) count = sentences;
    put_gains(comparison, "Largest gains of B over A", gain, count, 1);
    put_gains(comparison, "Largest losses of B against A", gain + sentences - 1, count, -1);
}

void compare_systems(struct store *store, struct compare_system system[COMPARED],
                     const struct compare_options *options, FILE *out)
{
    struct comparison comparison = {.store = store, .out = out, .system = system};
    for (int i = 0; i < COMPARED; i++) open_system(&comparison, &system[i]);
    for (int i = 0; i < COMPARED; i++) {
        const char *list = NULL;
        for (int k = 0; k < system[i].scores; k++)
            list = arena_append(&comparison.arena, list, ", ", system[i].of[k]->name);
        mask_line(out, "%c  %s: %s", 'A' + i, system[i].word, list);
    }
    const struct measure *measure = offer_measures(offer_of(comparison.kind));
    for (; measure->name; measure++)
        if (measure->observations) put_test(&comparison, measure, &options->test);
    if (options->tags) {
        fputc('\n', out);
        sheet_text(compare_words(&comparison, options->tags), out);
    }
    put_sentences(&comparison, options->sentences);
    arena_free(&comparison.arena);
}
