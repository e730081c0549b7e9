/* Reads observations from clusters.tsv. The mean over all clusters must equal the recorded
 * value. */
#include "results/store/kept_file.h"
#include "results/table/observations_read.h"

/* Returns the mean over all layers and classes. The lines without layer and class have the sums
 * over all layers and classes. */
static double mean_of(const struct observations *observations)
{
    double sum = 0, count = 0;
    for (int i = 0; i < observations->sums; i++) {
        const struct cluster_sum *one = &observations->sum[i];
        if (one->layer || *one->class) continue;
        sum += one->sum;
        count += one->count;
    }
    return sum / count;
}

void observations_clusters(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const struct measure *measure = offer_measure(job->kind, job->value);
    const char *digest = observations_digest(job, CLUSTERS_FILE);
    const char *path = arena_print(job->arena, "%s/" CLUSTERS_FILE, job->folder);
    size_t bytes;
    observations->files = CLUSTERS_FILE;
    observations->sets = 1;
    observations->statistic.items = measure && measure->items ? measure->items : "clusters";
    observations->items = observations_count(job, "sentences");
    observations->absent = !digest;
    if (!digest || observations->items < 1 || !observations->signature) {
        observations->problem =
            arena_print(job->arena, "%s has no " CLUSTERS_FILE, observations->name);
        return;
    }
    char *text = kept_read(job->arena, path, digest, &bytes, &observations->problem);
    if (!text) return;
    observations->sum = tsv_read(job->arena, path, &clusters_form, text, bytes, &observations->sums,
                                 &observations->problem);
    for (int i = 0; i < observations->sums && !observations->problem; i++)
        if (observations->sum[i].cluster > observations->items)
            observations->problem =
                arena_print(job->arena, "%s:%d: cluster %d; expected at most %d", path, i + 2,
                            observations->sum[i].cluster, observations->items);
    if (!observations->problem) observations->score = mean_of(observations);
}

observations_reader *observations_of(const struct measure *measure)
{
    observations_reader *reader = measure ? measure->observations : NULL;
    return reader == observations_clusters ? NULL : reader;
}
