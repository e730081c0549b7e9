/* A metric of translations: BLEU, chrF or TER, with one interface for scoring, resampling and
 * comparison. A metric has a name, a signature, and one item per sentence, such as its n-gram
 * counts. The score is a statistic of these items (statistic.h). */
#pragma once

#include "core/decode/bleu.h"
#include "core/decode/chrf.h"
#include "core/decode/ter.h"

enum metric_kind { METRIC_BLEU, METRIC_MULTI_BLEU, METRIC_CHRF, METRIC_TER };

struct score_metric {
    int kind; /* enum metric_kind; only the options of this kind are used */
    struct bleu_options bleu;
    struct chrf_options chrf;
    struct ter_options ter;
};
/* Section "score": the options of all metrics, for verbs. metric_check sets the derived options,
 * and dies if an option of another metric is set. */
extern const struct section metric_section;
void metric_check(struct score_metric *metric);
/* Sets the options for scores of single sentences. Dies if the metric does not support them. */
void metric_check_sentences(struct score_metric *metric);

/* Reads the metric from the section of a grid that describes it: evaluate.bleu, evaluate.chrf or
 * evaluate.ter. If `section` is NULL, all options have their defaults. Ignores options that do not
 * belong to a metric. `kind` is the metric if the section does not name one. */
void metric_of_section(const struct tree *section, enum metric_kind kind,
                       struct score_metric *metric, struct arena *arena);

/* True for BLEU, multi-bleu included. Its items are struct bleu_item, which statistic_bleu_sum can
 * sum. */
bool metric_is_bleu(const struct score_metric *metric);

enum { METRIC_TEXT = BLEU_SIGNATURE_TEXT };
/* Writes the name: "BLEU", "chrF2", "chrF2++", "TER". */
void metric_name(const struct score_metric *metric, char name[METRIC_TEXT]);
/* Writes the signature; `resampled` as in bleu_signature. */
void metric_signature(const struct score_metric *metric, int references, const char *resampled,
                      char text[METRIC_TEXT]);
/* Parses "NAME|SIGNATURE". Returns false if the text is not a signature of chrF or TER as sanlab
 * writes it. Ignores trailing text. */
bool metric_read(const char *signature, struct score_metric *metric);
/* Returns the statistic of the items of metric_count. The metric and its options must outlive the
 * statistic. */
struct statistic metric_statistic(const struct score_metric *metric);
/* Compares hypothesis [count] with reference [references][count]. Returns an item for each
 * sentence, in the arena. */
const void *metric_count(const struct score_metric *metric, const char *const *hypothesis,
                         const char *const *const *reference, int references, int count,
                         struct arena *arena);
/* Returns the score of sentence `index` of metric_count's items, as sacreBLEU's sentence_score. */
double metric_sentence(const struct score_metric *metric, const void *item, int index);
