/* Writes the results of ablations: metric rows with standard errors and intervals, ablate.tsv, and
 * the sums of each sentence. */
#include "experiments/stage/ablation.h"

#include <math.h>

#include "core/base/rank.h"

#define ABLATION_TSV "ablate.tsv"

/* Writes the values of a part of the model, and its line in ablate.tsv. */
static void write_part(struct stage_work *work, const struct ablation *part,
                       const struct rise_mean *mean, FILE *tsv)
{
    const struct value_at at = {.layer = part->layer, .head = part->head, .class = part->name};
    stage_work_value(work, "rise", mean->mean, mean->tokens, at);
    stage_work_value(work, "rise_se", mean->error, mean->tokens, at);
    stage_work_value(work, "rise_low", mean->low, mean->tokens, at);
    stage_work_value(work, "rise_high", mean->high, mean->tokens, at);
    fprintf(tsv, "%s\t%d\t%d\t%lld\t%.9g\t%.9g\t%.9g\t%.9g\n", part->name ? part->name : "",
            part->layer, part->head, (long long)mean->tokens, mean->mean, mean->error, mean->low,
            mean->high);
}

void ablation_write(struct stage_work *work, const struct ablations *all, const double *gate)
{
    struct arena *arena = &work->arena;
    const size_t count = (size_t)all->count;
    struct cluster_sum *cluster =
        ARENA_ARRAY(arena, struct cluster_sum, count * (size_t)all->sentences);
    double *held = ARENA_ARRAY(arena, double, count), *rises = ARENA_ARRAY(arena, double, count);
    int clusters = 0, places = 0;
    struct file_writer tsv = stage_work_create(work, ABLATION_TSV);
    fputs("class\tlayer\thead\tn\trise\tse\tlow\thigh\n", tsv.stream);
    for (int i = 0; i < all->count; i++) {
        const struct ablation *part = &all->of[i];
        const struct rise *rise = all->rise + (size_t)i * (size_t)all->sentences;
        const struct rise_mean mean = rise_mean(rise, all->sentences);
        if (!mean.tokens) continue;
        write_part(work, part, &mean, tsv.stream);
        for (int s = 0; s < all->sentences && !part->head; s++)
            if (rise[s].tokens)
                cluster[clusters++] = (struct cluster_sum){
                    s + 1, part->layer, part->name ? part->name : "", rise[s].tokens, rise[s].nats};
        if (!isnan(gate[i])) held[places] = gate[i], rises[places++] = mean.mean;
    }
    stage_work_commit(work, &tsv, ABLATION_TSV);
    tsv_write(stage_work_path(work, CLUSTERS_FILE), &clusters_form, cluster, clusters);
    stage_work_output(work, CLUSTERS_FILE);
    stage_work_real(work, "sentences", all->sentences);
    const double correlation = rank_correlation(held, rises, places);
    if (!isfinite(correlation)) return;
    stage_work_real(work, "rank_correlation", correlation);
    stage_work_real(work, "ranked", places);
}
