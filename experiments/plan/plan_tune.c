/* Adds the trials of tuned rows to a plan, and the stages `choice` that compare them. The ids of a
 * row's own stages depend on the chosen options. So these stages are planned when the choice is
 * done. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/tree_read.h"
#include "experiments/grid/tune.h"
#include "experiments/plan/plan.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"
#include "results/store/stage_folder.h"

static const char choice_kind[] = "choice";
#define PART_FINALISTS ".finalists-"
#define PART_RUNG ".rung-"

/* A search of a tuned row while its trials are added. */
struct tuning {
    struct arena *arena;
    struct plan *plan;
    struct grid_row *row;
    int search;
    int index, first, count; /* its trials: count from `first` in plan->trial */
    int length;              /* of the rung (halving.h); 0: trials run to the end */
    int keep;                /* number of best trials that go on after the rung */
    int points;
    const int *point;   /* [points] trials at this rung or at the end, ascending */
    const char *whole;  /* numbers of trials that always run to the end, "0, 4" */
    struct task *below; /* the choice of the rung before; NULL: none */
    int finalists;
    const int *finalist; /* [finalists] trials of the search, best first; NULL: not known */
    bool fresh;          /* the points are the row's own seeds, with the chosen options */
    const struct plan_asker *before;
};

static struct task **choice_at(const struct plan *plan, int row, int search)
{
    return &plan->choice[row * plan->searches + search];
}

/* Returns the search whose choice the seed at this index has. */
static int search_of(const struct plan *plan, int seed)
{
    return plan->searches > 1 ? seed : 0;
}

static const char *trial_name(struct arena *arena, const struct grid_row *row, int number,
                              int length)
{
    const struct halving *halving = &row->tuned->tune->halving;
    const char *to =
        length ? arena_print(arena, " to %s", halving_length(halving, length, arena)) : "";
    return arena_print(arena, "%s" PLAN_TRIAL "%d%s)", row->name, number, to);
}

static void add_trial(struct tuning *tuning, int number, uint32_t seed)
{
    struct arena *arena = tuning->arena;
    struct plan *plan = tuning->plan;
    ARENA_ADD(arena, plan->trial, plan->trials,
              (struct plan_trial){tuning->index, number, tuning->length, seed, {0}});
    struct plan_trial *trial = &plan->trial[plan->trials - 1];
    struct plan_asker *asker = ARENA_NEW(arena, struct plan_asker);
    struct plan_point *at = ARENA_NEW(arena, struct plan_point); /* plan->trial may move */
    const struct tuned *tuned = tuning->row->tuned;
    *asker = (struct plan_asker){
        tuning->length ? tune_shortened(tuned, number, tuning->length, arena)
                       : tuned->trial[number].resolved,
        trial_name(arena, tuning->row, number, tuning->length), seed, at, tuning->before};
    plan_add_point(arena, plan, asker);
    trial->at = *at;
    tuning->before = asker;
    tuning->count++;
}

/* Returns the options of a trial as a text: "train.rate: 1.2, model.dropout: 0.1". */
static const char *trial_text(const struct tuned *tuned, int trial, struct arena *arena)
{
    const char *text = NULL;
    for (int k = 0; k < tuned->keys; k++) {
        const struct tree *value = tuned_trial_value(tuned, trial, k);
        text = arena_append(arena, text, ", ",
                            arena_print(arena, "%s: %s", tuned->key[k].path,
                                        value ? tree_text(arena, value) : "none"));
    }
    return text;
}

/* Returns "0, 3, 4". */
static const char *numbers_text(const int *number, int count, struct arena *arena)
{
    const char *text = NULL;
    for (int i = 0; i < count; i++)
        text = arena_append(arena, text, ", ", arena_print(arena, "%d", number[i]));
    return text ? text : "";
}

/* Returns the options of a choice that only halving has. */
static const char *rung_text(const struct tuning *tuning)
{
    if (!tuning->whole) return "";
    return arena_print(tuning->arena, ", rung: %d, points: [%s], whole: [%s]", tuning->length,
                       numbers_text(tuning->point, tuning->points, tuning->arena), tuning->whole);
}

