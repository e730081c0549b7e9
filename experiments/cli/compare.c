/* sanlab compare: compares the translations of two scored systems. */
#include "results/compare/compare.h"

#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/store/offer.h"

/* Finds the score stages that a word selects: those of a row, or a single one. */
static struct compare_system find_system(struct verb_call *call, struct store *store,
                                         const char *word)
{
    const char *kind;
    struct found_stage *found;
    CHECK(offer_read_by(observations_bleu, &kind), "no kind of stage has BLEU");
    const int count = stage_search_all(call, store, word, kind, &found);
    const char **id = ARENA_ARRAY(&call->arena, const char *, count);
    for (int i = 0; i < count; i++) id[i] = found[i].id;
    return (struct compare_system){.word = word, .scores = count, .id = id};
}

static int run(struct verb_call *call)
{
    const struct compare_options options = {
        .tags = verb_value(call, "--tags"),
        .sentences = verb_number(call, "--sentences"),
        .test = {.samples = verb_number(call, "--samples"),
                 .seed = (uint32_t)verb_number(call, "--seed")}};
    struct compare_system system[COMPARED];
    verb_take_changes(call, 0);
    if (call->words != COMPARED)
        die("compare: expected two systems, as in GRID/ROW GRID/ROW, got %d", call->words);
    struct store *store = stage_argument_store(call);
    for (int i = 0; i < COMPARED; i++) system[i] = find_system(call, store, call->word[i]);
    compare_systems(store, system, &options, stdout);
    return 0;
}

const struct verb verb_compare = {.name = "compare", .run = run};
