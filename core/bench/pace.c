/* A step is made of the next micro-batches of an epoch that was planned for these. */
#include "core/bench/pace.h"

#include "core/train/step.h"

#define FIELD(name) offsetof(struct pace_options, name)

static const struct option rows[] = {
    ROW_INT("steps", FIELD(steps), "20", 1, 1e6, OPTION_ID,
            "steps of a row that are timed together"),
    ROW_INT("warmup", FIELD(warmup), "5", 0, 1e6, OPTION_ID,
            "steps before them that are not timed"),
    ROW_INT("rounds", FIELD(rounds), "3", 1, PACE_ROUNDS, OPTION_ID,
            "how often the rows take turns; a row's speed is the median"),
};

const struct section pace_section = {
    .name = "evaluate.speed",
    .help = "time whole training steps of all rows, taking turns in one process",
    .option = rows,
    .count = COUNT_OF(rows),
    .bytes = sizeof(struct pace_options),
};

struct run {
    const struct pace_job *job;
    struct arena arena;
    struct train_options share; /* of a micro-batch: a step of its own */
    struct learner *learner;
    struct batch *micro;
    int next; /* micro-batch of the epoch */
};

static void run_open(struct run *run, const struct pace_job *job)
{
    struct translating translating = job->translating;
    *run = (struct run){.job = job, .share = *translating.train};
    if (!translating.corpus->split[SPLIT_TRAIN].sentences)
        die("%s: no training sentences", translating.corpus->folder);
    run->share.batch_tokens /= run->share.accumulate;
    run->share.accumulate = 1;
    run->micro = ARENA_ARRAY(&run->arena, struct batch, translating.train->accumulate);
    translating.train = &run->share;
    run->learner = translating_open(&run->arena, &translating);
    model_place(run->learner->model, true, translating.seed);
    graph_place(run->learner->list);
}

static void advance(struct run *run, int number, int64_t tokens[SIDES])
{
    const struct train_options *train = run->job->translating.train;
    struct learner *learner = run->learner;
    struct arena arena = {0};
    int64_t normalizer = 0;
    for (int i = 0; i < train->accumulate; i++) {
        const struct learner_step step = learner->step(learner->context, 0, run->next, &arena);
        run->micro[i] = step.micro[0];
        normalizer += step.normalizer;
        for (int side = 0; side < SIDES; side++) tokens[side] += run->micro[i].field[side].T;
        run->next = (run->next + 1) % learner->epoch_steps(learner->context, 0);
    }
    train_step(learner->model, learner->list, train, learner->seed, number, run->micro,
               train->accumulate, normalizer);
    arena_free(&arena);
}

struct pace pace_measure(const struct pace_job *job)
{
    struct run run;
    struct pace pace = {.steps = job->steps};
    int64_t unused[SIDES] = {0};
    run_open(&run, job);
    for (int i = 0; i < job->warmup; i++) advance(&run, i, unused);
    const double begin = clock_seconds();
    for (int i = 0; i < job->steps; i++) advance(&run, job->warmup + i, pace.tokens);
    pace.seconds = clock_seconds() - begin;
    translating_close(run.learner);
    arena_free(&run.arena);
    return pace;
}
