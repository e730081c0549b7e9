/* What a plan costs, and how it is printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "experiments/plan/environment.h"
#include "experiments/plan/plan.h"
#include "results/number.h"
#include "results/sheet.h"

static const double utilization = 0.6; /* of the rate of large matrix products */

/* Of large matrix products with one thread, in operations per second: measured by the program in
 * another process (sanlab doctor sgemm), since the planner itself calls no BLAS. 0: not measured.
 */
static double measure_rate(void)
{
    char *program = heap_print("%s/sanlab", file_program_folder());
    int ends[2];
    double rate = 0;
    if (!file_exists(program) || pipe(ends) != 0) {
        free(program);
        return 0;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("OMP_NUM_THREADS", "1", 1);
        dup2(ends[1], STDOUT_FILENO);
        execl(program, "sanlab", "doctor", "sgemm", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    if (child < 0 || fscanf(in, "%lf", &rate) != 1) rate = 0;
    fclose(in);
    if (child > 0) waitpid(child, NULL, 0);
    free(program);
    return rate;
}

static bool will_run(const struct task *task)
{
    return task->state != TASK_CACHED && task->state != TASK_DIVERGED;
}

void plan_estimate(struct arena *arena, struct plan *plan)
{
    double rate = 0;
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        task->estimate = task->stage.kind->estimate(&task->stage, arena);
        struct estimate *estimate = &task->estimate;
        if (!will_run(task) || !estimate->flops) continue;
        if (!rate) rate = measure_rate();
        if (rate) estimate->seconds += estimate->flops / (utilization * rate);
        if (task->step > 0 && estimate->steps > 0)
            estimate->seconds *= fmax(0, 1 - (double)task->step / (double)estimate->steps);
    }
}

static const char *bytes_text(struct arena *arena, double bytes)
{
    if (bytes <= 0) return NULL;
    if (bytes < 1e9) return arena_print(arena, "%.0f MB", fmax(1, bytes / 1e6));
    return arena_print(arena, "%.1f GB", bytes / 1e9);
}

/* What is printed of one stage. */
static void print_row(struct arena *arena, struct sheet *sheet, int row, const struct task *task)
{
    const struct estimate *estimate = &task->estimate;
    const char *label = strchr(task->stage.label, '/') + 1;
    sheet_set(sheet, row, 0, task->stage.name);
    sheet_set(sheet, row, 1, task->stage.inputs ? label : "");
    sheet_set(sheet, row, 2, task->reason);
    if (estimate->body) sheet_set(sheet, row, 3, number_count(arena, (double)estimate->body));
    if (estimate->parameters)
        sheet_set(sheet, row, 4,
                  arena_print(arena, "%s%s", estimate->bounded ? "<= " : "",
                              number_count(arena, (double)estimate->parameters)));
    if (estimate->steps) sheet_set(sheet, row, 5, number_count(arena, (double)estimate->steps));
    if (will_run(task) && estimate->seconds > 0)
        sheet_set(sheet, row, 6, number_seconds(arena, estimate->seconds));
    sheet_set(sheet, row, 7, bytes_text(arena, estimate->memory));
    sheet_set(sheet, row, 8, bytes_text(arena, estimate->disk));
}

static void print_total(const struct plan *plan, struct arena *arena, int workers, FILE *out)
{
    int count[TASK_STATES] = {0};
    double seconds = 0, disk = 0;
    bool bounded = false;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        count[task->state]++;
        bounded |= task->estimate.bounded;
        if (!will_run(task)) continue;
        seconds += task->estimate.seconds;
        disk += task->estimate.disk;
    }
    fprintf(out, "\n%d stage%s:", plan->count, plan->count == 1 ? "" : "s");
    for (int i = 0, comma = 0; i < TASK_STATES; i++)
        if (count[i]) fprintf(out, "%s %d %s", comma++ ? "," : "", count[i], task_state_names[i]);
    if (seconds > 0) {
        fprintf(out, "; about %s with %d worker%s",
                number_seconds(arena, seconds / fmin(workers, environment_cores())), workers,
                workers == 1 ? "" : "s");
        if (disk > 0) fprintf(out, ", %s of disk", bytes_text(arena, disk));
    }
    fputc('\n', out);
    if (bounded)
        fputs("<= until the vocabulary exists: control symbols, both forms of every character, and "
              "all merges\n",
              out);
}

void plan_print(struct arena *arena, const struct plan *plan, int workers, FILE *out)
{
    static const char *const header[] = {"stage", "point",  "reason", "body", "parameters",
                                         "steps", "1 core", "memory", "disk"};
    struct sheet *sheet = sheet_new(arena, plan->count, (int)COUNT_OF(header));
    sheet->title = plan->grid->title;
    sheet->missing = "";
    for (int i = 0; i < sheet->columns; i++)
        sheet->column[i] = (struct sheet_column){header[i], i < 3 ? SHEET_LEFT : SHEET_RIGHT, 0};
    for (int i = 0; i < plan->count; i++) print_row(arena, sheet, i, plan->task[i]);
    sheet_text(sheet, out);
    print_total(plan, arena, workers, out);
}
