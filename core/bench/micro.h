/* A translator that trains, each of whose steps is one micro-batch: what benches time has the size
 * of train.batch_tokens / train.accumulate, as training cuts its steps. */
#pragma once

#include "core/train/translating.h"

struct micro {
    struct train_options train; /* of its steps */
    struct learner *learner;
};

/* Placed, in the arena; `micro` stays where it is until it is closed. */
void micro_open(struct micro *micro, struct arena *arena, const struct translating *translating);
void micro_close(struct micro *micro);
int micro_batches(const struct micro *micro); /* of the first epoch */
/* That one of the first epoch; it lives in the arena. */
struct learner_step micro_step(const struct micro *micro, int number, struct arena *arena);
