/* sanlab ls: lists stages. */
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query/query.h"

static int run(struct verb_call *call)
{
    static const char *const formats[] = {"text", "csv", "json", "jsonl", NULL};
    static const enum export_format export[] = {0, EXPORT_CSV, EXPORT_JSON, EXPORT_JSONL};
    const char *const *columns = verb_list(call, "--columns");
    int format = verb_choice(call, "--format", formats);
    if (format && *columns)
        die("ls: --columns: expected --format text; `sanlab export csv` has every key");
    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    struct grid grid;
    const int count = stage_argument_choose(call, store, 0, &stage, &grid);
    if (format)
        query_print(store, stage, count, QUERY_LIST, export[format], stdout);
    else
        sheet_text(query_list(store, stage, count, *columns ? columns : NULL, &call->arena),
                   stdout);
    return 0;
}

const struct verb verb_ls = {.name = "ls", .run = run};
