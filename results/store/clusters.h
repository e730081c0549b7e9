/* The sums behind the means of a stage, cluster by cluster: of each sentence, say, how many words
 * of a class it has and the sum of their gates. What is in one cluster depends on each other, so
 * clusters are what is resampled, and of all classes and layers at once.
 *
 * clusters.tsv has a line for each sum that is of something, columns between tabs, which the first
 * line names:
 *   cluster    from 1
 *   layer      from 1; 0: of all
 *   class      empty: of all, whatever their class
 *   count      of what the sum is, above 0
 *   sum        the shortest decimals that read back
 *
 * A mean is the sum over clusters of sums by that of counts. */
#ifndef RESULTS_STORE_CLUSTERS_H
#define RESULTS_STORE_CLUSTERS_H

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

#endif
