/* The items of a stage, in its folder. Their mean is the stage's value. With weights, the value is
 * the sum of the numbers divided by the sum of the weights (core/decode/statistic.h). With items,
 * the value can be tested against another stage's, item by item (observations.h).
 *
 * items.tsv (items.1.tsv, items.2.tsv, .. of several checkpoints) has one line per item and three
 * or four columns separated by tabs, named by the first line. start.tsv has the same form, for a
 * measure that is a control (offer.h):
 *   number   in the unit of the value; with a weight, in that unit times the weight's: the nats of
 *            a sentence. Written as the shortest decimals that read back exactly
 *   class    a tag or a bin, whose value is in the metric row of that name and class; may be empty
 *   stratum  a task: every resample has equally many items of it; may be empty
 *   weight   above 0, if items have a weight: the tokens of a sentence
 *
 * The files are outputs of the stage. The stage's summary has the value, a signature (offer.h:
 * measure.signature), and in `items` the number of items of each file. A line is about the same
 * item in all sets, and in all stages of that signature. */
#pragma once

#include "results/store/tsv.h"

struct item {
    double number;               /* finite */
    const char *class, *stratum; /* "": none; without tabs and line breaks */
    double weight;               /* finite and above 0; 0 for all items of a file: no weights */
};

/* Returns the file name of set `set` (from 0) of `sets`. */
const char *items_file(int set, int sets, struct arena *arena);
/* Writes a file of items to a stage's folder, completely or not at all. */
void items_write(const char *folder, const char *file, const struct item *item, int count);

/* Sums by cluster, from which a stage's means are computed. Example: for each sentence, the number
 * of words of a class and the sum of their gates. Values of a cluster depend on each other, so a
 * resample draws whole clusters, with all of their classes and layers. A mean is the sum of `sum`
 * over clusters divided by the sum of `count`. clusters.tsv has a line for each sum of at least one
 * value. */
#define CLUSTERS_FILE "clusters.tsv"
struct cluster_sum {
    int cluster, layer; /* from 1; layer 0: over all layers */
    const char *class;  /* "": over all classes */
    double count, sum;  /* count: number of values in the sum, above 0 */
};

extern const struct tsv_form items_form, clusters_form; /* of struct item, struct cluster_sum */
