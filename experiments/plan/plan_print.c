/* Prints the stages of a plan as a table. Below the table it prints states, costs and warnings. */
#include <math.h>
#include <string.h>

#include "core/base/fold.h"
#include "core/base/hash_table.h"
#include "core/base/mask_output.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/machine.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

enum {
    NAMED = 2, /* points that are named for a shared stage */
    MANY = 60  /* above this number of lines, the table has one line for each kind and row */
};

/* A line of the table: a stage, or all stages of a kind and row. */
struct plan_line {
    const struct task *task;
    int count;
    int of_state[TASK_STATES];
    const char *point, *reason; /* reason NULL: the reasons differ */
    struct estimate estimate;   /* work, time and disk are sums, memory is the maximum */
    bool about;
};

static const char *flops_text(struct arena *arena, double flops)
{
    static const char *const unit[] = {"MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
    size_t i = 0;
    if (flops <= 0) return NULL;
    for (flops /= 1e6; flops >= 1000 && i + 1 < COUNT_OF(unit); i++) flops /= 1000;
    return arena_print(arena, "%.*f %s", flops < 10, flops, unit[i]);
}

/* Returns the points of this grid that share the stage: "ROW/SEED = ROW/SEED (+3) PART". */
static const char *points_text(struct arena *arena, const struct stage *stage)
{
    if (!stage_has_point(stage)) return "";
    const char *text = stage_point_name(stage->label);
    for (int i = 1; i < stage->askers && i < NAMED; i++)
        text = arena_print(arena, "%s = %s", text, stage_point_name(stage->asker[i]));
    if (stage->askers > NAMED) text = arena_print(arena, "%s (+%d)", text, stage->askers - NAMED);
    return stage->part ? arena_print(arena, "%s %s", text, stage->part) : text;
}

/* Returns the text of the number of parameters. While the corpus's text is missing, only the width
 * of the embedding and softmax tables is known, not their number of rows R. */
static const char *parameters_text(struct arena *arena, const struct estimate *estimate)
{
    if (!estimate->parameters) return NULL;
    if (estimate->row) return arena_print(arena, "body + %d R", estimate->row);
    return arena_print(arena, "%s%s", estimate->bounded ? "<= " : "",
                       number_count(arena, (double)estimate->parameters));
}

static const char *steps_text(struct arena *arena, const struct plan_line *line)
{
    if (!line->estimate.steps) return NULL;
    return arena_print(arena, "%s%s", line->about ? "~" : "",
                       number_count(arena, (double)line->estimate.steps));
}

/* Returns "3 done, 2 new". */
static const char *states_text(struct arena *arena, const int count[TASK_STATES])
{
    const char *text = NULL;
    for (int i = 0; i < TASK_STATES; i++)
        if (count[i])
            text = arena_append(arena, text, ", ",
                                arena_print(arena, "%d %s", count[i], task_state_names[i]));
    return text;
}

static void print_line(struct arena *arena, struct sheet *sheet, int row,
                       const struct plan_line *line)
{
    const struct estimate *estimate = &line->estimate;
    const char *const cell[] = {
        line->count > 1 ? arena_print(arena, "%d %s", line->count, line->task->stage.kind->name)
                        : line->task->stage.name,
        line->point,
        line->reason ? line->reason : states_text(arena, line->of_state),
        estimate->body ? number_count(arena, (double)estimate->body) : NULL,
        parameters_text(arena, estimate),
        steps_text(arena, line),
        flops_text(arena, estimate->flops),
        estimate->seconds > 0 ? number_seconds(arena, estimate->seconds) : NULL,
        estimate->memory > 0 ? number_bytes(arena, estimate->memory) : NULL,
        estimate->disk > 0 ? number_bytes(arena, estimate->disk) : NULL,
        estimate->device > 0 ? number_bytes(arena, estimate->device) : NULL,
    };
    for (int i = 0; i < sheet->columns; i++) sheet_set(sheet, row, i, cell[i]);
}

/* Messages of failures and missing inputs are cut at the colon, because they are printed below the
 * table. Before the corpus exists, the number of batches in an epoch is estimated, so the number of
 * steps is approximate. */
static struct plan_line line_of(struct arena *arena, const struct task *task)
{
    const bool cut = task->state == TASK_FAILED || task->state == TASK_MISSING;
    const size_t length = cut ? strcspn(task->reason, ":") : strlen(task->reason);
    struct plan_line line = {.task = task,
                             .count = 1,
                             .point = points_text(arena, &task->stage),
                             .reason = arena_text_range(arena, task->reason, length),
                             .estimate = task->estimate};
    line.about = line.estimate.bounded && task->stage.settings->train.epochs > 0;
    line.of_state[task->state] = 1;
    if (!plan_will_run(task)) line.estimate.seconds = 0;
    return line;
}

/* Adds a stage of the same kind and row to a line. */
static void add(struct plan_line *line, const struct plan_line *more)
{
    struct estimate *sum = &line->estimate;
    const struct estimate *estimate = &more->estimate;
    line->count++;
    line->of_state[more->task->state]++;
    if (line->reason && strcmp(line->reason, more->reason) != 0) line->reason = NULL;
    if (sum->body != estimate->body) sum->body = 0;
    if (sum->parameters != estimate->parameters) sum->parameters = 0;
    if (estimate->steps > sum->steps) sum->steps = estimate->steps;
    line->about |= more->about;
    sum->flops += estimate->flops;
    sum->seconds += estimate->seconds;
    sum->disk += estimate->disk;
    sum->memory = fmax(sum->memory, estimate->memory);
    sum->device = fmax(sum->device, estimate->device);
}

/* Merges the lines of each kind and row, or of all trials of a row, in the order of their first
 * stages. Returns the new number of lines. */
static int sum_up(struct arena *arena, struct plan_line *line, int lines)
{
    struct hash_table *place = hash_table_new(arena, (size_t)lines);
    int count = 0;
    for (int i = 0; i < lines; i++) {
        const struct stage *stage = &line[i].task->stage;
        const char *point = stage_has_point(stage) ? stage_point_name(stage->label) : "";
        const char *end = strrchr(point, '/');
        const char *row = arena_text_range(arena, point, end ? (size_t)(end - point) : 0),
                   *trial = strstr(row, PLAN_TRIAL);
        if (trial) row = arena_print(arena, "%.*s (trials)", (int)(trial - row), row);
        const char *key = arena_print(arena, "%s/%s", stage->kind->name, row);
        const int64_t at = *hash_table_at(place, key, strlen(key), count);
        if (at < count) {
            add(&line[at], &line[i]);
            line[at].point = row;
        } else
            line[count++] = line[i];
    }
    return count;
}

/* Returns the title of the grid, or its name if it has no title. Adds name and path if the name of
 * the file differs from the name of the grid. */
static const char *heading_of(struct arena *arena, const struct grid *grid)
{
    const char *heading = grid->title ? grid->title : grid->name;
    const char *slash = strrchr(grid->path, '/'), *file = slash ? slash + 1 : grid->path;
    const size_t length = strcspn(grid->name, "+");
    if (!strncmp(file, grid->name, length) && !strcmp(file + length, ".yaml")) return heading;
    return arena_print(arena, "%s (%s%s%s)", heading, grid->title ? grid->name : "",
                       grid->title ? ", " : "", grid->path);
}

/* Prints the table with a line for each stage. Without PLAN_ALL, more than MANY lines are merged,
 * and true is returned. */
static bool print_rows(struct arena *arena, const struct plan *plan,
                       const struct plan_missing *missing, unsigned show, FILE *out)
{
    static const char *const header[] = {"stage",      "point", "reason",       "body",
                                         "parameters", "steps", "work",         "1 core",
                                         "memory",     "disk",  "device memory"};
    struct plan_line *line = ARENA_ARRAY(arena, struct plan_line, plan->count);
    bool with_device = false;
    int lines = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        const struct estimate *estimate = &task->estimate;
        const bool waits = missing->waits[i] && !estimate->body && !(show & PLAN_ALL);
        with_device |= estimate->device > 0;
        if (waits || (show & PLAN_OPEN && task->state == TASK_DONE)) continue;
        line[lines++] = line_of(arena, task);
    }
    const bool summed = lines > MANY && !(show & PLAN_ALL);
    if (summed) lines = sum_up(arena, line, lines);
    const int columns = (int)COUNT_OF(header) - !with_device;
    struct sheet *sheet = sheet_headed(arena, lines, columns, header, 3);
    sheet->title = heading_of(arena, plan->grid);
    sheet->missing = "";
    for (int i = 0; i < lines; i++) print_line(arena, sheet, i, &line[i]);
    if (lines) sheet_text(sheet, out);
    return summed;
}

