/* Makes the learner of a pair classifier (learner.h). A step has train.batch_pairs labeled pairs.
 * Checkpoints are ranked by the accuracy on held-out pairs.
 *
 * The training set has the pairs of train in the groups first_group .. last_group. The held-out
 * pairs are the pairs of dev in these groups. If dev has none, every dev_every-th pair of the
 * training set, in the order of the file, is held out and not trained. If dev_every is 10, the 10th
 * pair, the 20th pair, .. are held out.
 *
 * Values of a validation:
 *   dev_loss          nats per held-out pair
 *   dev_accuracy      percentage of held-out pairs with the correct class; ranks checkpoints
 *   dev_all_groups    mean accuracy over the groups from `judged` on that have held-out pairs,
 *                     also over groups that are not trained. Their held-out pairs are those of dev;
 *                     if dev has none, every dev_every-th pair of train. This value is the second
 *                     rank, the criterion of Tran et al. 2018. It uses groups on which the model is
 *                     tested. Absent if no group that is not trained has held-out pairs */
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
    int first_group, last_group; /* range of trained groups */
    int judged;                  /* first group of dev_all_groups */
    int dev_every;
    uint32_t seed;
};

/* Indices of pairs, in the order of the file. */
struct relating_subset {
    int count;
    int32_t *pair; /* [count] */
};
struct relating_subsets {
    struct relating_subset train, dev;
    struct relating_subset other; /* held-out pairs of groups that are not trained */
};
struct relating_subsets relating_subsets(struct arena *arena, const struct labeled *data,
                                         int first_group, int last_group, int dev_every);

struct learner *relating_open(struct arena *arena, const struct relating *relating);
void relating_close(struct learner *learner);
