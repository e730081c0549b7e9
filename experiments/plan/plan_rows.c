/* The stages of a plan as a table. */
#include "experiments/plan/plan_rows.h"

#include <string.h>

#include "core/base/table.h"
#include "experiments/plan/plan_schedule.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"
#include "results/table/layout.h"

enum {
    NAMED = 2, /* of the points that share a stage */
    MANY = 60  /* stages: more are summed up, a line for each kind of a row */
};

/* One line: a stage, or all of a kind that a row has. */
struct plan_line {
    const struct task *task; /* the first */
    int count;
    int of_state[TASK_STATES];
    const char *point, *reason, *difference; /* reason NULL: they differ */
    struct estimate estimate; /* work, time and disk are sums, memory is the largest */
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

/* "ROW/SEED = ROW/SEED (+3) PART": everybody in this grid whose stage it is. */
static const char *points_text(struct arena *arena, const struct stage *stage)
{
    if (!stage_has_point(stage)) return "";
    const char *text = stage_point_name(stage->label);
    for (int i = 1; i < stage->askers && i < NAMED; i++)
        text = arena_print(arena, "%s = %s", text, stage_point_name(stage->asker[i]));
    if (stage->askers > NAMED) text = arena_print(arena, "%s (+%d)", text, stage->askers - NAMED);
    return stage->part ? arena_print(arena, "%s %s", text, stage->part) : text;
}

/* What a failure said stands below the table. */
static const char *reason_text(struct arena *arena, const struct task *task)
{
    if (task->state != TASK_FAILED && task->state != TASK_MISSING) return task->reason;
    return arena_text_range(arena, task->reason, strcspn(task->reason, ":"));
}

/* By row, the row that the table compares it with; -1: none, or it has no run. */
static const int *baselines(struct arena *arena, const struct grid *grid)
{
    const struct layout *layout = grid->summary.layout;
    int *baseline = ARENA_ARRAY(arena, int, grid->rows);
    for (int r = 0; r < grid->rows; r++) baseline[r] = -1;
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const int row = layout->line[i].row[f];
            const struct layout_cell base = layout_cell_at(layout->line[i].baseline, f);
            if (row >= 0) baseline[row] = layout->line[base.line].row[base.factor];
        }
    return baseline;
}

/* What a model's body has more than that of its row's baseline: exact where the tables are not. */
static const char **differences(struct arena *arena, const struct plan *plan)
{
    const char **text = ARENA_ARRAY(arena, const char *, plan->count);
    const int *baseline = baselines(arena, plan->grid), seeds = plan->grid->seeds;
    for (int p = 0; p < plan->grid->rows * seeds; p++)
        for (int i = 0; i < plan->point[p].count && baseline[p / seeds] >= 0; i++) {
            const struct task *own = plan->point[p].task[i];
            const struct task *other =
                plan_find(plan, baseline[p / seeds] * seeds + p % seeds, own->stage.kind);
            if (!other || own == other || own->index < 0 || !own->estimate.body ||
                !other->estimate.body || text[own->index])
                continue;
            const int64_t more = own->estimate.body - other->estimate.body;
            text[own->index] =
                arena_print(arena, "%s%s", more > 0 ? "+" : "", number_count(arena, (double)more));
        }
    return text;
}

/* Without the text nothing is known of the tables but the width of their rows. */
static const char *parameters_text(struct arena *arena, const struct estimate *estimate)
{
    if (!estimate->parameters) return NULL;
    if (estimate->row) return arena_print(arena, "body + %d R", estimate->row);
    return arena_print(arena, "%s%s", estimate->bounded ? "<= " : "",
                       number_count(arena, (double)estimate->parameters));
}

/* Without the text nothing is known of how many batches an epoch has but about. */
static bool is_about(const struct task *task)
{
    return task->estimate.bounded && task->estimate.steps && task->stage.settings->train.epochs > 0;
}

static const char *steps_text(struct arena *arena, const struct plan_line *line)
{
    if (!line->estimate.steps) return NULL;
    return arena_print(arena, "%s%s", line->about ? "~" : "",
                       number_count(arena, (double)line->estimate.steps));
}

static const char *states_text(struct arena *arena, const struct plan_line *line)
{
    const char *text = "";
    for (int i = 0; i < TASK_STATES; i++)
        if (line->of_state[i])
            text = arena_print(arena, "%s%s%d %s", text, *text ? ", " : "", line->of_state[i],
                               task_state_names[i]);
    return text;
}

/* with_device: there is a column for its memory. */
static void print_line(struct arena *arena, struct sheet *sheet, int row,
                       const struct plan_line *line, bool with_device)
{
    const struct estimate *estimate = &line->estimate;
    int column = 0;
    sheet_set(sheet, row, column++,
              line->count > 1
                  ? arena_print(arena, "%d %s", line->count, line->task->stage.kind->name)
                  : line->task->stage.name);
    sheet_set(sheet, row, column++, line->point);
    sheet_set(sheet, row, column++, line->reason ? line->reason : states_text(arena, line));
    const char *const cell[] = {
        estimate->body ? number_count(arena, (double)estimate->body) : NULL,
        line->difference,
        parameters_text(arena, estimate),
        steps_text(arena, line),
        flops_text(arena, estimate->flops),
        estimate->seconds > 0 ? number_seconds(arena, estimate->seconds) : NULL,
        estimate->memory > 0 ? number_bytes(arena, estimate->memory) : NULL,
        estimate->disk > 0 ? number_bytes(arena, estimate->disk) : NULL,
    };
    for (size_t i = 0; i < COUNT_OF(cell); i++) sheet_set(sheet, row, column++, cell[i]);
    if (with_device && estimate->device > 0)
        sheet_set(sheet, row, column, number_bytes(arena, estimate->device));
}

