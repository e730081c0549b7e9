/* sanlab ls: the stages that there are. */
#include "experiments/cli/verbs.h"
#include "results/collect.h"
#include "results/query.h"

static int run(struct verb_call *call)
{
    struct store *store = store_open(verb_value(call, "--runs"));
    collect(store);
    sheet_text(query_list(store, &call->arena), stdout);
    store_close(store);
    return 0;
}

const struct verb verb_ls = {
    .name = "ls",
    .usage = "",
    .help = "the stages that there are, newest first",
    .run = run,
};
