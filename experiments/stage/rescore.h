/* What the kinds have in common that score the translations of a stage `score` once more, each by a
 * metric of its own: .inputs = {"corpus", "score", NULL}. */
#pragma once

#include "core/decode/beam.h"
#include "core/decode/metric.h"
#include "experiments/stage/stage_work.h"
#include "results/store/scored_text.h"

/* evaluate.bleu: which text is translated, how, and with which checkpoint. */
struct score_options {
    int split; /* enum split_name */
    const char *checkpoint;
    struct beam_options beam;
    int precision; /* enum precision, that is searched in */
};
extern const struct evaluation evaluation_score; /* of a struct score_options */

enum { RESCORE_CORPUS, RESCORE_SCORE };

/* A kind's check: dies where a point does not ask for evaluate.bleu, whose translations it is
 * about. */
void rescore_check(struct kind_check *check);
/* The translations of its score; dies when they are not what was scored. */
struct scored_text rescore_text(struct stage_work *work);
/* How many sentences there will be. */
double rescore_sentences(struct stage *stage, struct arena *arena);
/* Scores them by a metric of this program: a value that is called as the kind, its signature. */
enum work_end rescore_by(struct stage_work *work, const struct score_metric *metric);
