/* Computes the observations of chrF and TER. Their stages keep no items. So the items are computed
 * again, from the hypotheses of the score stage. The score stage is an input of these stages. */
#include "core/decode/metric.h"
#include "results/store/scored_text.h"
#include "results/table/observations_read.h"

static void count_sets(struct observations_job *job, const struct score_metric *metric,
                       const struct scored_text *text)
{
    struct observations *observations = job->observations;
    const void **item = ARENA_ARRAY(job->arena, const void *, text->sets);
    observations->items = text->count;
    observations->sets = text->sets;
    observations->strata = (struct strata){1, &observations->items};
    observations->statistic = metric_statistic(metric);
    observations->files = text->hypotheses;
    for (int set = 0; set < text->sets; set++)
        item[set] = metric_count(metric, text->hypothesis[set], text->reference, text->references,
                                 text->count, job->arena);
    observations->item = item;
}

void observations_metric(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct score_metric *metric = ARENA_NEW(job->arena, struct score_metric);
    const char *corpus = observations_input(job, 0), *score = observations_input(job, 1);
    if (!corpus || !score || !observations->signature ||
        !metric_read(observations->signature, metric))
        return;
    const struct scored_text text =
        scored_text_read(job->arena, observations_folder(job, "corpus", corpus),
                         observations_folder(job, "score", score), observations->signature);
    observations->problem = text.problem;
    if (!text.problem) count_sets(job, metric, &text);
}
