/* The sums from which a stage's means are computed, by cluster: of each sentence, say, the number
 * of words of a class and the sum of their gates. Values in a cluster depend on each other, so a
 * resample draws whole clusters, with all of their classes and layers.
 *
 * clusters.tsv has a line for each sum of one value or more, columns between tabs, which the first
 * line names:
 *   cluster    from 1
 *   layer      from 1; 0: over all layers
 *   class      empty: over all classes
 *   count      how many values the sum is of, above 0
 *   sum        the shortest decimals that read back
 *
 * A mean is the sum over clusters of sums by that of counts. */
#pragma once

#include "core/base/arena.h"

#define CLUSTERS_FILE "clusters.tsv"

struct cluster_sum {
    int cluster, layer;
    const char *class;
    double count, sum;
};

/* Writes it to a stage's folder, all of it or nothing; those without a count are left out. */
void clusters_write(const char *folder, const struct cluster_sum *sum, int count);
/* From such a file's text, which is changed and which they use; *count of them. NULL when it is
 * none, and *problem says why, with the line. */
const struct cluster_sum *clusters_read(struct arena *arena, const char *path, char *text,
                                        size_t bytes, int *count, const char **problem);
