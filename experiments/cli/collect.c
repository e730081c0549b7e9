/* sanlab collect: reads run folders into the database. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/verbs.h"
#include "results/store/collector.h"
#include "results/store/store.h"

enum { COLLECT_REFUSED = 1 }; /* exit status: a file cannot be written */

static int run(struct verb_call *call)
{
    const char *runs = verb_value(call, "--runs");
    struct collect_report report;
    bool kept = true;
    store_need_runs(runs);
    if (verb_switch(call, "--rebuild")) {
        report = collect_rebuild(runs);
        if (report.locked) return INTERRUPTED_EXIT;
    } else {
        struct store *store = store_open(runs);
        kept = collect_try(store, &report);
        store_close(store);
    }
    if (!kept) {
        if (eaccess(runs, W_OK) != 0)
            warn("%s: cannot be written: %s; nothing is added to the database", runs,
                 strerror(errno));
        return store_patience() > 0 ? COLLECT_REFUSED : INTERRUPTED_EXIT;
    }
    if (!verb_switch(call, "--quiet"))
        printf("%lld stages; %lld metrics and %lld events added in %.2f s; %lld unfinished lines, "
               "%lld bad ones\n",
               (long long)report.stages, (long long)report.metrics, (long long)report.events,
               report.seconds, (long long)report.torn, (long long)report.bad);
    return 0;
}

const struct verb verb_collect = {.name = "collect", .run = run};
