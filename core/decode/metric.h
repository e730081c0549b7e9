/* A metric of translations: BLEU, chrF or TER, so that whoever scores, resamples and compares need
 * not know which. Of each it has the statistics of a sentence, which are items of a statistic
 * (statistic.h), its name and the signature that stands beside a score. */
#pragma once

#include "core/decode/bleu.h"
#include "core/decode/chrf.h"
#include "core/decode/ter.h"

enum metric_kind { METRIC_BLEU, METRIC_MULTI_BLEU, METRIC_CHRF, METRIC_TER };

struct score_metric {
    int kind; /* enum metric_kind; of the options below those of this kind count */
    struct bleu_options bleu;
    struct chrf_options chrf;
    struct ter_options ter;
};
/* "score": the options of all metrics, as a verb takes them. metric_check fills what follows from
 * them, and dies at an option of a metric that is not asked for. */
extern const struct section metric_section;
void metric_check(struct score_metric *metric);

/* Of its sentences statistic_bleu_sum has more to say than a score. */
bool metric_is_bleu(const struct score_metric *metric);

enum { METRIC_TEXT = BLEU_SIGNATURE_TEXT };
/* "BLEU", "chrF2", "chrF2++", "TER" */
void metric_name(const struct score_metric *metric, char name[METRIC_TEXT]);
/* The signature with what was resampled, as bleu_signature has it. */
void metric_signature(const struct score_metric *metric, int references, const char *resampled,
                      char text[METRIC_TEXT]);
/* The way back, from "NAME|SIGNATURE": false when it is no chrF or TER of ours. What stands behind
 * it is ignored. */
bool metric_read(const char *signature, struct score_metric *metric);
/* Of the items that metric_count makes; it outlives neither the metric nor its options. */
struct statistic metric_statistic(const struct score_metric *metric);
/* hypothesis [count], reference [references][count]: an item for each sentence, in the arena. */
const void *metric_count(const struct score_metric *metric, const char *const *hypothesis,
                         const char *const *const *reference, int references, int count,
                         struct arena *arena);
