/* sanlab collect: run folders into the database. */
#include "experiments/cli/verbs.h"
#include "results/store/collect.h"
#include "results/store/store.h"

static int run(struct verb_call *call)
{
    const char *runs = verb_value(call, "--runs");
    struct collect_report report;
    store_need_runs(runs);
    if (verb_switch(call, "--rebuild")) {
        report = collect_rebuild(runs);
    } else {
        struct store *store = store_open(runs);
        report = collect_runs(store);
        store_close(store);
    }
    if (!verb_switch(call, "--quiet"))
        printf("%lld stages; %lld metrics and %lld events added in %.2f s; %lld unfinished lines, "
               "%lld bad ones\n",
               (long long)report.stages, (long long)report.metrics, (long long)report.events,
               report.seconds, (long long)report.torn, (long long)report.bad);
    return 0;
}

const struct verb verb_collect = {
    .name = "collect",
    .usage = "",
    .help = "bring the database up to date with the run folders",
    .run = run,
    .option = {VERB_SWITCH("--rebuild", "build the database anew from the run folders")},
};
