/* What the stages `ablate` and `ablatepos` have in common: how they say what a loss rises by. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/ablate.h"
#include "results/store/clusters.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* How a stage writes its rises: metric rows, a line each of ablate.tsv, clusters by sentence of
 * those without a head; and the places where gates were held, for their rank correlation. */
struct ablation_rows {
    struct stage_work *work;
    int sentences;
    struct file_writer tsv;
    struct cluster_sum *cluster;
    int clusters, places;
    double *gate, *rise; /* [places] */
};
struct ablation_rows ablation_begin(struct stage_work *work, int sentences);
/* `gate` is the mean of the gates that were held there; NaN: it is no such place. */
void ablation_row(struct ablation_rows *rows, const struct value_at *at, const struct rise *rise,
                  double gate);
void ablation_end(struct ablation_rows *rows);

/* The measures of both; `counted` is what n of a row counts. */
#define ABLATION_MEASURES(counted_)                                                                \
    VALUE("rise", "Rise", "by how much the loss rises, in nats", .decimals = 4,                    \
          .traits = BY_LAYER | BY_HEAD | BY_CLASS, .counted = counted_, .items = "sentences",      \
          .observations = observations_clusters),                                                  \
        VALUE("rank_correlation", "Rank correlation",                                              \
              "Spearman's, of mean gates and of what the loss rises by where they are held",       \
              .decimals = 3)
