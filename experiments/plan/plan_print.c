/* What stands below the stages of a plan: states, costs, warnings. */
#include <string.h>

#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "core/base/table.h"
#include "experiments/plan/plan_disk.h"
#include "experiments/plan/plan_missing.h"
#include "experiments/plan/plan_rows.h"
#include "experiments/plan/plan_schedule.h"
#include "experiments/plan/plan_text.h"
#include "experiments/stage/machine.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

enum { FAILURES = 5 }; /* that are told in whole */

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_states(const struct plan *plan, FILE *out)
{
    int count[TASK_STATES] = {0};
    for (int i = 0; i < plan->count; i++) count[plan->task[i]->state]++;
    fprintf(out, "\n%d stage%s:", plan->count, plural(plan->count));
    for (int i = 0, comma = 0; i < TASK_STATES; i++)
        if (count[i]) fprintf(out, "%s %d %s", comma++ ? "," : "", count[i], task_state_names[i]);
    fputc('\n', out);
}

static void print_failures(const struct plan *plan, FILE *out)
{
    int count = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (task->state == TASK_FAILED && count++ < FAILURES)
            mask_line(out, "!! %s: %s", task->stage.name, task->reason);
    }
    if (count > FAILURES) fprintf(out, "!! and %d more that failed\n", count - FAILURES);
}

/* "to do: 4 train, 12 score" */
static void print_kinds(const struct plan *plan, FILE *out)
{
    int comma = 0;
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
        int count = 0;
        for (int i = 0; i < plan->count; i++)
            count += plan->task[i]->stage.kind == *kind && plan_will_run(plan->task[i]);
        if (count) fprintf(out, "%s%d %s", comma++ ? ", " : "to do: ", count, (*kind)->name);
    }
}

static void print_time(struct arena *arena, const struct plan *plan, int workers,
                       const struct plan_schedule *schedule, FILE *out)
{
    print_kinds(plan, out);
    fprintf(out, "; about %s (%s to %s) with ", number_seconds(arena, schedule->seconds),
            number_seconds(arena, schedule->seconds * schedule->low),
            number_seconds(arena, schedule->seconds * schedule->high));
    const int count = workers ? workers : machine_cores();
    fprintf(out, "%d %s%s; %s of core time", count, workers ? "worker" : "core", plural(count),
            number_seconds(arena, schedule->core_seconds));
    if (schedule->saved > 0.01 * schedule->core_seconds)
        fprintf(out, ", %s saved by sharing", number_seconds(arena, schedule->saved));
    fputc('\n', out);
}

/* The chain of stages that takes longest, one core each. */
static void print_chain(struct arena *arena, const struct plan *plan,
                        const struct plan_schedule *schedule, FILE *out)
{
    const struct task *at = NULL;
    for (int i = 0; i < plan->count; i++)
        if (plan_will_run(plan->task[i]) && (!at || plan->task[i]->path > at->path))
            at = plan->task[i];
    if (!at || !(schedule->chain > 0)) return;
    fprintf(out, "longest chain %s of core time:", number_seconds(arena, schedule->chain));
    while (at) {
        const struct task *next = NULL;
        fprintf(out, " %s", at->stage.name);
        for (int i = 0; i < plan->count; i++) {
            const struct task *task = plan->task[i];
            bool follows = task->waits_for == at;
            for (int k = 0; k < task->stage.inputs && i > at->index; k++)
                follows |= plan_task(task->stage.input[k]) == at;
            if (follows && plan_will_run(task) && (!next || task->path > next->path)) next = task;
        }
        if (next) fputs(",", out);
        at = next;
    }
    fputc('\n', out);
}

static void print_sources(const struct plan *plan, FILE *out)
{
    static const char *const text[ESTIMATE_SOURCES] = {
        [ESTIMATE_GUESS] = "a guess",
        [ESTIMATE_SAME] = "finished runs of the same options",
        [ESTIMATE_CALIBRATED] = "calibration",
        [ESTIMATE_NEAREST] = "the nearest finished run, scaled by operations",
        [ESTIMATE_SGEMM] = "a share of sgemm's rate (--calibrate measures, finished runs teach)",
    };
    int count[ESTIMATE_SOURCES] = {0}, comma = 0;
    const char *from[ESTIMATE_SOURCES] = {0};
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (!plan_will_run(task) || !(task->estimate.seconds > 0)) continue;
        count[task->estimate.source]++;
        if (task->estimate.from) from[task->estimate.source] = task->estimate.from;
    }
    for (int i = 0; i < ESTIMATE_SOURCES; i++) {
        if (!count[i]) continue;
        if (!comma++) {
            if (plan->core_rate) fprintf(out, "a core of %g GFLOP/s: ", plan->core_rate / 1e9);
            fputs("times from ", out);
        } else
            fputs("; ", out);
        fprintf(out, "%s for %d stage%s", text[i], count[i], plural(count[i]));
        if (from[i]) fprintf(out, " (such as %s)", from[i]);
    }
    if (comma) fputc('\n', out);
}

