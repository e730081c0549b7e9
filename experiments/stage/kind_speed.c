/* The stage `speed` measures the training steps per second of each row of a grid. The rows take
 * turns in one process. There is one stage for the whole grid. It is requested by `evaluate.speed`,
 * or by one of its columns in the grid's table, figures or claims. */
/* sources: ..core/train core/bench/throughput.* */
/* rank: 90 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/bench/measure.h"
#include "core/bench/throughput.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/machine.h"
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"

const struct evaluation evaluation_speed = {.section = &throughput_section};

/* Returns, for each row, the index of the first row whose training steps compute the same on the
 * same corpus. This may be the row itself. */
static const int *first_rows(const struct stage *stage, struct arena *arena)
{
    int *first = ARENA_ARRAY(arena, int, stage->rows);
    char(*id)[DIGEST_TEXT] = arena_alloc(arena, sizeof *id * (size_t)stage->rows);
    for (int r = 0; r < stage->rows; r++) {
        stage_row_digest(&stage->row[r], id[r]);
        while (first[r] < r && (strcmp(id[first[r]], id[r]) != 0 ||
                                stage->row[first[r]].input != stage->row[r].input))
            first[r]++;
    }
    return first;
}

/* Dies if this machine is not the planned one, because the planned machine is part of the stage's
 * id. */
static void check_machine(const struct stage *stage, struct arena *arena)
{
    const struct tree *planned = tree_get(stage->options, "machine");
    struct tree *now = tree_new(arena, TREE_MAP, stage->options->location);
    environment_machine(now, arena);
    const struct tree *is = tree_get(now, "machine");
    for (int i = 0; i < is->count; i++) {
        const struct tree *then = tree_get(planned, is->key[i]->text);
        if (!then || strcmp(then->text, is->item[i]->text) != 0)
            die("speed: planned for %s %s, but this process has %s; plan the grid here",
                is->key[i]->text, then ? then->text : "(none)", is->item[i]->text);
    }
    if (omp_get_max_threads() != machine_cores())
        die("speed: planned for all %d cores, but this process has %d threads", machine_cores(),
            omp_get_max_threads());
}

/* ---- cost ---- */

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct throughput_options *throughput = stage_options(stage);
    struct estimate estimate = {.disk = 1e4};
    const int *first = first_rows(stage, arena);
    for (int r = 0; r < stage->rows; r++) {
        if (first[r] != r) continue;
        const struct stage_row *row = &stage->row[r];
        const struct model_facts model =
            model_facts(row->settings, 1, stage->input[row->input], arena);
        const int steps = throughput->rounds * (throughput->steps + throughput->warmup);
        if (model.steps) {
            estimate.flops += steps * (model.cost.flops / (double)model.steps);
            estimate.work += steps * (model.cost.work / (double)model.steps);
        }
        estimate.steps += steps;
        estimate.memory = fmax(estimate.memory, model.memory);
        estimate.device = fmax(estimate.device, model.device);
    }
    return estimate;
}

/* ---- measuring ---- */

struct turns {
    double steps[MEASURE_ROUNDS], tokens[MEASURE_ROUNDS]; /* per second */
};

/* Seed of parameters, dropout and order of sentences. It does not influence the speed. */
enum { SEED = 1 };

/* Measures row `r` once: warm-up steps, then timed steps. Rows on the same corpus get the same
 * batches. In the journal, the step of this timing is the number of the row, from 1. */
static void take_turn(struct stage_work *work, const struct corpus *const *corpus, int r, int round,
                      struct turns *turns)
{
    const struct stage_row *row = &work->stage->row[r];
    const struct throughput_options *options = stage_options(work->stage);
    const struct throughput_job job = {
        .translating = settings_translating(
            row->settings,
            device_table(work->device, (enum precision)row->settings->train.precision),
            corpus[row->input], SEED),
        .warmup = options->warmup,
        .steps = options->steps};
    const struct throughput throughput = throughput_measure(&job);
    turns->steps[round] = throughput.steps / throughput.seconds;
    turns->tokens[round] = (double)throughput.tokens[SIDE_TARGET] / throughput.seconds;
    journal_timing(work->journal, r + 1, "target_tokens_per_second", turns->tokens[round]);
}

/* Writes the values NAME.R for row number R of the grid, from 1. The values are the medians over
 * the rounds, and the spread of the rounds, (maximum - minimum) / median. */
static void summarize(struct stage_work *work, int r, const struct turns *turns)
{
    const struct throughput_options *options = stage_options(work->stage);
    const int rounds = options->rounds;
    double least = turns->steps[0], most = least;
    for (int i = 1; i < rounds; i++) {
        least = fmin(least, turns->steps[i]);
        most = fmax(most, turns->steps[i]);
    }
    const double median = measure_median(turns->steps, rounds);
    struct arena *arena = &work->arena;
    stage_work_real(work, arena_print(arena, "steps_per_second.%d", r + 1), median);
    stage_work_real(work, arena_print(arena, "target_tokens_per_second.%d", r + 1),
                    measure_median(turns->tokens, rounds));
    stage_work_real(work, arena_print(arena, "spread.%d", r + 1), (most - least) / median);
}

/* Measures the rows in turns, with all threads and while no other stage runs. Every second round
 * has the reverse order, so that a machine that slows down during the measurement favors no row. Of
 * several rows that compute the same, only the first is measured, and all get its values. */
static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    const struct throughput_options *options = stage_options(stage);
    const int rounds = options->rounds, all = rounds * stage->rows;
    const int *first = first_rows(stage, &work->arena);
    const struct corpus **corpus = ARENA_ARRAY(&work->arena, const struct corpus *, stage->inputs);
    struct turns *turns = ARENA_ARRAY(&work->arena, struct turns, stage->rows);
    check_machine(stage, &work->arena);
    for (int i = 0; i < stage->inputs; i++)
        corpus[i] = corpus_open(&work->arena, stage->input[i]->folder);
    for (int turn = 0; turn < all; turn++) {
        const int round = turn / stage->rows, place = turn % stage->rows;
        const int r = round % 2 ? stage->rows - 1 - place : place;
        stage_work_progress(work, turn, all, "turns");
        if (first[r] == r) take_turn(work, corpus, r, round, &turns[r]);
    }
    stage_work_progress(work, all, all, "turns");
    for (int r = 0; r < stage->rows; r++) summarize(work, r, &turns[first[r]]);
    stage_work_real(work, "rows", stage->rows);
    return WORK_DONE;
}

const struct offer offer_speed = {
    .kind = "speed",
    .traits = OFFER_MACHINE,
    VALUES(VALUE("steps_per_second", "Speed (steps/s)", NULL, .column = "speed", .decimals = 2)),
    .numbers =
        "steps_per_second. target_tokens_per_second target_tokens_per_second. spread spread. rows",
};

const struct stage_kind kind_speed = {
    .name = "speed",
    .evaluation = &evaluation_speed,
    .traits = KIND_COMPUTES | KIND_PER_GRID | KIND_TIMES,
    .inputs = (const char *const[]){"corpus", NULL},
    .estimate = estimate,
    .run = run,
};
