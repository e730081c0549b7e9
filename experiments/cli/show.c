/* A stage is found by its id, its folder or what people call it; a query prints all of it. */
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query/query.h"

static int run(struct verb_call *call)
{
    struct store *store = stage_argument_store(call);
    struct found_stage stage = find_stage(store, call->word[0], NULL, &call->arena);
    bool all = verb_switch(call, "--all");
    query_show(store, stage.id, all ? stage_argument_defaults(&call->arena, stage.kind) : NULL,
               stdout);
    store_close(store);
    return 0;
}

const struct verb verb_show = {
    .name = "show",
    .usage = "STAGE",
    .help = "one stage whole: options, results, learning curve, environment, failure",
    .run = run,
    .option = {VERB_SWITCH("--all", "also the options that were not given, with their defaults")},
    .words = {1, 1},
};