static void print_room(struct arena *arena, const struct plan *plan,
                       const struct plan_schedule *schedule, FILE *out)
{
    const struct plan_disk disk = plan_disk(plan);
    if (schedule->memory > 0)
        fprintf(out, "memory %s at the peak", number_bytes(arena, schedule->memory));
    if (schedule->device > 0)
        fprintf(out, ", of the device %s", number_bytes(arena, schedule->device));
    if (schedule->memory > 0) fputs(disk.needed > 0 ? "; " : "\n", out);
    if (!(disk.needed > 0)) return;
    fprintf(out, "disk %s", number_bytes(arena, disk.needed));
    if (disk.spare >= 0) fprintf(out, " of %s that are free", number_bytes(arena, disk.spare));
    fputc('\n', out);
    if (disk.spare >= 0 && disk.needed + disk.margin > disk.spare)
        fputs("!! the disk will not hold it: run will refuse without --force\n", out);
}

/* Rows all of whose stages are another row's, too; and points of axes that are one row. */
static void print_equal_rows(struct arena *arena, const struct plan *plan, FILE *out)
{
    struct table *first = table_new(arena, (size_t)plan->grid->rows);
    for (int r = 0; r < plan->grid->rows; r++) {
        const char *also = summary_row_also(&plan->grid->summary.row[r], arena);
        if (also) {
            sheet_put(arena_print(arena, "row \"%s\" is also %s: the same options, one row",
                                  plan->grid->row[r], also),
                      out);
            fputc('\n', out);
        }
        struct arena_stream list;
        arena_stream_open(&list);
        for (int p = r * plan->grid->seeds; p < (r + 1) * plan->grid->seeds; p++)
            for (int i = 0; i < plan->point[p].count; i++)
                fprintf(list.out, "%s\n", plan->point[p].task[i]->stage.id);
        const char *ids = arena_stream_close(arena, &list);
        const int64_t twin =
            *ids ? *table_at(first, ids, list.bytes, r) : r; /* none: without a run */
        if (twin == r) continue;
        sheet_put(arena_print(arena, "row \"%s\" equals \"%s\": the same options, the same stages",
                              plan->grid->row[r], plan->grid->row[twin]),
                  out);
        fputc('\n', out);
    }
}

/* "recipe: xu2019", or with the rows of each when there are several. */
static void print_recipes(struct arena *arena, const struct grid *grid, FILE *out)
{
    const char **name = ARENA_ARRAY(arena, const char *, grid->rows);
    int *rows = ARENA_ARRAY(arena, int, grid->rows), count = 0;
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = grid_row_point(grid, r);
        const struct tree *recipe = point ? tree_get(point->options, "recipe") : NULL;
        if (!recipe) continue;
        int i = 0;
        while (i < count && strcmp(name[i], recipe->text) != 0) i++;
        if (i == count) name[count++] = recipe->text;
        rows[i]++;
    }
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "recipe: ", out);
        sheet_put(name[i], out);
        if (rows[i] < grid->rows) fprintf(out, " (%d row%s)", rows[i], plural(rows[i]));
    }
    if (count) fputc('\n', out);
}

static void print_programs(struct arena *arena, const struct plan *plan, FILE *out)
{
    struct plan_program *program;
    const int count = plan_programs(arena, plan, &program);
    for (int i = 0; i < count; i++) {
        sheet_put(program[i].line, out);
        fputc('\n', out);
    }
}

/* In lines that fold_text folds. */
static void print_below(struct arena *arena, const struct plan *plan,
                        const struct plan_missing *missing, int workers, FILE *out)
{
    print_states(plan, out);
    print_recipes(arena, plan->grid, out);
    print_programs(arena, plan, out);
    for (int i = 0; i < missing->lines; i++) mask_line(out, "!! %s", missing->line[i]);
    print_failures(plan, out);
    print_equal_rows(arena, plan, out);
    const struct plan_schedule schedule = plan_simulate(plan, workers, machine_cores());
    if (schedule.core_seconds > 0) {
        print_time(arena, plan, workers, &schedule, out);
        print_chain(arena, plan, &schedule, out);
        print_sources(plan, out);
        print_room(arena, plan, &schedule, out);
    }
    plan_print_overlap(arena, plan, out);
}

void plan_print(struct arena *arena, const struct plan *plan, int workers, unsigned show, FILE *out)
{
    const struct plan_missing missing = plan_missing(arena, plan, show & PLAN_ALL);
    const unsigned notes = plan_print_rows(arena, plan, &missing, show, out);
    struct arena_stream below;
    arena_stream_open(&below);
    print_below(arena, plan, &missing, workers, below.out);
    plan_rows_notes(notes, below.out);
    fold_text(out, arena_stream_close(arena, &below));
}
