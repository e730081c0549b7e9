/* Writes the items of a stage to files. The mean of the items is the value of the stage. If items
 * have weights, the value is the sum of the numbers divided by the sum of the weights
 * (core/decode/statistic.h). Items allow a paired significance test with another stage
 * (observations.h).
 *
 * items.tsv has one line per item. With several checkpoints, the files are items.1.tsv,
 * items.2.tsv, .. start.tsv has the same form, for a measure that is a control (offer.h). The first
 * line names the columns. Tabs separate the three or four columns:
 *   number   in the unit of the value. With a weight, in the unit of the value times the unit of
 *            the weight: the nats of a sentence. Has as many digits as the double needs
 *   class    a tag or a bin; may be empty. Its value is in the metric row with the same class
 *   stratum  a task; may be empty. All resamples have the same number of items of a stratum
 *   weight   number above 0: the tokens of a sentence. The column is absent if items have no weight
 *
 * The files are outputs of the stage. The summary of the stage has the value, a signature
 * (measure.signature in offer.h), and in `items` the number of items of each file. Line i is about
 * the same item in all files, and in all stages with the same signature. */
#pragma once

#include "results/store/tsv.h"

struct item {
    double number;               /* finite */
    const char *class, *stratum; /* "": none; without tabs and line breaks */
    double weight;               /* finite and above 0; without weights 0 for all items of a file */
};

/* Returns the name of the file for checkpoint `set` (from 0) of `sets` checkpoints. */
const char *items_file(int set, int sets, struct arena *arena);
/* Writes a file of items to a stage's folder, completely or not at all. */
void items_write(const char *folder, const char *file, const struct item *item, int count);

/* A sum over values of one cluster. Means of a stage are computed from such sums. Example: a
 * cluster is a sentence, and the values are the gates of its nouns. The values of a cluster depend
 * on each other, so a resample draws whole clusters, with all of their classes and layers. A mean
 * is the sum of `sum` over all clusters divided by the sum of `count`. clusters.tsv has a line for
 * each cluster, layer and class with at least one value. */
#define CLUSTERS_FILE "clusters.tsv"
struct cluster_sum {
    int cluster, layer; /* indices from 1; layer 0: sum over all layers */
    const char *class;  /* "": sum over all classes */
    double count, sum;  /* count: number of values in the sum, above 0 */
};

extern const struct tsv_form items_form, clusters_form; /* of struct item and of struct
                                                           cluster_sum */
