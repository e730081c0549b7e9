/* What was asked for is recorded before a stage starts: a run that is killed is known. */
#include "experiments/cli/plan_run.h"

#include "experiments/plan/plan_disk.h"
#include "results/table/links.h"

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

static void warn_older(const struct plan *plan)
{
    int older = 0;
    for (int i = 0; i < plan->count; i++)
        older += plan->task[i]->older && plan->task[i]->state == TASK_CACHED;
    if (older)
        warn("%d of %d stages were done by other code than this (plan says which; --stale rerun "
             "does them again)",
             older, plan->count);
}

int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force)
{
    plan_set_stale(arena, plan, stale);
    if (stale == STALE_WARN && !options->quiet) warn_older(plan);
    plan_estimate(arena, plan, false);
    plan_check_disk(arena, plan, force);
    plan_record_names(arena, plan);
    struct summary_grid summary = plan_summary(arena, plan);
    summary_record(plan->runs, record_name(arena, plan), &summary);
    links_write(plan->runs, &summary);
    return runner_run(arena, plan, options);
}
