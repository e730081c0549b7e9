/* sanlab compare: what two scored systems do differently. */
#include "results/compare/compare.h"

#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    const struct compare_options options = {
        .tags = verb_value(call, "--tags"),
        .sentences = verb_number(call, "--sentences"),
        .test = {.samples = verb_number(call, "--samples"),
                 .trials = 10000,
                 .seed = (uint32_t)verb_number(call, "--seed")},
        .train = stage_argument_defaults(&call->arena, "train"),
        .score = stage_argument_defaults(&call->arena, "score"),
    };
    struct store *store = stage_argument_store(call);
    compare(store, call->word, &options, stdout);
    store_close(store);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--tags",
     .value = "FILE",
     .help = "a line per sentence, one tag per word of its reference"},
    {.name = "--sentences",
     .value = "NUMBER",
     .fallback = "5",
     .low = 0,
     .high = 10000,
     .help = "shown of the largest gains and losses"},
    {.name = "--samples",
     .value = "NUMBER",
     .fallback = "1000",
     .low = 1,
     .high = 1e6,
     .help = "of the bootstrap"},
    {.name = "--seed",
     .value = "NUMBER",
     .fallback = "12345",
     .low = 1,
     .high = INT32_MAX,
     .help = "of the samples"},
};

const struct verb verb_compare = {
    .name = "compare",
    .usage = "A B    (score or train stages, or GRID/ROW)",
    .help = "what two systems do differently: options, losses, words, sentences, significance",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_least = 2,
    .words_most = 2,
};
