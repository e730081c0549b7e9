/* sanlab redo: one stage again, and what reads it. */
#include <string.h>

#include "core/base/file.h"
#include "core/model/device.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan_disk.h"
#include "experiments/plan/plan_folders.h"
#include "experiments/plan/plan_redo.h"
#include "experiments/run/runner.h"
#include "experiments/stage/environment.h"

static bool is_left(const struct redo_left *left, const char *name)
{
    for (int i = 0; i < left->count; i++)
        if (!strcmp(left->stage[i]->name, name)) return true;
    return false;
}

static void put_away(struct arena *arena, const struct plan *plan, const struct redo_left *left)
{
    for (int i = 0; i < left->count; i++)
        if (file_is_folder(left->stage[i]->folder)) plan_put_away(arena, plan, left->stage[i]);
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const struct runner_options options = {.workers = verb_number(call, "-j"),
                                           .form = DISPLAY_AUTO,
                                           .goes_on = "a run of their grid goes on",
                                           .quiet = verb_switch(call, "--quiet")};
    verb_take_one(call, "stage");
    json_decref(environment_ask(device_used())); /* one that does not work ends it here */
    struct store *store = stage_argument_store(call);
    const struct found_stage stage = stage_place_one(call, store, call->word[0], NULL);
    struct found_stage *again;
    const int folders = find_readers(store, stage.id, &again, arena);
    const char **path = ARENA_ARRAY(arena, const char *, folders);
    for (int i = 0; i < folders; i++) path[i] = again[i].path;
    store_close(store);
    struct redo_left left;
    struct plan *plan = plan_redo(arena, verb_value(call, "--runs"), path, folders, &left);
    plan_estimate(arena, plan, false);
    plan_check_disk(arena, plan, false);
    for (int i = 0; i < folders && !options.quiet; i++)
        printf(!i ? "%s: done again\n"
               : is_left(&left, again[i].folder)
                   ? "%s reads it and runs a program: a run of its grid does it again\n"
                   : "%s reads it: done again as well\n",
               again[i].folder);
    fflush(stdout);
    put_away(arena, plan, &left);
    plan_put_all_away(arena, plan);
    const int status = runner_run(arena, plan, &options);
    /* And what a run of the grid has done meanwhile, from what was there before. */
    put_away(arena, plan, &left);
    return status;
}

static void more_help(FILE *out)
{
    fputs("What reads the stage is done again, too, in every grid. What runs a program\n"
          "(evaluate.command) is done again by a run of its grid. What there was goes to\n"
          "RUNS/replaced, of all of them before the first begins. Nothing is begun when text\n"
          "that is to be read has gone or changed. A run of their grid goes on where a redo was\n"
          "stopped.\n",
          out);
}

const struct verb verb_redo = {
    .name = "redo",
    .usage = "STAGE|GRID/ROW/SEED/KIND [key=value ...]",
    .help = "one stage again, whatever its state, and what reads it",
    .group = VERB_HOUSE,
    .run = run,
    .device = true,
    .option = {VERB_NUMBER("-j", "0", 0, 256,
                           "workers at a time; 0: as many as cores or ready stages")},
    .more_help = more_help,
    .words = {1, VERB_WORDS},
};
