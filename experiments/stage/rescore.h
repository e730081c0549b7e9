/* Scores the translations of a stage `score` by another metric. Kinds that do this have the inputs
 * {"corpus", "score", NULL}. */
#pragma once

#include "core/decode/beam.h"
#include "core/decode/metric.h"
#include "experiments/stage/stage_work.h"
#include "results/store/scored_text.h"

/* Options of evaluate.bleu: the translated split, the checkpoint, the search, and the score. */
struct score_options {
    int split; /* enum split_name */
    const char *checkpoint;
    struct beam_options beam;
    int precision; /* enum precision of the search and the loss */
    int metric;    /* enum bleu_metric */
    int tokenizer; /* 0: chosen by the corpus; else 1 + enum bleu_tokenizer */
    int compounds; /* enum bleu_compounds */
};
extern const struct evaluation evaluation_score; /* options: struct score_options */
/* Returns the options of BLEU. */
struct bleu_options score_bleu(const struct score_options *score, const struct corpus *corpus);

enum { RESCORE_CORPUS, RESCORE_SCORE };

/* Member `check` of struct stage_kind: dies if a point does not request evaluate.bleu, which
 * provides the translations. */
void rescore_check(struct kind_check *check);
/* Returns the translations of the stage `score` and their references. Dies if the files have
 * changed since they were scored. */
struct scored_text rescore_text(struct stage_work *work);
/* Scores the translations by a metric of this program. Writes the value, under the name of the
 * kind, and its signature. */
enum work_end rescore_by(struct stage_work *work, const struct score_metric *metric);
