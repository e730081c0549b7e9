#include "experiments/cli/stage_argument.h"

#include "results/collect.h"

struct store *stage_argument_store(struct verb_call *call)
{
    struct store *store = store_open(verb_value(call, "--runs"));
    collect(store);
    return store;
}

struct found stage_argument(struct verb_call *call, const char *word, const char *kind)
{
    struct store *store = stage_argument_store(call);
    struct found found = find_stage(store, word, kind, &call->arena);
    store_close(store);
    return found;
}
