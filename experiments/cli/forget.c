/* sanlab forget: removes a grid's records and readable names. Its stages stay. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/lease.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/store/stage_folder.h"
#include "experiments/grid/grid_record.h"

/* Dies if a process works on a stage of the record. A running grid needs its record. */
static void check_free(struct arena *arena, const char *runs, const struct grid *record)
{
    struct lease_owner owner;
    const struct grid all = grid_with_trials(record, arena);
    for (struct grid_cursor at = {0}; grid_next(&all, &at); at.stage++) {
        const struct grid_stage *stage = grid_stage_at(&all, &at);
        const char *folder = arena_print(arena, STAGE_FOLDER, stage->kind, stage->id);
        if (lease_held(arena_print(arena, "%s/stages/%s", runs, folder), &owner))
            die("forget: %s: process %d on %s works on its %s; stop it first", record->name,
                owner.pid, owner.host, folder);
    }
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    struct grid *record;
    verb_take_one(call, "grid");
    const char *runs = verb_value(call, "--runs");
    store_need_runs(runs);
    const char *name = grid_argument_name(call, call->word[0]);
    const int records = record_read(runs, name, &record, arena);
    if (!records) die("forget: %s has not run in %s", name, runs);
    for (int i = 0; i < records; i++) check_free(arena, runs, &record[i]);
    file_remove_tree(record_folder(runs, name, arena));
    file_remove_tree(arena_print(arena, "%s/names/%s", runs, name));
    stage_argument_store(call);
    if (verb_switch(call, "--quiet")) return 0;
    printf("%s: %d record%s and its readable names are removed; `sanlab gc` removes the stages "
           "that no other grid uses\n",
           name, records, records == 1 ? "" : "s");
    return 0;
}

const struct verb verb_forget = {.name = "forget", .run = run};
