/* Writes the results of the stages `ablate` and `ablatepos`. The stages measure how much the loss
 * rises when a part of the model is changed. An example is a gate that is held at a constant. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/ablate.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Writes metric rows and one line of ablate.tsv for each part. For parts that are not a single
 * head, also writes the sums of each sentence (clusters). Writes the rank correlation of mean gates
 * and mean rises. gate[i] is the mean gate in the unchanged model, if part i holds a gate; NaN
 * excludes part i from the correlation. */
void ablation_write(struct stage_work *work, const struct ablations *all, const double *gate);

/* The measures of both stages. `counted_` is the unit of n in a metric row. */
#define ABLATION_MEASURES(counted_)                                                                \
    VALUE("rise", "Rise", "rise of the loss, in nats", .decimals = 4,                              \
          .traits = BY_LAYER | BY_HEAD | BY_CLASS, .counted = counted_, .items = "sentences",      \
          .observations = observations_clusters),                                                  \
        VALUE("rank_correlation", "Rank correlation",                                              \
              "Spearman correlation of mean gates with the rise of the loss when they are held",   \
              .decimals = 3)
