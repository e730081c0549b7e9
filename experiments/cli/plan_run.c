/* Runs a plan. The plan is recorded before a stage starts, so that a run that is killed also has a
 * record. */
#include "experiments/cli/plan_run.h"

#include <string.h>

#include "core/base/json_file.h"
#include "core/base/mask_output.h"
#include "experiments/plan/plan.h"
#include "results/table/links.h"
#include "experiments/grid/grid_record.h"

/* Returns a name for the record: digits of a digest of all stages' ids and the name of the grid's
 * file. */
static const char *record_name(struct arena *arena, const struct plan *plan)
{
    struct digest digest;
    char text[DIGEST_TEXT];
    digest_open(&digest);
    for (int i = 0; i < plan->total; i++)
        digest_add(&digest, plan->all[i]->stage.id, DIGEST_TEXT - 1);
    if (plan->grid->file) digest_add(&digest, plan->grid->file, strlen(plan->grid->file));
    digest_close(&digest, text);
    return arena_text_range(arena, text, 12);
}

static void warn_older(const struct plan *plan)
{
    int older = 0, begun = 0;
    PLAN_EACH(plan, task) {
        older += task->older && task->state == TASK_DONE;
        begun += task->older && task->state == TASK_STOPPED;
    }
    if (older)
        warn("%d of %d stages were done by other code (`sanlab plan` names them; --stale rerun "
             "does them again)",
             older, plan->count);
    if (begun)
        warn("%d of %d stages were begun by other code and continue (`sanlab plan` names them; "
             "--stale rerun restarts them)",
             begun, plan->count);
}

/* Prints the programs that a grid starts, before the first stage starts. */
static void say_programs(struct arena *arena, const struct plan *plan, enum display_form form)
{
    struct plan_program *program;
    const int count = plan_programs(arena, plan, &program);
    struct display display;
    if (form == DISPLAY_JSON) display_open(&display, form, false, stderr);
    for (int i = 0; i < count; i++) {
        if (form != DISPLAY_JSON) {
            mask_line(stderr, "sanlab: %s", program[i].line);
            continue;
        }
        json_t *words = json_array();
        for (int w = 0; w < program[i].words->count; w++)
            json_array_append_new(words, json_file_text(program[i].words->text[w]));
        display_say(&display, true,
                    json_pack("{s:s, s:s, s:i, s:o}", "event", "program", "kind", program[i].title,
                              "stages", program[i].stages, "words", words),
                    "%s", program[i].line);
    }
}

/* Prints the missing files and dies before any stage starts. Otherwise a stage could fail for this
 * reason after hours. */
static void check_files(struct arena *arena, const struct plan *plan, bool force, bool all)
{
    const struct plan_missing missing = plan_missing(arena, plan, all);
    for (int i = 0; i < missing.lines; i++) mask_line(stderr, "sanlab: %s", missing.line[i]);
    if (missing.stages && !force)
        die("%s: nothing was started: %d of %d stages wait for missing files%s", plan->grid->name,
            missing.stages, plan->count,
            missing.stages < plan->count ? " (run --force does the other stages)" : "");
}

void plan_run_check(struct arena *arena, struct plan *plan, const struct runner_options *options,
                    bool measure, enum plan_stale stale, bool force)
{
    const bool quiet = options->quiet;
    plan_set_stale(arena, plan, stale);
    if (stale == STALE_WARN && !quiet) warn_older(plan);
    if (!quiet) plan_warn_idle(plan);
    say_programs(arena, plan, options->form);
    check_files(arena, plan, force, options->all);
    plan_estimate(arena, plan, measure);
    plan_check_halving(arena, plan);
    if (!quiet) plan_warn_pieces(arena, plan);
    plan_check_disk(arena, plan, force);
}

int plan_run(struct arena *arena, struct plan *plan, const struct runner_options *options,
             enum plan_stale stale, bool force)
{
    plan_run_check(arena, plan, options, false, stale, force);
    plan_record_names(arena, plan, options->quiet);
    struct grid summary = *plan->grid;
    record_write(plan->runs, record_name(arena, plan), &summary);
    if (summary.incomplete) record_recall(plan->runs, &summary, arena);
    summary = grid_with_trials(&summary, arena);
    links_write(plan->runs, &summary);
    return runner_run(arena, plan, options);
}
