/* sanlab show: one stage whole. */
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query.h"

static int run(struct verb_call *call)
{
    struct store *store = stage_argument_store(call);
    query_show(store, find_stage(store, call->word[0], NULL, &call->arena).id, stdout);
    store_close(store);
    return 0;
}

const struct verb verb_show = {
    .name = "show",
    .usage = "STAGE",
    .help = "one stage whole: options, results, learning curve, environment, failure",
    .run = run,
    .words_least = 1,
    .words_most = 1,
};
