/* sanlab gc: disk space back. */
#include "experiments/keep/gc.h"

#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number.h"
#include "results/store/collect.h"

static int run(struct verb_call *call)
{
    const int days = verb_number(call, "--keep-optimizers");
    struct store *store = stage_argument_store(call);
    struct gc_list list = gc_find(store, days, &call->arena);
    removal_print(call, &list);
    if (list.count && !verb_switch(call, "--dry-run") && removal_is_wanted(call, &list)) {
        collect_runs(store);
        const struct gc_list now = gc_find(store, days, &call->arena);
        int64_t bytes = gc_remove(store->runs, &list, &now);
        printf("%s bytes are free again\n", number_scaled(&call->arena, (double)bytes));
        collect_runs(store);
    }
    store_close(store);
    return 0;
}

static void more_help(FILE *out)
{
    fputs(
        "Removes stages that no grid has run with, no report cites, nobody has tagged and no such\n"
        "stage reads; optimizers of finished trainings; and files that killed processes left.\n"
        "Keeps models and results of all other stages, also without the file of the grid (sanlab\n"
        "forget). It prints a list and asks before it removes anything.\n",
        out);
}

const struct verb verb_gc = {
    .name = "gc",
    .usage = "",
    .help = "remove stages that no grid, report or tag needs, and leftovers; keep all other stages",
    .group = VERB_HOUSE,
    .run = run,
    .option = {VERB_SWITCH("--dry-run", "only say what may go"), REMOVAL_YES,
               VERB_NUMBER("--keep-optimizers", "0", 0, 36500,
                           "days for which a finished training keeps what a longer one goes on "
                           "from; 0: none")},
    .more_help = more_help,
};
