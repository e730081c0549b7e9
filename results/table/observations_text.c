/* Reads the observations of translations: the counts of every sentence of a score stage's
 * hypotheses. For BLEU, these are n-gram counts; without references, they are those of an
 * archive. */
#include <string.h>

#include "core/base/file.h"
#include "core/decode/metric.h"
#include "results/store/scored_text.h"
#include "results/store/tsv.h"
#include "results/table/observations_read.h"

/* A line of ngrams.tsv. The totals of a sentence follow from hyp_len. */
struct ngram_counts {
    int hyp_len, ref_len, match[NGRAM_ORDER];
};
#define WHOLE(name, field)                                                                         \
    {                                                                                              \
        name, TSV_WHOLE, offsetof(struct ngram_counts, field)                                      \
    }
static const struct tsv_form ngrams_form = {
    "sentence", sizeof(struct ngram_counts), 2 + NGRAM_ORDER, 2 + NGRAM_ORDER,
    (const struct tsv_column[]){WHOLE("hyp_len", hyp_len), WHOLE("ref_len", ref_len),
                                WHOLE("match1", match[0]), WHOLE("match2", match[1]),
                                WHOLE("match3", match[2]), WHOLE("match4", match[3]),
                                WHOLE("match5", match[4]), WHOLE("match6", match[5]),
                                WHOLE("match7", match[6]), WHOLE("match8", match[7])}};

static const char *ngrams_path(const char *folder, int set, int sets, struct arena *arena)
{
    const char *number = sets > 1 ? arena_print(arena, "%d.", set + 1) : "";
    return arena_print(arena, "%s/" OBSERVATIONS_NGRAMS "%stsv", folder, number);
}

void observations_write_ngrams(const struct observations *bleu, const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct ngram_counts *counts = ARENA_ARRAY(&arena, struct ngram_counts, bleu->items);
    if (bleu->problem || bleu->text->no_reference) return;
    for (int set = 0; set < bleu->sets; set++) {
        for (int i = 0; i < bleu->items; i++) {
            const struct bleu_stats *stats = &bleu->text->stats[set][i];
            counts[i] = (struct ngram_counts){(int)stats->hyp_len, (int)stats->ref_len, {0}};
            for (int n = 0; n < NGRAM_ORDER; n++) counts[i].match[n] = (int)stats->match[n];
        }
        tsv_write(ngrams_path(folder, set, bleu->sets, &arena), &ngrams_form, counts, bleu->items);
    }
}

/* Reads the counts of a set from an archive. If they cannot be read, sets the problem. */
static void read_counts(struct observations_job *job, int set, struct bleu_stats *stats)
{
    int count = job->observations->items;
    const struct ngram_counts *counts =
        observations_table(job, ngrams_path(job->folder, set, job->observations->sets, job->arena),
                           NULL, &ngrams_form, &count);
    for (int i = 0; counts && i < count; i++) {
        stats[i] = (struct bleu_stats){.hyp_len = counts[i].hyp_len, .ref_len = counts[i].ref_len};
        for (int n = 0; n < NGRAM_ORDER; n++) {
            stats[i].match[n] = counts[i].match[n];
            stats[i].total[n] = counts[i].hyp_len > n ? counts[i].hyp_len - n : 0;
        }
    }
}

/* Counts the n-grams of a set. */
static void count_set(struct observations_text *text, int set, int items, struct bleu_stats *stats)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const char **reference = ARENA_ARRAY(&scratch, const char *, text->references);
    struct bleu_counter *counter = bleu_counter_open(&text->bleu, NGRAM_ORDER);
    for (int i = 0; i < items; i++) {
        for (int r = 0; r < text->references; r++) reference[r] = text->every_reference[r][i];
        stats[i] = bleu_count(counter, text->hypothesis[set][i], reference, text->references);
    }
    bleu_counter_close(counter);
}

static void count(struct observations_job *job, struct observations_text *text)
{
    struct observations *observations = job->observations;
    const int items = observations->items, sets = observations->sets;
    const struct bleu_stats **stats = ARENA_ARRAY(job->arena, const struct bleu_stats *, sets);
    const void **item = ARENA_ARRAY(job->arena, const void *, sets);
    for (int set = 0; set < sets && !observations->problem; set++) {
        struct bleu_stats *one = ARENA_ARRAY(job->arena, struct bleu_stats, items);
        struct bleu_item *counts = ARENA_ARRAY(job->arena, struct bleu_item, items);
        if (text->no_reference)
            read_counts(job, set, one);
        else
            count_set(text, set, items, one);
        statistic_bleu_items(one, items, counts);
        stats[set] = one;
        item[set] = counts;
    }
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
    const bool counted = scored.problem && scored.reference_file &&
                         file_exists(ngrams_path(job->folder, 0, scored.sets, job->arena));
    observations->problem = counted ? NULL : scored.problem;
    if (!observations->problem && scored.count != observations->items)
        observations->problem =
            arena_print(job->arena, "%s has %d lines, %d were scored", scored.hypothesis_file[0],
                        scored.count, observations->items);
    if (observations->problem) return;
    text->split = scored.split;
    text->hypothesis = scored.hypothesis;
    text->no_reference = scored.problem;
    if (!counted) {
        text->references = scored.references;
        text->every_reference = scored.reference;
        text->reference = scored.reference[0];
    }
    observations->sets = scored.sets;
    observations->files = scored.hypotheses;
    count(job, text);
}

/* ---- chrF and TER ---- */

/* Their stages keep no items. So the items are computed again from the hypotheses of the score
 * stage, which is an input of these stages. */
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
    if (text.problem) return;
    const void **item = ARENA_ARRAY(job->arena, const void *, text.sets);
    for (int set = 0; set < text.sets; set++)
        item[set] = metric_count(metric, text.hypothesis[set], text.reference, text.references,
                                 text.count, job->arena);
    observations->items = text.count;
    observations->sets = text.sets;
    observations->strata = (struct strata){1, &observations->items};
    observations->statistic = metric_statistic(metric);
    observations->files = text.hypotheses;
    observations->item = item;
}
