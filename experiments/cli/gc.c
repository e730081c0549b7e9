/* sanlab gc: disk space back. */
#include "experiments/keep/gc.h"

#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static struct gc_list find(struct verb_call *call, struct store *store, void *asked)
{
    (void)asked;
    return gc_find(store, verb_number(call, "--keep-optimizers"), &call->arena);
}

static int run(struct verb_call *call)
{
    verb_number(call, "--keep-optimizers"); /* dies before anything is read */
    store_need_runs(verb_value(call, "--runs"));
    removal(call, stage_argument_store(call), find, NULL);
    return 0;
}

const struct verb verb_gc = {
    .name = "gc",
    .usage = "",
    .help = "remove stages that no grid, report or tag needs, and leftovers; keep all other stages",
    .run = run,
    .wordless = true,
    .option = {VERB_SWITCH("--dry-run", "only say what may go"), REMOVAL_YES,
               VERB_NUMBER("--keep-optimizers", "0", 0, 36500,
                           "days for which a finished training keeps what a longer one goes on "
                           "from; 0: none")},
    .text = {"gc"},
};
