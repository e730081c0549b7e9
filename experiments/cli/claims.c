/* sanlab claims: checks the claims of a paper against a grid's results. */
#include "results/report/claims.h"

#include "experiments/cli/archive_argument.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    static const char *const forms[] = {"text", "md", "latex", "csv", "html", "jsonl", NULL};
    const int form = verb_choice(call, "--format", forms), jsonl = SHEET_HTML + 1;
    archive_argument(call, 0);
    struct plan *plan = grid_argument_plan(call);
    const struct grid summary = grid_argument_summary(call, plan);
    const struct claims claims = plan->claims;
    if (!claims.count)
        die("%s: %s", plan->grid->path,
            plan->grid->claims
                ? "no claim is about rows that exist with these assignments"
                : "claims are missing; expected a list under the key claims, of {text: .., "
                  "compare: [row, row], expect: greater}");
    struct store *store = stage_argument_store(call);
    if (form == SHEET_CSV || form == jsonl)
        claims_rows(store, &summary, &claims, form == jsonl ? EXPORT_JSONL : EXPORT_CSV, stdout);
    else
        sheet_print(claims_sheet(store, &summary, &claims, &call->arena), (enum sheet_form)form,
                    stdout);
    return 0;
}

const struct verb verb_claims = {.name = "claims", .run = run, .more_help = topics_claims_help};
