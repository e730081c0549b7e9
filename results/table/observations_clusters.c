/* Reads observations from clusters.tsv. The mean over all clusters must equal the recorded
 * value. */
#include "results/table/observations_read.h"

/* Returns the sums of a layer by cluster, as items of statistic_ratio. */
static const struct ratio_item *layer_items(const struct observations *clusters,
                                            const struct cluster_means *of, int layer,
                                            struct arena *arena)
{
    struct ratio_item *item = ARENA_ARRAY(arena, struct ratio_item, clusters->items);
    for (int i = 0; i < clusters->sums; i++) {
        const struct cluster_sum *one = &clusters->sum[i];
        if (one->layer != layer ||
            (of->classes ? !texts_have(of->classes, one->class) : *one->class))
            continue;
        item[one->cluster - 1].number += one->sum;
        item[one->cluster - 1].weight += one->count;
    }
    return item;
}

const struct observations *observations_means(const struct observations *clusters,
                                              const struct cluster_means *of, struct arena *arena)
{
    struct observations *means = ARENA_NEW(arena, struct observations);
    const void **item = ARENA_ARRAY(arena, const void *, of->layers);
    *means = *clusters;
    means->statistic = statistic_ratio;
    means->statistic.items = clusters->statistic.items;
    means->strata = (struct strata){1, &means->items};
    means->sets = of->layers;
    means->item = item;
    means->weight = of->weight;
    means->score = 0;
    for (int i = 0; i < of->layers; i++) {
        item[i] = layer_items(clusters, of, of->layer[i], arena);
        means->score += (of->weight ? of->weight[i] : 1) *
                        statistic_of(&means->statistic, means->strata, item[i], NULL);
    }
    return means;
}

void observations_clusters(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const struct measure *measure = offer_measure(job->kind, job->value);
    const char *digest = observations_digest(job, CLUSTERS_FILE);
    const char *path = arena_print(job->arena, "%s/" CLUSTERS_FILE, job->folder);
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
    observations->sum = observations_table(job, path, digest, &clusters_form, &observations->sums);
    if (!observations->sum) return;
    for (int i = 0; i < observations->sums && !observations->problem; i++)
        if (observations->sum[i].cluster > observations->items)
            observations->problem =
                arena_print(job->arena, "%s:%d: cluster %d; expected at most %d", path, i + 2,
                            observations->sum[i].cluster, observations->items);
    if (observations->problem) return;
    const struct cluster_means all = {1, &(const int){0}, NULL, NULL};
    observations->score = observations_means(observations, &all, job->arena)->score;
}

observations_reader *observations_of(const struct measure *measure)
{
    observations_reader *reader = measure ? measure->observations : NULL;
    return reader == observations_clusters ? NULL : reader;
}