/* Returns the options of a choice: those of the row as written, and under `tune` how to choose. */
static struct tree *choice_options(const struct tuning *tuning)
{
    struct arena *arena = tuning->arena;
    const struct tuned *tuned = tuning->row->tuned;
    struct tree *options = tree_merge(arena, NULL, tuning->row->resolved->options);
    const char *text = arena_print(
        arena, "{metric: %s, checkpoint: %s, keep: %d, fresh: %d, finalists: [%s], trials: []%s}",
        tuned->metric->name, tuned->checkpoint,
        tuning->length ? tuning->keep : tuned->tune->finalists, tuning->fresh ? tuning->count : 0,
        numbers_text(tuning->finalist, tuning->finalists, arena), rung_text(tuning));
    struct tree *tune = tree_parse(arena, choice_kind, text), *trials = tree_get(tune, "trials");
    for (int t = 0; t < tuned->trials && !tuning->fresh; t++)
        tree_add(arena, trials, NULL,
                 tree_new_text(arena, tune->location,
                               trial_text(tuned, tuning->search * tuned->trials + t, arena)));
    tree_put(arena, options, "tune", tune);
    return options;
}

/* Returns the part of a choice, by which its id depends on the metric: "dev_loss@average-5". */
static const char *part_of(const struct tuning *tuning)
{
    struct arena *arena = tuning->arena;
    const struct tuned *tuned = tuning->row->tuned;
    const int keep = tuned->tune->finalists;
    const size_t word = strcspn(tuned->checkpoint, "(");
    const char *number = tuned->checkpoint + word;
    const char *part = arena_print(arena, "%s@%.*s%s%.*s", tuned->metric->name, (int)word,
                                   tuned->checkpoint, *number ? "-" : "",
                                   *number ? (int)strcspn(number + 1, ")") : 0, number + !!*number);
    if (tuning->fresh) return arena_print(arena, "%s.fresh", part);
    if (tuning->length)
        return arena_print(arena, "%s" PART_RUNG "%d-keep-%d", part, tuning->length, tuning->keep);
    return keep && !tuning->finalist ? arena_print(arena, "%s" PART_FINALISTS "%d", part, keep)
                                     : part;
}

/* Adds the stage that reads the points that have been added. Its inputs are their trainings,
 * then their stages of the metric, if these are others, then the choice of the rung before. */
static struct task *add_choice(struct tuning *tuning)
{
    struct arena *arena = tuning->arena;
    const struct tuned *tuned = tuning->row->tuned;
    const struct plan_trial *trial = tuning->plan->trial + tuning->first;
    const char *kinds[] = {"train", tuned->metric->kind};
    struct stage stage = {.kind = stage_kind_find(choice_kind),
                          .settings = tuning->row->resolved->settings,
                          .options = choice_options(tuning),
                          .part = part_of(tuning),
                          .input = ARENA_ARRAY(arena, struct stage *, 2 * tuning->count + 1)};
    for (int k = 0; k < 1 + !!strcmp(kinds[1], kinds[0]); k++)
        for (int i = 0; i < tuning->count; i++)
            stage.input[stage.inputs++] =
                &plan_point_find(&trial[i].at, stage_kind_find(kinds[k]))->stage;
    if (tuning->below) stage.input[stage.inputs++] = &tuning->below->stage;
    struct task *task = plan_settle(arena, tuning->plan, &stage);
    stage_ask(&task->stage,
              arena_print(arena, "%s/%s/%u", tuning->plan->grid->name, tuning->row->name,
                          tune_seed(tuned->tune, tuning->search)),
              arena);
    task->points++;
    return task;
}

/* Gives a choice that others follow to the first trial that it read, so that the grid needs it. */
static void put_first(const struct tuning *tuning, struct task *choice)
{
    plan_put(tuning->arena, &tuning->plan->trial[tuning->first].at, choice, SIDE_NONE);
}

/* Reads the trials of a search that a choice has chosen, best first; of a rung, ascending. Returns
 * how many; 0: it is not done. */
static int read_chosen(struct tuning *tuning, const struct task *task, int **number)
{
    const int trials = tuning->row->tuned->trials;
    json_auto_t *done = stage_done(&task->stage);
    const json_t *list = json_object_get(stage_folder_texts(done), "best"), *one;
    size_t i;
    int count = 0;
    *number = ARENA_ARRAY(tuning->arena, int, json_array_size(list) + 1);
    json_array_foreach((json_t *)list, i, one) {
        const json_int_t trial = json_integer_value(one);
        if (!json_is_integer(one) || trial < 0 || trial >= trials)
            die("%s: best: expected numbers of trials below %d", task->stage.folder, trials);
        (*number)[count++] = (int)trial;
    }
    return count;
}

