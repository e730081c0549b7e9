/* Common code of kinds that score the translations of a stage `score` by another metric: .inputs =
 * {"corpus", "score", NULL}. */
#pragma once

#include "core/decode/beam.h"
#include "core/decode/metric.h"
#include "experiments/stage/stage_work.h"
#include "results/store/scored_text.h"

/* evaluate.bleu: the translated split, the search, the checkpoint, and the score. */
struct score_options {
    int split; /* enum split_name */
    const char *checkpoint;
    struct beam_options beam;
    int precision; /* enum precision of the search */
    int metric;    /* enum bleu_metric */
    int tokenizer; /* 0: that of the corpus; else 1 + enum bleu_tokenizer */
    int compounds; /* enum bleu_compounds */
};
extern const struct evaluation evaluation_score; /* options: struct score_options */

enum { RESCORE_CORPUS, RESCORE_SCORE };

/* For struct stage_kind, check: dies if a point does not request evaluate.bleu, whose translations
 * are needed. */
void rescore_check(struct kind_check *check);
/* Returns the translations of the score. Dies if they are not the scored ones. */
struct scored_text rescore_text(struct stage_work *work);
/* Returns the expected number of sentences. */
double rescore_sentences(struct stage *stage, struct arena *arena);
/* Scores the translations by a metric of this program. Writes the value, which has the name of the
 * kind, and its signature. */
enum work_end rescore_by(struct stage_work *work, const struct score_metric *metric);
