/* sanlab run: do what plan says. */
#include <string.h>

#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/runner.h"
#include "results/links.h"

/* A name for what was asked for: the digest of all stages. */
static const char *record_name(struct arena *arena, const struct plan *plan)
{
    struct digest digest;
    char text[DIGEST_TEXT];
    digest_open(&digest);
    for (int i = 0; i < plan->count; i++)
        digest_add(&digest, plan->task[i]->stage.id, DIGEST_TEXT - 1);
    digest_close(&digest, text);
    return arena_text_range(arena, text, 12);
}

static int run(struct verb_call *call)
{
    const char *retry = verb_value(call, "--retry");
    if (retry && strcmp(retry, "failed") != 0) die("run: --retry %s: expected \"failed\"", retry);
    const struct runner_options options = {
        .workers = verb_number(call, "-j"),
        .fail_fast = verb_switch(call, "--fail-fast"),
        .retry_failed = retry != NULL,
        .quiet = verb_switch(call, "--quiet"),
    };
    struct plan *plan = grid_argument_plan(call, retry != NULL);
    struct summary_grid summary = plan_summary(&call->arena, plan);
    summary_record(plan->runs, record_name(&call->arena, plan), &summary);
    links_write(plan->runs, &summary);
    return runner_run(&call->arena, plan, &options);
}

static const struct verb_option options[] = {
    {.name = "-j",
     .value = "NUMBER",
     .fallback = "0",
     .low = 0,
     .high = 256,
     .help = "workers at a time; 0: as many as cores or ready stages"},
    {.name = "--fail-fast", .help = "stop everything at the first failure"},
    {.name = "--retry", .value = "failed", .help = "repeat stages that failed earlier"},
};

const struct verb verb_run = {
    .name = "run",
    .usage = "GRID.yaml [key=value ...]",
    .help = "do what plan says; the same command again continues",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .more_help = grid_argument_help,
    .words_least = 1,
    .words_most = VERB_WORDS,
};
