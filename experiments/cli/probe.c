/* sanlab probe: runs the ten probing tasks on the encoder of a finished training. */
#include <limits.h>
#include <string.h>

#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/probe_vectors.h"
#include "probes/vectors.h"

/* Returns the last component of a path. */
static char *last_name(const char *path, struct arena *arena)
{
    size_t end = strlen(path), from;
    while (end && path[end - 1] == '/') end--;
    for (from = end; from && path[from - 1] != '/';) from--;
    return arena_text_range(arena, path + from, end - from);
}

/* Returns the seeds of a folder of vectors as a grid's file writes them; "1" if all seeds have the
 * same files. */
static const char *seeds_of(const char *folder, struct arena *arena)
{
    int *seed;
    const int count = probe_vectors_seeds(folder, &seed, arena);
    const char *list = NULL;
    for (int i = 0; i < count; i++)
        list = arena_append(arena, list, ", ", arena_print(arena, "%u", seed[i]));
    return list ? arena_print(arena, "[%s]", list) : "1";
}

/* Returns the document of --vectors DIR. Its row has no model. */
static struct tree *vectors_document(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    const struct location location = {.file = "command line: --vectors"};
    struct tree *row, *option = tree_new_text(arena, location, folder);
    const char *name = last_name(folder, arena);
    char *word = last_name(folder, arena);
    for (char *at = word; *(at += strspn(at, NAME_SIGNS));) *at = '-';
    probe_vectors_folder(folder, option, arena);
    struct tree *document = alone_heading(call, word, folder, seeds_of(folder, arena), &row);
    tree_put(arena, row, "name", tree_new_text(arena, location, *name ? name : folder));
    tree_put(arena, row, "vectors", option);
    return document;
}

/* Dies if the folder lacks a view that an option names. */
static void check_view(const char *folder, const char *option, const char *word, const char *view)
{
    if (!probe_vectors_has(folder, view))
        die("probe: %s %s applies to a model, or to vectors with a folder %s; %s has none", option,
            word, view, folder);
}

/* Dies if an option of an encoder is given with --vectors, or a view that the folder lacks. */
static void check_vectors(struct verb_call *call, const char *folder)
{
    static const char *const encoder[] = {"--checkpoint", "--pool", "--rules", NULL};
    const char **value;
    if (call->words) die("probe: --vectors %s: expected no model", folder);
    for (const char *const *name = encoder; *name; name++)
        if (verb_values(call, *name, &value))
            die("probe: %s applies to a model; expected --vectors without it", *name);
    for (const char *const *word = verb_list(call, "--path"); *word; word++)
        check_view(folder, "--path", *word, strcmp(*word, VECTORS_LAYERS) ? *word : "encoder.1");
    for (const char *const *word = verb_list(call, "--controls"); *word; word++)
        if (!strcmp(*word, VECTORS_BAG))
            check_view(folder, "--controls", *word, VECTORS_BAG);
        else if (!strcmp(*word, "start") && !probe_vectors_has(folder, "encoder.output@start"))
            check_view(folder, "--controls", *word, "encoder.1@start");
}

static struct plan *make_plan(struct verb_call *call)
{
    static const char *const options[] = {"--path",         "--tasks", "--protocol",
                                          "--word-content", "--seeds", "--folds",
                                          "--standardize",  "--code",  "--controls"};
    const char *folder = verb_value(call, "--vectors");
    const struct stage *train = NULL;
    struct tree *document;
    if (folder) {
        check_vectors(call, folder);
        document = vectors_document(call, folder);
    } else {
        if (!call->words) die("probe: expected a model, a train stage, or --vectors DIR");
        verb_take_one(call, "model");
        document = alone_document(call, call->word[0], &alone_encoder, &train);
        alone_say(call, document, "--pool", "evaluate.encode.");
        alone_say(call, document, "--rules", "evaluate.encode.");
    }
    for (size_t i = 0; i < COUNT_OF(options); i++)
        alone_say(call, document, options[i], "evaluate.probe.");
    return alone_plan(call, document, train);
}

static int run(struct verb_call *call)
{
    static const char *const measures[] = {"accuracy", "accuracy_sd", "majority", "words",
                                           "bits",     "compression", NULL};
    verb_check_sheet(call);
    struct plan *plan = make_plan(call);
    const int status = alone_run(call, plan);
    if (status == INTERRUPTED_EXIT) return status;
    alone_print(call, plan, "probe", measures, 0);
    return status;
}

const struct verb verb_probe = {.name = "probe", .run = run, .words = {0, INT_MAX}, .gpus = true};
