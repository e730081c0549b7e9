/* Measures the throughput of training. The epoch is divided into micro-batches, and a step has the
 * next `accumulate` micro-batches of the epoch. */
#include "core/bench/throughput.h"

#include "core/train/step.h"

#define FIELD(name) offsetof(struct throughput_options, name)

static const struct option rows[] = {
    OPTION_INT("steps", FIELD(steps), "20", 1, 1e6, OPTION_ID,
               "training steps in each timing of a row"),
    OPTION_INT("warmup", FIELD(warmup), "5", 0, 1e6, OPTION_ID,
               "untimed training steps before each timing"),
    OPTION_INT("rounds", FIELD(rounds), "3", 1, MEASURE_ROUNDS, OPTION_ID,
               "timings of each row, taken in turns; a row's speed is their median"),
};

const struct section throughput_section = {
    "evaluate.speed", "speed of whole training steps; all rows take turns in one process", rows,
    COUNT_OF(rows), sizeof(struct throughput_options)};

/* Runs a step of `accumulate` micro-batches, as training does. */
static void advance(const struct throughput_job *job, struct learner *learner, int number,
                    int64_t tokens[SIDES])
{
    const int micros = job->translating.train->accumulate;
    const int all = learner->epoch_steps(learner->context, 0);
    SCOPED(arena_free) struct arena arena = {0};
    struct learner_step whole = {ARENA_ARRAY(&arena, struct batch, micros), micros, 0};
    for (int i = 0; i < micros; i++) {
        const int next = (int)(((int64_t)number * micros + i) % all);
        const struct learner_step step = learner->step(learner->context, 0, next, &arena);
        whole.micro[i] = step.micro[0];
        whole.normalizer += step.normalizer;
        for (int side = 0; side < SIDES; side++) tokens[side] += step.micro->field[side].T;
    }
    train_step(learner, number, &whole);
}

struct throughput throughput_measure(const struct throughput_job *job)
{
    const struct corpus *corpus = job->translating.corpus;
    if (!corpus->split[SPLIT_TRAIN].sentences) die("%s: no training sentences", corpus->folder);
    SCOPED(arena_free) struct arena arena = {0};
    struct throughput throughput = {.steps = job->steps};
    int64_t unused[SIDES] = {0};
    struct learner *learner = translating_open_micro(&arena, &job->translating);
    for (int i = 0; i < job->warmup; i++) advance(job, learner, i, unused);
    const double begin = clock_seconds();
    for (int i = 0; i < job->steps; i++) advance(job, learner, job->warmup + i, throughput.tokens);
    throughput.seconds = clock_seconds() - begin;
    translating_close(learner);
    return throughput;
}
