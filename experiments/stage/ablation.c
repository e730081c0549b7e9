/* Rises become rows with their standard error and interval, and sums by sentence. */
#include "experiments/stage/ablation.h"

#include <math.h>

#include "results/stats/rank.h"

static void write_metric(struct stage_work *work, const char *name, double value, int64_t n,
                         const struct ablation_site *site)
{
    if (!isfinite(value)) return;
    journal_metric(work->journal,
                   &(struct metric){.name = name,
                                    .step = JOURNAL_NONE,
                                    .value = value,
                                    .layer = site->layer ? site->layer : JOURNAL_NONE,
                                    .head = site->head ? site->head : JOURNAL_NONE,
                                    .set = JOURNAL_NONE,
                                    .class = *site->class ? site->class : NULL,
                                    .n = n});
}

void ablation_row(struct ablation_rows *rows, const struct ablation_site *site,
                  const struct rise *rise)
{
    struct stage_work *work = rows->work;
    const struct rise_mean mean = rise_mean(rise, rows->sentences);
    if (!mean.tokens) return;
    write_metric(work, "rise", mean.mean, mean.tokens, site);
    write_metric(work, "rise_se", mean.error, mean.tokens, site);
    write_metric(work, "rise_low", mean.low, mean.tokens, site);
    write_metric(work, "rise_high", mean.high, mean.tokens, site);
    fprintf(rows->tsv, "%s\t%d\t%d\t%lld\t%.9g\t%.9g\t%.9g\t%.9g\n", site->class, site->layer,
            site->head, (long long)mean.tokens, mean.mean, mean.error, mean.low, mean.high);
    if (!*site->class && !site->layer) stage_work_real(work, "rise", mean.mean);
    for (int s = 0; s < rows->sentences && !site->head; s++) {
        ARENA_MORE(&work->arena, rows->cluster, rows->clusters);
        rows->cluster[rows->clusters++] =
            (struct cluster_sum){s + 1, site->layer, site->class, rise[s].tokens, rise[s].nats};
    }
}

void ablation_end(struct ablation_rows *rows, const double *gate, const double *rise, int places)
{
    struct stage_work *work = rows->work;
    const double correlation = rank_correlation(gate, rise, places);
    clusters_write(work->stage->folder, rows->cluster, rows->clusters);
    stage_work_output(work, CLUSTERS_FILE);
    stage_work_output(work, ABLATION_TSV);
    stage_work_count(work, "sentences", rows->sentences);
    if (!isfinite(correlation)) return;
    stage_work_real(work, "rank_correlation", correlation);
    stage_work_count(work, "ranked", places);
}
