/* sanlab work: what the runner starts, one process per stage. */
#include "experiments/stage/stage_work.h"

#include "core/model/device.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/environment.h"

static int run(struct verb_call *call)
{
    const char *folder = verb_value(call, "--stage");
    if (verb_switch(call, "--describe")) {
        json_t *environment = environment_describe(device_used());
        json_dumpf(environment, stdout, 0);
        json_decref(environment);
        return 0;
    }
    if (!folder) die("work: which stage? (--stage FOLDER)");
    return stage_work_do(folder, verb_number(call, "--progress"), verb_number(call, "--team"),
                         verb_value(call, "--continue"));
}

const struct verb verb_work = {
    .name = "work",
    .usage = "--stage FOLDER",
    .help = "one stage, in this process",
    .hidden = true,
    .run = run,
    .wordless = true,
    .device = true,
    .option = {VERB_VALUE("--stage", "FOLDER", "the stage's folder"),
               VERB_VALUE("--continue", "STAGE",
                          "a shorter training beside it that it goes on from"),
               VERB_SWITCH("--describe", "prints what this device computes with; no stage"),
               VERB_NUMBER("--progress", "-1", -1, 1023, "file descriptor for lines of progress"),
               VERB_NUMBER("--team", "-1", -1, 1023,
                           "file descriptor of its threads (experiments/stage/team.h)")},
};
