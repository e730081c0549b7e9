/* sanlab rm: stages away, of a place in a grid or one, with what reads them. */
#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/keep/remove.h"
#include "results/sheet/number.h"
#include "results/store/collect.h"

enum { RM_KEPT = 1 }; /* exit status: nothing of it may go */

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    verb_take_one(call, "place or stage");
    struct store *store = stage_argument_store(call);
    struct found_stage *found;
    struct remove_wish wish = {0};
    const char **other, **whose, *word = call->word[0];
    wish.count = stage_place_all(call, store, word, NULL, &found);
    const char **id = ARENA_ARRAY(arena, const char *, wish.count);
    for (int i = 0; i < wish.count; i++) id[i] = found[i].id;
    wish.id = id;
    wish.others = stage_place_others(call, word, &wish.grid, &other, &whose);
    wish.other = other;
    wish.whose = whose;
    struct remove_plan plan = remove_find(store, &wish, arena);
    for (int i = 0; i < plan.keeps; i++)
        printf("%s stays: %s\n", plan.kept[i].folder, plan.kept[i].reason);
    removal_print(call, &plan.list);
    if (plan.list.count && removal_is_wanted(call, &plan.list)) {
        collect_runs(store);
        const struct remove_plan now = remove_find(store, &wish, arena);
        const int64_t bytes = gc_remove(store->runs, &plan.list, &now.list);
        printf("%s bytes are free again\n", number_scaled(arena, (double)bytes));
        collect_runs(store);
    }
    store_close(store);
    return plan.list.count ? 0 : RM_KEPT;
}

static void more_help(FILE *out)
{
    fputs(
        "What reads a stage that goes, goes with it. What another grid needs, or another row of\n"
        "this one, what a report cites and what somebody works on stays, and the reason is said.\n"
        "Without --yes it asks. `run` does again what a grid lacks; `forget` and then `gc` remove\n"
        "all of a grid that nothing else needs.\n",
        out);
}

const struct verb verb_rm = {
    .name = "rm",
    .usage = "GRID/ROW[/SEED]|STAGE [key=value ...]",
    .help = "remove the stages of a row, or one stage with what reads it",
    .group = VERB_HOUSE,
    .run = run,
    .option = {REMOVAL_YES},
    .more_help = more_help,
    .words = {1, VERB_WORDS},
};