/* Adds the trials of a search at a rung or at the end. */
static void add_points(struct tuning *tuning)
{
    const struct tuned *tuned = tuning->row->tuned;
    tuning->first = tuning->plan->trials;
    tuning->count = 0;
    for (int i = 0; i < tuning->points; i++)
        add_trial(tuning, tuning->search * tuned->trials + tuning->point[i],
                  tune_seed(tuned->tune, tuning->search));
}

/* Returns the numbers of the trials that always run to the end, from all trials of a search. */
static const char *whole_text(const struct tuning *tuning)
{
    const struct plan_trial *trial = tuning->plan->trial + tuning->first;
    int *whole = ARENA_ARRAY(tuning->arena, int, tuning->count), count = 0, differ;
    const int *number = plan_differing(tuning->arena, trial, tuning->count, &differ);
    for (int i = 0; i < differ; i += HALVING_WHOLE) whole[count++] = number[i];
    return numbers_text(whole, count, tuning->arena);
}

/* Adds the trials of a search to each rung, as far as it is known which ones go on. Returns the
 * choice of the rung that is not done; NULL: tuning->point has the trials that run to the end. */
static struct task *add_rungs(struct tuning *tuning)
{
    const struct tuned *tuned = tuning->row->tuned;
    int *point = ARENA_ARRAY(tuning->arena, int, tuned->trials);
    for (int t = 0; t < tuned->trials; t++) point[t] = t;
    tuning->point = point;
    tuning->points = tuned->trials;
    for (int r = 0; r < tuned->rungs; r++) {
        tuning->length = tuned->rung[r];
        tuning->keep = halving_kept(&tuned->tune->halving, tuned->trials, r);
        add_points(tuning);
        if (!r) tuning->whole = whole_text(tuning);
        struct task *task = add_choice(tuning);
        tuning->points = read_chosen(tuning, task, &point);
        if (!tuning->points) return task;
        put_first(tuning, task);
        tuning->point = point;
        tuning->below = task;
    }
    tuning->length = 0;
    return NULL;
}

/* Adds the trials of a search and its choices, as far as they are known. Returns the number of the
 * chosen trial; -1: it is not known. */
static int add_search(struct tuning *tuning)
{
    const struct tuned *tuned = tuning->row->tuned;
    const uint32_t seed = tune_seed(tuned->tune, tuning->search);
    const int base = tuning->search * tuned->trials;
    struct task **last = choice_at(tuning->plan, tuning->index, tuning->search);
    int *best;
    *last = add_rungs(tuning);
    if (*last) return -1;
    add_points(tuning);
    struct task *task = add_choice(tuning);
    int count = read_chosen(tuning, task, &best);
    if (tuned->tune->finalists && count) {
        put_first(tuning, task);
        tuning->finalist = best;
        tuning->finalists = count;
        for (int f = 0; f < count; f++)
            for (int s = 1; s < TUNE_SEEDS; s++)
                add_trial(tuning, base + best[f], seed + (uint32_t)s);
        task = add_choice(tuning);
        count = read_chosen(tuning, task, &best);
    }
    *last = task;
    return count ? base + best[0] : -1;
}

/* Adds the searches of a row. */
static void tune_row(struct arena *arena, struct plan *plan, int row,
                     const struct plan_asker **before)
{
    struct grid_row *of = &plan->grid->row[row];
    int *chosen = ARENA_ARRAY(arena, int, plan->searches);
    of->waits = false;
    for (int i = 0; i < plan->searches; i++) {
        struct tuning tuning = {
            .arena = arena, .plan = plan, .row = of, .search = i, .index = row, .before = *before};
        chosen[i] = add_search(&tuning);
        of->waits |= chosen[i] < 0;
        *before = tuning.before;
    }
    if (!of->waits) tune_choose(of, chosen, arena);
}

/* Fills grid->trial. The seeds of a trial are points of their own. */
static void fill_trials(struct arena *arena, const struct plan *plan, struct grid *grid)
{
    grid->trials = plan->trials;
    grid->trial = ARENA_ARRAY(arena, struct grid_row, plan->trials);
    for (int i = 0; i < plan->trials; i++) {
        const struct plan_trial *trial = &plan->trial[i];
        const struct grid_row *row = &grid->row[trial->row];
        struct grid_seed *seed = ARENA_NEW(arena, struct grid_seed);
        *seed = plan_point_stages(arena, &trial->at, trial->seed);
        grid->trial[i] =
            (struct grid_row){.name = trial_name(arena, row, trial->number, trial->length),
                              .of = row->name,
                              .count = 1,
                              .seed = seed};
    }
}

