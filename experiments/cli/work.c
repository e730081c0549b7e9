/* sanlab work: computes one stage in a process that the runner starts. */
#include "experiments/stage/stage_work.h"

#include "core/model/device_choice.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/environment.h"

static int run(struct verb_call *call)
{
    const char *folder = verb_value(call, "--stage");
    if (verb_switch(call, "--describe")) {
        json_auto_t *environment = environment_describe(device_used());
        json_dumpf(environment, stdout, 0);
        return 0;
    }
    if (!folder) die("work: the stage is missing; expected --stage FOLDER");
    return stage_work_do(folder, verb_number(call, "--progress"), verb_number(call, "--team"),
                         verb_value(call, "--continue"));
}

const struct verb verb_work = {.name = "work", .hidden = true, .run = run};
