/* sanlab ls: the stages that there are. */
#include "experiments/cli/verbs.h"
#include "results/collect.h"
#include "results/query.h"

static int run(struct verb_call *call)
{
    const char *filter = call->words ? call->word[0] : NULL;
    for (int i = 1; i < call->words; i++)
        filter = arena_print(&call->arena, "%s %s", filter, call->word[i]);
    struct store *store = store_open(verb_value(call, "--runs"));
    collect(store);
    sheet_text(query_list(store, filter, &call->arena), stdout);
    store_close(store);
    return 0;
}

const struct verb verb_ls = {
    .name = "ls",
    .usage = "['FILTER']",
    .help = "the stages that there are, newest first; FILTER: 'kind=train and dev_loss<2'",
    .run = run,
    .words_most = VERB_WORDS,
};
