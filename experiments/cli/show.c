/* sanlab show: shows one stage in full. For a place in a grid, lists the stages. Compares two
 * stages as `sanlab diff` does. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query/query.h"

static int run(struct verb_call *call)
{
    verb_take_changes(call, 1);
    if (call->words > 1) return verb_diff.run(call);
    struct store *store = stage_argument_store(call);
    struct found_stage *found;
    const char *word = call->word[0];
    const int ids = stage_search(call, word, NULL).ids;
    const int count = stage_search_all(call, store, word, NULL, &found);
    if (ids > 1) sheet_text(query_list(store, found, count, NULL, &call->arena), stdout);
    if (count < ids) printf("\n%d of %d stages have not begun.\n", ids - count, ids);
    if (ids > 1) return 0;
    const char *defaults =
        verb_switch(call, "--all") ? stage_argument_defaults(&call->arena, found->kind) : NULL;
    query_show(store, found->id, defaults, stdout);
    return 0;
}

const struct verb verb_show = {.name = "show", .run = run};
