/* sanlab export: writes results of the store, and models, for other programs. */
#include <string.h>

#include "experiments/cli/export_model.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/cell.h"
#include "results/report/export_sqlite.h"
#include "results/table/points.h"

/* Finds the points of the grid that the words from word[first] on select; false if they select
 * none. */
static bool find_points(struct verb_call *call, int first, struct grid *grid)
{
    const int words = call->words, changes = call->changes;
    if (!stage_argument_is_alone(call, first)) return false;
    verb_take_changes(call, first + 1);
    if (grid_argument_points(call, call->word[first], grid)) return true;
    call->words = words; /* they are a filter */
    call->changes = changes;
    return false;
}

static int text(struct verb_call *call)
{
    const enum export_format format = strcmp(call->word[0], "csv") ? EXPORT_JSONL : EXPORT_CSV;
    struct store *store = stage_argument_store(call);
    const char *path = verb_value(call, "--out");
    const bool lengthy = verb_switch(call, "--long");
    struct grid grid;
    struct found_stage *stage;
    int count = 0;
    if (path) verb_check_file(call, "--out", path);
    cell_spreadsheet = verb_switch(call, "--spreadsheet");
    const bool points = !lengthy && !verb_switch(call, "--stages") && find_points(call, 1, &grid);
    if (!points) count = stage_argument_choose(call, store, 1, &stage);
    struct file_writer writer = verb_out(call);
    if (points)
        points_print(store, &grid, format, writer.stream);
    else
        query_print(store, stage, count, lengthy ? QUERY_LONG : QUERY_WIDE, format, writer.stream);
    verb_out_end(&writer);
    return 0;
}

static int tensorboard(struct verb_call *call)
{
    const char *folder = verb_need(call, "--out");
    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    const int count = stage_argument_choose(call, store, 1, &stage),
              written = query_tensorboard(store, stage, count, folder);
    if (!verb_switch(call, "--quiet")) printf("%d runs in %s\n", written, folder);
    return 0;
}

/* The words after the format are a grid with assignments, which verdicts require, or a filter. */
static int sqlite(struct verb_call *call)
{
    static const char *const parts[] = {"items", "hypotheses", "verdicts", NULL};
    const char *path = verb_need(call, "--out");
    struct grid summary;
    struct claims claims;
    struct export_parts wanted = {
        .summary = &summary, .claims = &claims, .defaults = stage_argument_defaults};
    bool *const of[] = {&wanted.items, &wanted.hypotheses, &wanted.verdicts};
    struct found_stage *stage;
    verb_check_file(call, "--out", path);
    struct store *store = stage_argument_store(call);
    for (const char *const *word = verb_list(call, "--with"); word && *word; word++)
        *of[verb_word(call, "--with", *word, parts)] = true;
    verb_take_word(call, 0);
    if (wanted.verdicts) {
        if (!stage_argument_is_alone(call, 0))
            die("export sqlite: --with verdicts: expected a grid, whose tests and claims they are");
        struct plan *plan = grid_argument_plan(call, 0);
        summary = grid_argument_summary(call, plan);
        claims = plan->claims;
        wanted.grid = summary.name;
    } else if (stage_argument_is_alone(call, 0) && find_points(call, 0, &summary)) {
        wanted.grid = summary.name;
    }
    const int count = stage_argument_choose(call, store, 0, &stage);
    struct file_writer writer = file_create(path);
    export_sqlite(store, stage, count, &wanted, writer.temporary);
    file_commit(&writer);
    if (!verb_switch(call, "--quiet")) printf("%d stages in %s\n", count, path);
    return 0;
}

const struct verb verb_export = {
    .name = "export",
    .action = {{"csv", text},
               {"jsonl", text},
               {"tensorboard", tensorboard},
               {"sqlite", sqlite},
               {"model", export_model}},
    .data = true,
};
