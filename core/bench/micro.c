/* A learner plans its list for the largest step that its options allow: with the options of a
 * micro-batch it is no larger than in training. */
#include "core/bench/micro.h"

void micro_open(struct micro *micro, struct arena *arena, const struct translating *translating)
{
    struct translating cut = *translating;
    micro->train = *translating->train;
    micro->train.batch_tokens /= micro->train.accumulate;
    micro->train.accumulate = 1;
    cut.train = &micro->train;
    micro->learner = translating_open(arena, &cut);
    model_place(micro->learner->model, true, translating->seed);
    graph_place(micro->learner->list);
}

void micro_close(struct micro *micro)
{
    translating_close(micro->learner);
}

int micro_batches(const struct micro *micro)
{
    return micro->learner->epoch_steps(micro->learner->context, 0);
}

struct learner_step micro_step(const struct micro *micro, int number, struct arena *arena)
{
    return micro->learner->step(micro->learner->context, 0, number, arena);
}
