/* sanlab encode: encodes the sentences of probing tasks by a frozen encoder, and writes the vectors
 * for other classifiers. */
#include <string.h>

#include "core/base/file.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/probe_options.h"

/* If `write` is true, writes the vectors of each task to TASK.npy or, with several paths, to
 * PATH/TASK.npy. Returns the number of files. Dies if a file exists with other content. */
static int write_out(struct verb_call *call, const struct plan *plan, const char *folder,
                     bool write)
{
    struct arena *arena = &call->arena;
    const struct texts keep = encode_paths(plan->grid->row[0].resolved->settings);
    int files = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        if (strcmp(stage->kind->name, "encode") != 0) continue;
        for (int p = 0; p < keep.count; p++, files++) {
            const char *into =
                keep.count > 1 ? arena_print(arena, "%s/%s", folder, keep.text[p]) : folder;
            alone_hand_out(call, arena_print(arena, "%s/%s.npy", stage->folder, keep.text[p]),
                           arena_print(arena, "%s/%s.npy", into, stage->part), write);
        }
    }
    return files;
}

static int run(struct verb_call *call)
{
    const char *folder = verb_need(call, "--out");
    verb_take_one(call, "model");
    verb_check_folder(call, "--out", folder);
    const struct stage *train;
    struct tree *document = alone_document(call, call->word[0], &alone_encoder, &train);
    alone_say(call, document, "--tasks", "evaluate.encode.");
    alone_say(call, document, "--path", "evaluate.encode.keep");
    alone_say(call, document, "--pool", "evaluate.encode.");
    alone_say(call, document, "--rules", "evaluate.encode.");
    struct plan *plan = alone_plan(call, document, train);
    plan_need(plan, "encode");
    write_out(call, plan, folder, false);
    file_make_folder(folder);
    const int status = alone_run(call, plan);
    if (status) return status;
    const int files = write_out(call, plan, folder, true);
    if (!verb_switch(call, "--quiet"))
        printf("%d file%s in %s\n", files, files == 1 ? "" : "s", folder);
    return 0;
}

const struct verb verb_encode = {.name = "encode", .run = run};
