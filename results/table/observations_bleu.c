/* Reads the observations of BLEU: the hypotheses of a score stage, the references of its corpus,
 * and the n-gram counts of every sentence. */
#include "results/store/scored_text.h"
#include "results/table/observations_read.h"

static void count(struct observations_job *job, struct observations_text *text)
{
    struct observations *observations = job->observations;
    const int items = observations->items, sets = observations->sets;
    const struct bleu_stats **stats = ARENA_ARRAY(job->arena, const struct bleu_stats *, sets);
    const void **item = ARENA_ARRAY(job->arena, const void *, sets);
    const char **reference = ARENA_ARRAY(job->arena, const char *, text->references);
    struct bleu_counter *counter = bleu_counter_open(&text->bleu, NGRAM_ORDER);
    for (int set = 0; set < sets; set++) {
        struct bleu_stats *one = ARENA_ARRAY(job->arena, struct bleu_stats, items);
        struct bleu_item *counts = ARENA_ARRAY(job->arena, struct bleu_item, items);
        for (int i = 0; i < items; i++) {
            for (int r = 0; r < text->references; r++) reference[r] = text->every_reference[r][i];
            one[i] = bleu_count(counter, text->hypothesis[set][i], reference, text->references);
        }
        statistic_bleu_items(one, items, counts);
        stats[set] = one;
        item[set] = counts;
    }
    bleu_counter_close(counter);
    text->stats = stats;
    observations->item = item;
    observations->strata = (struct strata){1, &observations->items};
    observations->statistic = statistic_bleu(&text->bleu);
}

void observations_bleu(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct observations_text *text = ARENA_NEW(job->arena, struct observations_text);
    observations->text = text;
    observations->items = observations_count(job, "sentences");
    text->corpus = observations_input(job, 0);
    text->train = observations_input(job, 1);
    if (!text->corpus || !text->train || !observations->signature || observations->items < 1 ||
        !bleu_signature_read(observations->signature, &text->bleu))
        return;
    text->corpus_folder = observations_folder(job, "corpus", text->corpus);
    const struct scored_text scored =
        scored_text_read(job->arena, text->corpus_folder, job->folder, observations->signature);
    observations->problem = scored.problem;
    if (!scored.problem && scored.count != observations->items)
        observations->problem =
            arena_print(job->arena, "%s has %d lines, %d were scored", scored.hypothesis_file[0],
                        scored.count, observations->items);
    if (observations->problem) return;
    text->split = scored.split;
    text->hypothesis = scored.hypothesis;
    text->references = scored.references;
    text->every_reference = scored.reference;
    text->reference = scored.reference[0];
    observations->sets = scored.sets;
    observations->files = scored.hypotheses;
    count(job, text);
}
