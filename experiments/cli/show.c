/* sanlab show: shows one stage in full. For a place in a grid, lists the stages, and shows the
 * training if there is only one. Compares two stages as `sanlab diff` does. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/grid/kind.h"
#include "results/query/query.h"

static void show_one(struct verb_call *call, struct store *store, const struct found_stage *stage)
{
    const bool all = verb_switch(call, "--all");
    query_show(store, stage->id, all ? stage_argument_defaults(&call->arena, stage->kind) : NULL,
               stdout);
}

static int run(struct verb_call *call)
{
    verb_take_changes(call, 1);
    if (call->words > 1) return verb_diff.run(call);
    struct store *store = stage_argument_store(call);
    struct found_stage *found;
    const char *word = call->word[0];
    const int ids = stage_search(call, word, NULL).ids;
    const int count = stage_search_all(call, store, word, NULL, &found);
    const struct found_stage *train = NULL;
    int trainings = 0;
    for (int i = 0; i < count && ids > 1; i++) {
        const struct stage_kind *kind = stage_kind_find(found[i].kind);
        if (!kind || !(kind->traits & KIND_SEEDED)) continue;
        train = &found[i];
        trainings++;
    }
    if (ids > 1) sheet_text(query_list(store, found, count, NULL, &call->arena), stdout);
    if (count < ids) printf("\n%d of %d stages have not begun.\n", ids - count, ids);
    if (trainings == 1) putchar('\n');
    if (trainings > 1)
        printf("\n%s/SEED shows one training, %s/SEED/KIND any stage.\n", word, word);
    else if (ids <= 1 || train)
        show_one(call, store, train ? train : found);
    return 0;
}

const struct verb verb_show = {.name = "show", .run = run};