enum { FAILURES = 5 }; /* number of failures that are printed in full */

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void print_failures(const struct plan *plan, FILE *out)
{
    int count = 0;
    PLAN_EACH(plan, task) {
        if (task->state == TASK_FAILED && count++ < FAILURES)
            mask_line(out, "!! %s: %s", task->stage.name, task->reason);
    }
    if (count > FAILURES) fprintf(out, "!! and %d more failed stages\n", count - FAILURES);
}

/* Prints "to do: 4 train, 12 score; about .. with 2 cores; .. of core time". */
static void print_time(struct arena *arena, const struct plan *plan, int workers,
                       const struct plan_cost *cost, FILE *out)
{
    const int cores = workers ? workers : machine_cores();
    int comma = 0;
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
        int count = 0;
        for (int i = 0; i < plan->count; i++)
            count += plan->task[i]->stage.kind == *kind && plan_will_run(plan->task[i]);
        if (count) fprintf(out, "%s%d %s", comma++ ? ", " : "to do: ", count, (*kind)->name);
    }
    fprintf(out, "; about %s with %d %s%s; %s of core time\n", number_seconds(arena, cost->seconds),
            cores, workers ? "worker" : "core", plural(cores),
            number_seconds(arena, cost->core_seconds));
}

static void print_room(struct arena *arena, const struct plan *plan, const struct plan_cost *cost,
                       FILE *out)
{
    const struct plan_disk disk = plan_disk(plan);
    if (cost->memory > 0) fprintf(out, "memory %s at the peak", number_bytes(arena, cost->memory));
    if (cost->device > 0) fprintf(out, ", device memory %s", number_bytes(arena, cost->device));
    if (cost->memory > 0) fputs(disk.needed > 0 ? "; " : "\n", out);
    if (!(disk.needed > 0)) return;
    fprintf(out, "disk %s", number_bytes(arena, disk.needed));
    if (disk.spare >= 0) fprintf(out, " of %s free", number_bytes(arena, disk.spare));
    fputc('\n', out);
    if (disk.spare >= 0 && disk.needed + disk.reserve > disk.spare)
        fputs("!! the disk has too little space: run refuses without --force\n", out);
}