/* [plan->count] Whether a stage has a line. */
static const bool *rows_shown(struct arena *arena, const struct plan *plan,
                              const struct plan_missing *missing, unsigned show)
{
    bool *shown = ARENA_ARRAY(arena, bool, plan->count);
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        const bool waits = missing->waits[i] && !task->estimate.body && !(show & PLAN_ALL);
        shown[i] = !waits && !(show & PLAN_TODO && task->state == TASK_DONE);
    }
    return shown;
}

static struct plan_line line_of(struct arena *arena, const struct task *task,
                                const char *difference)
{
    struct plan_line line = {task,
                             1,
                             {0},
                             points_text(arena, &task->stage),
                             reason_text(arena, task),
                             difference,
                             task->estimate,
                             is_about(task)};
    line.of_state[task->state] = 1;
    if (!plan_will_run(task)) line.estimate.seconds = 0;
    return line;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Adds a stage of the same kind and row. */
static void add(struct plan_line *line, const struct plan_line *more)
{
    struct estimate *sum = &line->estimate;
    const struct estimate *estimate = &more->estimate;
    line->count++;
    line->of_state[more->task->state]++;
    if (line->reason && strcmp(line->reason, more->reason) != 0) line->reason = NULL;
    if (sum->body != estimate->body) sum->body = 0, line->difference = NULL;
    if (sum->parameters != estimate->parameters) sum->parameters = 0;
    if (estimate->steps > sum->steps) sum->steps = estimate->steps;
    line->about |= more->about;
    sum->flops += estimate->flops;
    sum->seconds += estimate->seconds;
    sum->disk += estimate->disk;
    sum->memory = larger(sum->memory, estimate->memory);
    sum->device = larger(sum->device, estimate->device);
}

/* Sums lines up by kind and row, in the order of their first stages; returns how many are left. */
static int sum_up(struct arena *arena, struct plan_line *line, int lines)
{
    struct table *place = table_new(arena, (size_t)lines);
    int count = 0;
    for (int i = 0; i < lines; i++) {
        const struct stage *stage = &line[i].task->stage;
        const char *point = stage_has_point(stage) ? stage_point_name(stage->label) : "";
        const char *end = strrchr(point, '/');
        const char *row = arena_text_range(arena, point, end ? (size_t)(end - point) : 0);
        const char *key = arena_print(arena, "%s/%s", stage->kind->name, row);
        const int64_t at = *table_at(place, key, strlen(key), count);
        if (at < count) {
            add(&line[at], &line[i]);
            line[at].point = row;
        } else
            line[count++] = line[i];
    }
    return count;
}

/* The title of the grid, or its name. A file of another name than the grid is named, too. */
static const char *heading_of(struct arena *arena, const struct grid *grid)
{
    const char *heading = grid->title ? grid->title : grid->name;
    const char *slash = strrchr(grid->path, '/'), *file = slash ? slash + 1 : grid->path;
    const size_t length = strcspn(grid->name, "+");
    if (!strncmp(file, grid->name, length) && !strcmp(file + length, ".yaml")) return heading;
    return arena_print(arena, "%s (%s%s%s)", heading, grid->title ? grid->name : "",
                       grid->title ? ", " : "", grid->path);
}

unsigned plan_print_rows(struct arena *arena, const struct plan *plan,
                         const struct plan_missing *missing, unsigned show, FILE *out)
{
    static const char *const header[] = {"stage",  "point",      "reason", "body",
                                         "Δ body", "parameters", "steps",  "work",
                                         "1 core", "memory",     "disk",   "device memory"};
    const bool *shown = rows_shown(arena, plan, missing, show);
    const char **difference = differences(arena, plan);
    struct plan_line *line = ARENA_ARRAY(arena, struct plan_line, plan->count);
    bool with_device = false;
    unsigned notes = 0;
    int lines = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct estimate *estimate = &plan->task[i]->estimate;
        with_device |= estimate->device > 0;
        if (!shown[i]) continue;
        line[lines++] = line_of(arena, plan->task[i], difference[i]);
        if (estimate->bounded && !estimate->row) notes |= PLAN_BOUNDED;
        if (is_about(plan->task[i])) notes |= PLAN_ABOUT;
        if (estimate->row > 0) notes |= PLAN_UNKNOWN;
    }
    if (lines > MANY && !(show & PLAN_ALL)) {
        lines = sum_up(arena, line, lines);
        notes |= PLAN_SUMMED;
    }
    const int columns = (int)COUNT_OF(header) - !with_device;
    struct sheet *sheet = sheet_headed(arena, lines, columns, header, 3);
    sheet->title = heading_of(arena, plan->grid);
    sheet->missing = "";
    for (int i = 0; i < lines; i++) print_line(arena, sheet, i, &line[i], with_device);
    if (lines) sheet_text(sheet, out);
    return notes;
}

void plan_rows_notes(unsigned notes, FILE *out)
{
    static const char *const text[] = {
        "a line for each kind of stage of a row: work, time and disk are sums; --all has a line "
        "for each stage",
        "<= until the vocabulary exists: control symbols, both forms of every character, and all "
        "merges",
        "~ by the bytes of the text, until it is cut into pieces",
        "R: rows of the tables of source, target and softmax together, known with the text",
    };
    for (size_t i = 0; i < COUNT_OF(text); i++)
        if (notes & 1u << i) fprintf(out, "%s\n", text[i]);
}
