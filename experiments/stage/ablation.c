/* Rises become rows with their standard error and interval, and sums by sentence. */
#include "experiments/stage/ablation.h"

#include <math.h>

#include "results/stats/rank.h"

#define ABLATION_TSV "ablate.tsv"

/* The values of a part, and its line of ablate.tsv. */
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
    const struct rise_mean mean = rise_mean(rise, rows->sentences);
    const char *class = at->class ? at->class : "";
    if (!mean.tokens) return;
    stage_work_value(work, "rise", mean.mean, mean.tokens, *at);
    stage_work_value(work, "rise_se", mean.error, mean.tokens, *at);
    stage_work_value(work, "rise_low", mean.low, mean.tokens, *at);
    stage_work_value(work, "rise_high", mean.high, mean.tokens, *at);
    fprintf(rows->tsv.stream, "%s\t%d\t%d\t%lld\t%.9g\t%.9g\t%.9g\t%.9g\n", class, at->layer,
            at->head, (long long)mean.tokens, mean.mean, mean.error, mean.low, mean.high);
    for (int s = 0; s < rows->sentences && !at->head; s++) {
        if (!rise[s].tokens) continue;
        ARENA_MORE(arena, rows->cluster, rows->clusters);
        rows->cluster[rows->clusters++] =
            (struct cluster_sum){s + 1, at->layer, class, rise[s].tokens, rise[s].nats};
    }
    if (isnan(gate)) return;
    ARENA_MORE(arena, rows->gate, rows->places);
    ARENA_MORE(arena, rows->rise, rows->places);
    rows->gate[rows->places] = gate, rows->rise[rows->places++] = mean.mean;
}

void ablation_end(struct ablation_rows *rows)
{
    struct stage_work *work = rows->work;
    const double correlation = rank_correlation(rows->gate, rows->rise, rows->places);
    stage_work_commit(work, &rows->tsv, ABLATION_TSV);
    tsv_write(stage_work_path(work, CLUSTERS_FILE), &clusters_form, rows->cluster, rows->clusters);
    stage_work_output(work, CLUSTERS_FILE);
    stage_work_real(work, "sentences", all->sentences);
    const double correlation = rank_correlation(held, rises, places);
    if (!isfinite(correlation)) return;
    stage_work_real(work, "rank_correlation", correlation);
    stage_work_real(work, "ranked", places);
}
