/* The stage `ter` computes TER of the translations of a stage `score`. */
/* sources: core/base core/text core/decode/metric.* core/decode/ter.* core/decode/statistic.*
 * core/decode/symbols.* results/store/kept_file.* results/store/scored_text.*
 * experiments/stage/rescore.* */
/* rank: 22 */
#include "experiments/stage/rescore.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

static const struct option rows[] = {
    TER_ROWS(0, ""),
};
const struct evaluation evaluation_ter = {
    .section = SECTION("evaluate.ter", "TER of the translations of evaluate.bleu", rows,
                       struct ter_options)};

static enum work_end run(struct stage_work *work)
{
    const struct ter_options *options = stage_options(work->stage);
    return rescore_by(work, &(struct score_metric){.kind = METRIC_TER, .ter = *options});
}

const struct offer offer_ter = {
    .kind = "ter",
    VALUES(VALUE("ter", "TER",
                 "edits from hypotheses to references per 100 reference words; less is better",
                 .column = "ter", .decimals = 2, .best = COLUMN_LEAST, .traits = BY_SET,
                 .observations = observations_metric)),
    .numbers = "sentences",
    .telling = "ter",
};

const struct stage_kind kind_ter = {
    .name = "ter",
    .evaluation = &evaluation_ter,
    .traits = KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "score", NULL},
    .run = run,
    .check = rescore_check,
};