/* Prints the rows with the same stages as NAMED earlier rows. The column `point` lacks their
 * names. */
static void print_equal_rows(struct arena *arena, const struct plan *plan, FILE *out)
{
    const struct grid *grid = plan->grid;
    struct hash_table *first = hash_table_new(arena, (size_t)grid->rows);
    int *equal = ARENA_ARRAY(arena, int, grid->rows);
    for (int r = 0; r < grid->rows; r++) {
        const char *ids = NULL;
        for (int p = r * grid->seeds; p < (r + 1) * grid->seeds; p++)
            for (int i = 0; i < plan->point[p].count; i++)
                ids = arena_append(arena, ids, " ", plan->point[p].task[i]->stage.id);
        const int64_t twin = ids ? *hash_table_at(first, ids, strlen(ids), r) : r;
        if (ids && ++equal[twin] > NAMED)
            mask_line(out, "row \"%s\" equals \"%s\": the same options, the same stages",
                      grid->row[r].name, grid->row[twin].name);
    }
}

/* Prints the places on the axes that one row has. */
static void print_places(struct arena *arena, const struct grid *grid, FILE *out)
{
    for (int r = 0; r < grid->rows; r++) {
        const char *also = grid_row_also(&grid->row[r], arena);
        if (also)
            mask_line(out, "row \"%s\" is also %s: the same options, one row", grid->row[r].name,
                      also);
    }
}

/* Prints the lines below the table. The caller folds them to the width of the terminal. */
static void print_below(struct arena *arena, const struct plan *plan,
                        const struct plan_missing *missing, int workers, FILE *out)
{
    int of_state[TASK_STATES] = {0};
    for (int i = 0; i < plan->count; i++) of_state[plan->task[i]->state]++;
    const char *states = states_text(arena, of_state);
    fprintf(out, "\n%d stage%s:%s%s\n", plan->count, plural(plan->count), states ? " " : "",
            states ? states : "");
    struct plan_program *program;
    for (int i = 0, count = plan_programs(arena, plan, &program); i < count; i++)
        mask_line(out, "%s", program[i].line);
    for (int i = 0; i < missing->lines; i++) mask_line(out, "!! %s", missing->line[i]);
    print_failures(plan, out);
    print_equal_rows(arena, plan, out);
    print_places(arena, plan->grid, out);
    plan_print_waiting(arena, plan, out);
    const struct plan_cost cost = plan_cost(plan, workers, machine_cores());
    if (cost.core_seconds > 0) {
        print_time(arena, plan, workers, &cost, out);
        print_room(arena, plan, &cost, out);
    }
    plan_print_overlap(arena, plan, out);
    plan_print_power(arena, plan, out);
}

void plan_print(struct arena *arena, const struct plan *plan, int workers, unsigned show, FILE *out)
{
    const struct plan_missing missing = plan_missing(arena, plan, show & PLAN_ALL);
    const bool summed = print_rows(arena, plan, &missing, show, out);
    ARENA_STREAM(below);
    print_below(arena, plan, &missing, workers, below.out);
    if (summed)
        fputs("a line for each kind of stage of a row: work, time and disk are sums; --all has a "
              "line for each stage\n",
              below.out);
    fold_text(out, arena_stream_close(arena, &below));
}
