/* What the stages `ablate` and `ablatepos` have in common: how they say what a loss rises by. */
#ifndef EXPERIMENTS_STAGE_ABLATION_H
#define EXPERIMENTS_STAGE_ABLATION_H

#include "experiments/stage/stage_work.h"
#include "probes/ablate.h"
#include "results/store/clusters.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Where a rise stands: layer and head from 1, 0: of all; class "": of all. */
struct ablation_site {
    const char *class;
    int layer, head;
};

/* How a stage writes its rises: metric rows, a line each of ablate.tsv, and clusters by
 * sentence of those without a head. */
struct ablation_rows {
    struct stage_work *work;
    int sentences;
    FILE *tsv;
    struct cluster_sum *cluster;
    int clusters;
};
/* tsv has a line of names already; the caller ends it with ablation_end. */
void ablation_row(struct ablation_rows *rows, const struct ablation_site *site,
                  const struct rise *rise);
/* Writes the clusters, and the rank correlation of gates and rises at so many places (NaN is not
 * said). */
void ablation_end(struct ablation_rows *rows, const double *gate, const double *rise, int places);

#define ABLATION_TSV "ablate.tsv"
#define ABLATION_HEADER "class\tlayer\thead\tn\trise\tse\tlow\thigh\n"

/* The measures of both; `counted` is what n of a row counts. */
#define ABLATION_MEASURES(counted_, axis_)                                                         \
    {.name = "rise",                                                                               \
     .header = "Rise",                                                                             \
     .help = "by how much the loss rises, in nats",                                                \
     .decimals = 4,                                                                                \
     .dimensions = 1u << DIMENSION_LAYER | 1u << DIMENSION_HEAD | 1u << DIMENSION_CLASS,           \
     .items = "sentences",                                                                         \
     .clusters = observations_clusters,                                                            \
     .axis = axis_,                                                                                \
     .counted = counted_,                                                                          \
     .layers = "Encoder layer"},                                                                   \
    {                                                                                              \
        .name = "rank_correlation", .header = "Rank correlation",                                  \
        .help = "Spearman's, of mean gates and of what the loss rises by where they are held",     \
        .decimals = 3                                                                              \
    }

#endif
