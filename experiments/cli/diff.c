/* sanlab diff: compares two stages. */
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    verb_take_changes(call, 0);
    if (call->words != 2) die("%s: expected two stages, got %d", call->verb->name, call->words);
    struct store *store = stage_argument_store(call);
    struct found_stage stage[2];
    const char *id[2];
    const char *defaults[2];
    for (int i = 0; i < 2; i++) {
        stage[i] = stage_search_one(call, store, call->word[i], NULL);
        id[i] = stage[i].id;
        defaults[i] = stage_argument_defaults(&call->arena, stage[i].kind);
    }
    query_diff(store, id, defaults, verb_switch(call, "--all"), stdout);
    return 0;
}

const struct verb verb_diff = {.name = "diff", .run = run};
