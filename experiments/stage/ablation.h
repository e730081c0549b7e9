/* What the stages `ablate` and `ablatepos` have in common: how they say what a loss rises by. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/ablate.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Writes the rises: metric rows, a line each of ablate.tsv, clusters by sentence of those without a
 * head; and how the means of gates that were held, `gate` of each part, rank with them (NaN: it is
 * no such place). */
void ablation_write(struct stage_work *work, const struct ablations *all, const double *gate);

/* The measures of both; `counted` is what n of a row counts. */
#define ABLATION_MEASURES(counted_)                                                                \
    VALUE("rise", "Rise", "by how much the loss rises, in nats", .decimals = 4,                    \
          .traits = BY_LAYER | BY_HEAD | BY_CLASS, .counted = counted_, .items = "sentences",      \
          .observations = observations_clusters),                                                  \
        VALUE("rank_correlation", "Rank correlation",                                              \
              "Spearman's, of mean gates and of what the loss rises by where they are held",       \
              .decimals = 3)
