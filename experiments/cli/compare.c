/* sanlab compare: compares the translations of two scored systems. */
#include "results/compare/compare.h"

#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Returns the ids of the score stages at a place in a grid; no ids if the word is a stage. */
static struct compare_scores find_place(struct verb_call *call, struct store *store,
                                        const char *word)
{
    const char *kind;
    struct found_stage *found;
    const struct measure *measure = offer_read_by(observations_bleu, &kind);
    CHECK(measure, "no kind of stage has BLEU");
    const struct stage_place place = stage_search(call, word, kind);
    /* Dies if the word selects no stage. The kind of a single stage is checked later. */
    if (!place.ids && stage_search_all(call, store, word, NULL, &found) > 1)
        die("%s has no scores: its grid has no evaluate.%s", word, measure->name);
    return (struct compare_scores){place.ids, place.id};
}

static int run(struct verb_call *call)
{
    struct compare_options options = {
        .tags = verb_value(call, "--tags"),
        .sentences = verb_number(call, "--sentences"),
        .test = {.samples = verb_number(call, "--samples"),
                 .trials = 10000,
                 .seed = (uint32_t)verb_number(call, "--seed")},
        .train = stage_argument_defaults(&call->arena, "train"),
        .score = stage_argument_defaults(&call->arena, "score"),
    };
    verb_take_changes(call, 0);
    if (call->words != 2)
        die("compare: expected two systems, as in GRID/ROW GRID/ROW, got %d", call->words);
    struct store *store = stage_argument_store(call);
    for (int i = 0; i < 2; i++) options.place[i] = find_place(call, store, call->word[i]);
    compare_systems(store, call->word, &options, stdout);
    return 0;
}

const struct verb verb_compare = {.name = "compare", .run = run};
