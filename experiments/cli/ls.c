/* sanlab ls: the stages that there are. */
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query.h"

static int run(struct verb_call *call)
{
    static const char *const formats[] = {"text", "csv", "json", NULL};
    const char *filter = call->words ? call->word[0] : NULL;
    for (int i = 1; i < call->words; i++)
        filter = arena_print(&call->arena, "%s %s", filter, call->word[i]);
    enum query_format format = (enum query_format)verb_choice(call, "--format", formats);
    struct store *store = stage_argument_store(call);
    query_print(store, filter, format, stdout);
    store_close(store);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--format", .value = "WORD", .fallback = "text", .help = "text, csv or json"},
};

const struct verb verb_ls = {
    .name = "ls",
    .usage = "['FILTER']",
    .help = "the stages that there are, newest first; FILTER: 'kind=train and dev_loss<2'",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_most = VERB_WORDS,
};
