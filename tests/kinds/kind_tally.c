/* The stage `tally`, for tests/slow/new_kind.sh: a task of its own, which needs no text. */
/* sources: core/base core/config */
/* rank: 5 */
#include "experiments/stage/stage_work.h"
#include "results/store/offer.h"

struct tally_options {
    int to;
};

static const struct option rows[] = {
    OPTION_INT("to", offsetof(struct tally_options, to), "3", 1, 1000, OPTION_ID,
               "the last number"),
};
const struct evaluation evaluation_tally = {
    .section = SECTION("tally", "numbers, added up", rows, struct tally_options)};

static enum work_end run(struct stage_work *work)
{
    const struct tally_options *options = stage_options(work->stage);
    int sum = 0;
    for (int i = 1; i <= options->to; i++) sum += i;
    stage_work_real(work, "sum", sum);
    return WORK_DONE;
}

const struct offer offer_tally = {
    .kind = "tally",
    .traits = OFFER_EXACT,
    VALUES(VALUE("sum", "Sum", NULL, .column = "tally", .form = COLUMN_EXACT)),
    .telling = "sum",
};

const struct stage_kind kind_tally = {
    .name = "tally",
    .task = "tally",
    .evaluation = &evaluation_tally,
    .traits = KIND_SINGLE,
    .run = run,
};