void plan_tune(struct arena *arena, struct plan *plan)
{
    struct grid *grid = (struct grid *)plan->grid;
    const struct plan_asker *before = NULL;
    for (int r = 0; r < grid->rows && !plan->searches; r++)
        plan->searches = tuned_searches(&grid->row[r]);
    plan->choice = ARENA_ARRAY(arena, struct task *, grid->rows * plan->searches);
    for (int r = 0; r < grid->rows; r++)
        if (grid->row[r].tuned && grid->row[r].resolved) tune_row(arena, plan, r, &before);
}

/* Adds the stage that measures the row's own seeds as the trials were measured. */
static struct task *add_fresh(struct arena *arena, struct plan *plan, int row)
{
    const struct grid *grid = plan->grid;
    struct tuning tuning = {.arena = arena,
                            .plan = plan,
                            .row = &grid->row[row],
                            .index = row,
                            .first = plan->trials,
                            .fresh = true};
    for (int s = 0; s < grid->seeds; s++)
        add_trial(&tuning, tuning.row->tuned->chosen[search_of(plan, s)], grid->seed[s]);
    return add_choice(&tuning);
}

void plan_put_choices(struct arena *arena, struct plan *plan)
{
    const struct grid *grid = plan->grid;
    for (int r = 0; r < grid->rows; r++) {
        if (!plan->searches || !*choice_at(plan, r, 0)) continue;
        struct task *fresh = grid->row[r].waits ? NULL : add_fresh(arena, plan, r);
        for (int s = 0; s < grid->seeds; s++) {
            struct plan_point *at = &plan->point[r * grid->seeds + s];
            plan_put(arena, at, *choice_at(plan, r, search_of(plan, s)), SIDE_NONE);
            if (fresh) plan_put(arena, at, fresh, SIDE_NONE);
        }
    }
    fill_trials(arena, plan, (struct grid *)grid);
}

bool plan_pardoned(const struct plan *plan, const struct task *task)
{
    const struct task *by = task->state == TASK_BLOCKED ? task->blocked_by : task;
    for (int t = 0; t < plan->trials && by->state == TASK_DIVERGED; t++) {
        const struct plan_trial *trial = &plan->trial[t];
        const struct tuned *tuned = plan->grid->row[trial->row].tuned;
        const int search = trial->number / tuned->trials;
        /* The points of own seeds are in the list, too. */
        const bool own = trial->seed - tune_seed(tuned->tune, search) >=
                         (tuned->tune->finalists ? TUNE_SEEDS : 1);
        for (int i = 0; i < trial->at.count && !own; i++)
            if (trial->at.task[i] == task &&
                (*choice_at(plan, trial->row, search))->state == TASK_DONE)
                return true;
    }
    return false;
}

int plan_waiting(const struct plan *plan)
{
    int rows = 0;
    for (int r = 0; r < plan->grid->rows; r++) rows += plan->grid->row[r].waits;
    return rows;
}

bool plan_goes_on(const struct plan *before, const struct plan *later)
{
    return plan_waiting(before) &&
           (later->total != before->total || plan_waiting(later) != plan_waiting(before));
}

/* True if a search waits for a choice that finalists follow. */
static bool awaits_finalists(const struct plan *plan, int row, int search)
{
    const char *part = (*choice_at(plan, row, search))->stage.part;
    return plan->grid->row[row].tuned->tune->finalists &&
           (strstr(part, PART_FINALISTS) || strstr(part, PART_RUNG));
}

/* Adds the further seeds of as many trials as there will be finalists: the first that differ. */
static void add_finalists(struct tuning *tuning, const struct plan *plan, int search)
{
    const struct tuned *tuned = tuning->row->tuned;
    const uint32_t seed = tune_seed(tuned->tune, search);
    const struct plan_trial *trial = plan->trial;
    int differ;
    while (trial->row != tuning->index || trial->seed != seed) trial++;
    const int *number = plan_differing(tuning->arena, trial, tuned->trials, &differ);
    for (int i = 0; i < differ && i < tuned->tune->finalists; i++)
        for (int s = 1; s < TUNE_SEEDS; s++)
            add_trial(tuning, trial[number[i]].number, seed + (uint32_t)s);
}

