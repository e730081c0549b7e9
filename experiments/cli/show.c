/* sanlab show: one stage whole. */
#include "experiments/cli/verbs.h"
#include "results/collect.h"
#include "results/query.h"

static int run(struct verb_call *call)
{
    struct store *store = store_open(verb_value(call, "--runs"));
    collect(store);
    query_show(store, query_find(store, call->word[0], &call->arena), stdout);
    store_close(store);
    return 0;
}

const struct verb verb_show = {
    .name = "show",
    .usage = "ID",
    .help = "one stage whole: options, results, learning curve, environment, failure",
    .run = run,
    .words_least = 1,
    .words_most = 1,
};
