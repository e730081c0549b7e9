/* sanlab verify: verifies that results have not changed since they were computed. */
#include "experiments/keep/verify_runs.h"

#include "core/base/progress.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

enum { VERIFY_FOUND = 1 }; /* exit status if there are problems */

static int run(struct verb_call *call)
{
    struct found_stage *stage;
    progress_quiet(verb_switch(call, "--quiet"));
    struct store *store = stage_argument_store(call);
    struct grid grid;
    int count = stage_argument_choose(call, store, 0, &stage, &grid);
    struct verify_report report = verify_stages(store, stage, count, stdout);
    if (!verb_switch(call, "--quiet")) {
        printf("%d stages, %lld digests, %d scored again: %d problem%s", report.stages,
               (long long)report.files, report.recomputed, report.problems,
               report.problems == 1 ? "" : "s");
        if (report.working) printf(" (%d at work, not judged)", report.working);
        if (report.unchecked)
            printf(" (%d unchecked metrics.jsonl: an older program recorded no digest)",
                   report.unchecked);
        if (report.left_out)
            printf(" (%d checks not made: the archive leaves out their files)", report.left_out);
        putchar('\n');
    }
    return report.problems ? VERIFY_FOUND : 0;
}

const struct verb verb_verify = {.name = "verify", .run = run};
