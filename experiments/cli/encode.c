/* sanlab encode: encodes the sentences of probing tasks by a frozen encoder, and writes the vectors
 * for other classifiers. */
#include "core/base/file.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/verbs.h"

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
    alone_hand_out(call, plan, "encode", false);
    file_make_folder(folder);
    const int status = alone_run(call, plan);
    if (!status) alone_hand_out(call, plan, "encode", true);
    return status;
}

const struct verb verb_encode = {.name = "encode", .run = run, .gpus = true};
