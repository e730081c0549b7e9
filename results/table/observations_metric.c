/* chrF and TER: the hypotheses of the score that a stage read, counted again. */
#include <string.h>

#include "core/decode/metric.h"
#include "results/store/scored_text.h"
#include "results/table/observations_read.h"

/* "..|refs:DIGEST|.." of the signature must be the references' own. */
static bool same_references(const char *signature, const char *digest)
{
    const char *at = strstr(signature, "|refs:");
    const size_t length = strlen(digest);
    return at && !strncmp(at + 6, digest, length) && (at[6 + length] == '|' || !at[6 + length]);
}

static void count_sets(struct observations_job *job, const struct score_metric *metric,
                       const struct scored_text *text)
{
    struct observations *observations = job->observations;
    const void **item = ARENA_ARRAY(job->arena, const void *, text->sets);
    observations->items = text->count;
    observations->sets = text->sets;
    observations->strata = (struct strata){1, &observations->items};
    observations->statistic = metric_statistic(metric);
    observations->files = text->sets > 1 ? "hypotheses.*.txt" : "hypotheses.txt";
    for (int set = 0; set < text->sets; set++) {
        item[set] = metric_count(metric, text->hypothesis[set], text->reference, text->references,
                                 text->count, job->arena);
        observations->score +=
            observations->statistic.of_set(observations->statistic.context, observations->strata,
                                           item[set], NULL) /
            text->sets;
    }
    observations->item = item;
}

static void read(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct score_metric *metric = ARENA_NEW(job->arena, struct score_metric);
    const json_t *inputs = json_object_get(job->stage, "inputs");
    const char *corpus = json_string_value(json_array_get(inputs, 0)),
               *score = json_string_value(json_array_get(inputs, 1));
    observations->signature = observations_word(job, job->summary, "signature");
    if (!corpus || !score || !observations->signature ||
        !metric_read(observations->signature, metric)) {
        observations->problem =
            arena_print(job->arena, "%s: not what this version writes", job->folder);
        return;
    }
    const struct scored_text text =
        scored_text_read(job->arena, observations_folder(job, "corpus", corpus),
                         observations_folder(job, "score", score));
    observations->problem = text.problem;
    if (text.problem) return;
    if (!same_references(observations->signature, text.digest)) {
        observations->problem =
            arena_print(job->arena, "%s has changed since it was scored (its digest is %s)",
                        text.reference_file[0], text.digest);
        return;
    }
    count_sets(job, metric, &text);
    observations_check(job, "hypotheses",
                       json_number_value(json_object_get(job->summary, job->value)));
}

const struct observations *observations_metric(struct store *store, const char *kind,
                                               const char *id, const char *value, const char *class)
{
    return observations_read(store, kind, id, value, class, read);
}
