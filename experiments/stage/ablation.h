/* Output of the stages `ablate` and `ablatepos`: rises of the loss. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/ablate.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Writes the rises: metric rows, one line each of ablate.tsv, and sums by sentence (clusters) of
 * the parts without a head. Writes the rank correlation of mean gates and mean rises. `gate`: the
 * mean gate of each part if its gate is held; NaN excludes the part from the correlation. */
void ablation_write(struct stage_work *work, const struct ablations *all, const double *gate);

/* The measures of both stages. `counted`: the unit of n in a row. */
#define ABLATION_MEASURES(counted_)                                                                \
    VALUE("rise", "Rise", "rise of the loss, in nats", .decimals = 4,                              \
          .traits = BY_LAYER | BY_HEAD | BY_CLASS, .counted = counted_, .items = "sentences",      \
          .observations = observations_clusters),                                                  \
        VALUE("rank_correlation", "Rank correlation",                                              \
              "Spearman correlation of mean gates with the rise of the loss when they are held",   \
              .decimals = 3)
