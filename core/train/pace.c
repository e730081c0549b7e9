#include "core/train/pace.h"

#include "core/text/batch.h"
#include "core/train/step.h"

#define FIELD(name) offsetof(struct pace_options, name)

static const struct option rows[] = {
    {.key = "steps",
     .type = OPTION_INT,
     .offset = FIELD(steps),
     .fallback = "20",
     .low = 1,
     .high = 1e6,
     .help = "steps of a row that are timed together",
     .flags = OPTION_ID},
    {.key = "warmup",
     .type = OPTION_INT,
     .offset = FIELD(warmup),
     .fallback = "5",
     .low = 0,
     .high = 1e6,
     .help = "steps before them that are not timed",
     .flags = OPTION_ID},
    {.key = "rounds",
     .type = OPTION_INT,
     .offset = FIELD(rounds),
     .fallback = "3",
     .low = 1,
     .high = PACE_ROUNDS,
     .help = "how often the rows take turns; a row's speed is the median",
     .flags = OPTION_ID},
};

const struct section pace_section = {
    .name = "evaluate.speed",
    .help = "time whole training steps of all rows, taking turns in one process",
    .option = rows,
    .count = COUNT_OF(rows),
    .bytes = sizeof(struct pace_options),
};

enum { SEED = 1 }; /* of parameters, dropout and the order of sentences: it does not matter */

struct run {
    const struct pace_job *job;
    struct arena arena;
    struct model *model;
    struct graph *graph;
    struct epoch epoch; /* of micro-batches */
    struct batch *micro;
    int next; /* micro-batch of the epoch */
};

/* A micro-batch's share of the step. */
static int share_of(const struct train_options *train)
{
    return train->batch_tokens / train->accumulate;
}

static void run_open(struct run *run)
{
    const struct pace_job *job = run->job;
    const struct split *split = &job->corpus->split[SPLIT_TRAIN];
    const int share = share_of(job->train);
    struct capacity capacity = {.tokens = {share, share}, .sentences = share};
    for (int side = 0; side < SIDES; side++)
        if (split->longest[side] > capacity.longest) capacity.longest = split->longest[side];
    if (!split->sentences) die("%s: no training sentences", job->corpus->folder);
    run->epoch = epoch_plan(&run->arena, split, share, SEED, 0);
    run->micro = ARENA_ARRAY(&run->arena, struct batch, job->train->accumulate);
    run->model =
        translator_of(&run->arena, job->ops, job->model, job->corpus, job->train->label_smoothing);
    run->graph = model_list(run->model, run->model->arena, GRAPH_TRAIN);
    graph_plan(run->graph, capacity);
    model_place(run->model, true, SEED);
    graph_place(run->graph);
}

static struct step_result advance(struct run *run, int number)
{
    const struct pace_job *job = run->job;
    struct arena arena = {0};
    for (int i = 0; i < job->train->accumulate; i++) {
        const int *begin = run->epoch.begin + run->next;
        run->micro[i] = batch_pack(&arena, &job->corpus->split[SPLIT_TRAIN],
                                   run->epoch.sentence + begin[0], begin[1] - begin[0]);
        run->next = (run->next + 1) % run->epoch.batches;
    }
    const struct step_result result = train_step(run->model, run->graph, job->train, SEED, number,
                                                 run->micro, job->train->accumulate);
    arena_free(&arena);
    return result;
}

struct pace pace_measure(const struct pace_job *job)
{
    struct run run = {.job = job};
    struct pace pace = {.steps = job->steps};
    run_open(&run);
    for (int i = 0; i < job->warmup; i++) advance(&run, i);
    const double begin = clock_seconds();
    for (int i = 0; i < job->steps; i++) {
        const struct step_result result = advance(&run, job->warmup + i);
        pace.tokens[SIDE_SOURCE] += result.source;
        pace.tokens[SIDE_TARGET] += result.target;
    }
    pace.seconds = clock_seconds() - begin;
    graph_release(run.graph);
    model_release(run.model);
    arena_free(&run.arena);
    return pace;
}