static struct plan *new_later(struct arena *arena, const struct plan *plan)
{
    struct plan *later = ARENA_NEW(arena, struct plan);
    *later = (struct plan){.grid = plan->grid,
                           .runs = plan->runs,
                           .ids = hash_table_new(arena, 0),
                           .core_rate = plan->core_rate};
    return later;
}

/* Estimates the stages of a plan as if none had begun. */
static void estimate_new(struct arena *arena, struct plan *plan)
{
    PLAN_EACH(plan, task) {
        task->state = TASK_NEW;
        task->step = -1;
    }
    plan_estimate(arena, plan, false);
}

/* Plans the stages of a row that waits, with the options of the row as written: its own seeds, and
 * further seeds of finalists. Estimates them as if none of them had begun, because the chosen
 * options may be others. */
static struct plan *plan_later(struct arena *arena, const struct plan *plan, int row)
{
    const struct grid *grid = plan->grid;
    struct plan *later = new_later(arena, plan);
    struct tuning tuning = {.arena = arena, .plan = later, .row = &grid->row[row], .index = row};
    for (int s = 0; s < grid->seeds; s++) {
        struct plan_asker *asker = ARENA_NEW(arena, struct plan_asker);
        *asker = (struct plan_asker){tuning.row->resolved, tuning.row->name, grid->seed[s],
                                     ARENA_NEW(arena, struct plan_point), tuning.before};
        plan_add_point(arena, later, tuning.before = asker);
        add_trial(&tuning, 0, grid->seed[s]);
    }
    for (int i = 0; i < plan->searches; i++)
        if (awaits_finalists(plan, row, i)) add_finalists(&tuning, plan, i);
    estimate_new(arena, later);
    return later;
}

const struct plan *plan_all_trials(struct arena *arena, const struct plan *plan, int row)
{
    struct plan *all = new_later(arena, plan);
    struct tuning tuning = {
        .arena = arena, .plan = all, .row = &plan->grid->row[row], .index = row};
    const struct tuned *tuned = tuning.row->tuned;
    for (int i = 0; i < tuned->searches * (tuned->rungs + 1); i++) {
        const int search = i / (tuned->rungs + 1), rung = i % (tuned->rungs + 1);
        tuning.length = rung < tuned->rungs ? tuned->rung[rung] : 0;
        for (int t = 0; t < tuned->trials; t++)
            add_trial(&tuning, search * tuned->trials + t, tune_seed(tuned->tune, search));
    }
    estimate_new(arena, all);
    return all;
}

/* Prints what comes after the choice of a row. A corpus counts only if the plan lacks it. */
static void print_later(struct arena *arena, const struct plan *plan, int row, FILE *out)
{
    const struct plan *later = plan_later(arena, plan, row);
    double seconds = 0;
    int stages = 1; /* the choice by the own seeds */
    for (int i = 0; i < plan->searches; i++) stages += awaits_finalists(plan, row, i);
    PLAN_EACH(later, task) {
        const int64_t known = hash_table_get(plan->ids, task->stage.id, DIGEST_TEXT - 1);
        if (known != HASH_TABLE_ABSENT && !stage_has_point(&task->stage)) continue;
        seconds += task->estimate.seconds;
        stages++;
    }
    sheet_put(arena_print(arena,
                          "%d stages wait for the choice of \"%s\"; with its options as written, "
                          "about %s of core time",
                          stages, plan->grid->row[row].name, number_seconds(arena, seconds)),
              out);
    fputc('\n', out);
}

void plan_print_waiting(struct arena *arena, const struct plan *plan, FILE *out)
{
    const struct grid *grid = plan->grid;
    for (int r = 0; r < grid->rows; r++) {
        bool ends = !grid->row[r].waits || (grid->only && !grid->only[r]);
        for (int i = 0; i < plan->searches && !ends; i++) {
            const enum task_state choice = (*choice_at(plan, r, i))->state;
            ends = choice == TASK_FAILED || choice == TASK_BLOCKED;
        }
        if (ends) continue;
        if (grid->row[r].tuned->rungs) plan_print_halving(arena, plan, r, out);
        print_later(arena, plan, r, out);
    }
}
