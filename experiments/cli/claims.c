/* sanlab claims: what a paper claims, checked against a grid's results. */
#include "results/report/claims.h"

#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    struct plan *plan = grid_argument_plan(call, 0);
    const struct grid summary = grid_argument_summary(call, plan);
    const struct claims claims = claims_read(plan->grid->claims, &summary, &call->arena);
    if (!claims.count)
        die("%s: it claims nothing; expected a list under its key claims, of {text: .., compare: "
            "[row, row], expect: greater}",
            plan->grid->path);
    struct store *store = stage_argument_store(call);
    sheet_print(claims_sheet(store, &summary, &claims, &call->arena), form, stdout);
    store_close(store);
    return 0;
}

const struct verb verb_claims = {
    .name = "claims",
    .usage = "GRID [key=value ...]",
    .help = "a paper's claims against a grid's results: supported, contradicted, inconclusive",
    .group = VERB_RESULTS,
    .run = run,
    .more_help = claims_help,
    .option = {VERB_VALUE("--format", "FORM", SHEET_FORM_HELP, .fallback = "text")},
    .words = {1, VERB_WORDS},
};
