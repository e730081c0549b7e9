/* A pair classifier as what is trained (learner.h): so many labeled pairs a step, the mean or sum
 * of their losses, accuracy of held-out pairs.
 *
 * Trained are the pairs of train whose group is one of those asked for. Held out of them are those
 * of dev of these groups or, where dev has none, every dev_every-th, in the order of the file: the
 * 10th, the 20th, ..
 *
 * A validation says
 *   dev_loss          nats per held-out pair
 *   dev_accuracy      per cent of them that are right: ranks checkpoints
 *   dev_all_groups    the mean of the accuracies of all groups, from `judged` on, that have
 *                     held-out pairs, also those that are not trained (every dev_every-th of their
 *                     train where dev has none): the second rank, as Tran et al. 2018 choose. It
 *                     looks at groups of the test. Only where there are such groups */
#pragma once

#include "core/corpus/labeled.h"
#include "core/model/pair_classifier.h"
#include "core/train/learner.h"
#include "core/train/train.h"

struct relating {
    const struct ops *ops;
    const struct labeled *data;
    const struct pair_options *model;
    const struct train_options *train;
    int first_group, last_group; /* that are trained */
    int judged;                  /* the first group of dev_all_groups */
    int dev_every;
    uint32_t seed;
};

/* Pairs by their numbers, in the order of the file. */
struct relating_part {
    int count;
    int32_t *pair; /* [count] */
};
struct relating_parts {
    struct relating_part train, dev;
    struct relating_part other; /* held-out pairs of groups that are not trained */
};
struct relating_parts relating_parts(struct arena *arena, const struct labeled *data,
                                     int first_group, int last_group, int dev_every);

struct learner *relating_open(struct arena *arena, const struct relating *relating);
void relating_close(struct learner *learner);
