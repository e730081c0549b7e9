/* sanlab work: what the runner starts, one process per stage. */
#include "experiments/stage/work.h"

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
    return work_stage(folder, verb_number(call, "--progress"), verb_number(call, "--team"));
}

static const struct verb_option options[] = {
    {.name = "--stage", .value = "FOLDER", .help = "the stage's folder"},
    {.name = "--describe", .help = "prints what this device computes with; no stage"},
    {.name = "--progress",
     .value = "NUMBER",
     .fallback = "-1",
     .low = -1,
     .high = 1023,
     .help = "file descriptor for lines of progress"},
    {.name = "--team",
     .value = "NUMBER",
     .fallback = "-1",
     .low = -1,
     .high = 1023,
     .help = "file descriptor of its threads (experiments/stage/team.h)"},
};

const struct verb verb_work = {
    .name = "work",
    .usage = "--stage FOLDER",
    .help = "one stage, in this process",
    .run = run,
    .device = true,
    .option = options,
    .options = COUNT_OF(options),
    .hidden = true,
};
