/* sanlab gc: frees disk space. */
#include "experiments/cli/removal.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    verb_number(call, "--keep-optimizers"); /* dies if invalid, before anything is read */
    removal(call, stage_argument_store(call), NULL);
    return 0;
}

const struct verb verb_gc = {.name = "gc", .run = run};
