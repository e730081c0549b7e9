/* The items of a stage: the numbers of which its value is the mean, or with weights the ratio of
 * the sums of both (core/decode/statistic.h), in its folder, so that the value can be tested
 * against another stage's item by item (observations.h).
 *
 * items.tsv, or of several checkpoints items.1.tsv, items.2.tsv and so on, has a line per item,
 * with three columns between tabs, or four, which the first line names (start.tsv is the same of a
 * measure that is a control: offer.h):
 *   number     in the unit of the value; with a weight in that times the weight's: the nats of a
 *              sentence; the shortest decimals that read back
 *   class      of which the stage has a value, too (a tag, a bin), in the metric row of that name
 *              and class; may be empty
 *   stratum    of which every resample has as many items (a task); may be empty
 *   weight     above 0, where items have one: the tokens of a sentence
 *
 * The stage has the files among its outputs, and in its summary the value, a signature (offer.h:
 * measure.signature), and in `items` how many items each file has. A line is of the same thing in
 * all sets and in all stages of that signature. */
#pragma once

#include "results/store/tsv.h"

struct item {
    double number;               /* finite */
    const char *class, *stratum; /* "": none; without tabs and line breaks */
    double weight;               /* finite and above 0; 0 of all items of a file: none */
};

/* The name of the file of set `set` of `sets`, from 0. */
const char *items_file(int set, int sets, struct arena *arena);
/* Writes it to a stage's folder: all of it or nothing. */
void items_write(const char *folder, const char *file, const struct item *item, int count);

/* The sums from which a stage's means are computed, by cluster: of each sentence, say, the number
 * of words of a class and the sum of their gates. Values in a cluster depend on each other, so a
 * resample draws whole clusters, with all of their classes and layers. A mean is the sum over
 * clusters of sums by that of counts. clusters.tsv has a line for each sum of one value or more. */
#define CLUSTERS_FILE "clusters.tsv"
struct cluster_sum {
    int cluster, layer; /* from 1; layer 0: over all layers */
    const char *class;  /* "": over all classes */
    double count, sum;  /* how many values the sum is of, above 0 */
};

extern const struct tsv_form items_form, clusters_form; /* of struct item, struct cluster_sum */
