/* The stage `chrf` computes chrF of the translations of a stage `score`. */
/* sources: core/base core/text core/decode/metric.* core/decode/chrf.* core/decode/statistic.*
 * core/decode/symbols.* results/store/kept_file.* results/store/scored_text.*
 * experiments/stage/rescore.* */
/* rank: 21 */
#include "experiments/stage/rescore.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

static const struct option rows[] = {
    CHRF_ROWS(0, ""),
};
const struct evaluation evaluation_chrf = {
    .section = SECTION("evaluate.chrf", "chrF of the translations of evaluate.bleu", rows,
                       struct chrf_options)};

static enum work_end run(struct stage_work *work)
{
    const struct chrf_options *options = stage_options(work->stage);
    return rescore_by(work, &(struct score_metric){.kind = METRIC_CHRF, .chrf = *options});
}

const struct offer offer_chrf = {
    .kind = "chrf",
    VALUES(VALUE("chrf", "chrF",
                 "F-score of character n-grams shared with the references, 0 to 100",
                 .column = "chrf", .decimals = 2, .best = COLUMN_MOST, .traits = BY_SET,
                 .observations = observations_metric)),
    .numbers = "sentences",
    .telling = "chrf",
};

const struct stage_kind kind_chrf = {
    .name = "chrf",
    .evaluation = &evaluation_chrf,
    .traits = KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "score", NULL},
    .run = run,
    .check = rescore_check,
};
