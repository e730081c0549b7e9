/* sanlab probe: the ten probing tasks on the encoder of a training that is done. */
#include <string.h>

#include "experiments/cli/alone.h"
#include "experiments/cli/probe_table.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/probe_vectors.h"

static const struct alone_option options[] = {
    {"--tasks", "evaluate.probe.tasks", true},
    {"--protocol", "evaluate.probe.protocol", false},
    {"--word-content", "evaluate.probe.word_content", false},
    {"--seeds", "evaluate.probe.seeds", false},
    {"--folds", "evaluate.probe.folds", false},
    {"--standardize", "evaluate.probe.standardize", false},
    {"--code", "evaluate.probe.code", false},
    {"--controls", "evaluate.probe.controls", true},
    {NULL, NULL, false},
};

static const struct alone_option of_model[] = {
    {"--path", "evaluate.probe.path", true},
    {"--pool", "evaluate.encode.pool", false},
    {"--rules", "evaluate.encode.rules", false},
    {NULL, NULL, false},
};

/* The last name of a path. */
static char *last_name(const char *path, struct arena *arena)
{
    size_t end = strlen(path), from;
    while (end && path[end - 1] == '/') end--;
    for (from = end; from && path[from - 1] != '/';) from--;
    return arena_text_range(arena, path + from, end - from);
}

/* As a grid writes seeds; 1 of a folder whose files are of all. */
static const char *seeds_of(const char *folder, struct arena *arena)
{
    uint32_t *seed;
    const int count = probe_vectors_seeds(folder, &seed, arena);
    const char *list = count ? "[" : "1";
    for (int i = 0; i < count; i++)
        list = arena_print(arena, "%s%u%s", list, seed[i], i + 1 < count ? ", " : "]");
    return list;
}

/* The document of --vectors DIR: its row has no model. */
static struct tree *vectors_document(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    const struct place place = {.file = "command line: --vectors"};
    struct tree *row, *option = tree_new_text(arena, place, folder);
    const char *name = last_name(folder, arena);
    char *word = last_name(folder, arena);
    for (char *at = word; *(at += strspn(at, NAME_SIGNS));) *at = '-';
    probe_vectors_folder(folder, option, arena);
    struct tree *document = alone_heading(call, word, folder, seeds_of(folder, arena), &row);
    tree_put(arena, row, "name", tree_new_text(arena, place, *name ? name : folder));
    tree_put(arena, row, "vectors", option);
    return document;
}

/* What is asked of an encoder cannot be asked of vectors. */
static void check_vectors(struct verb_call *call)
{
    static const char *const encoder[] = {"--path", "--checkpoint", "--pool", "--rules", NULL};
    const char **value;
    if (call->words) die("probe: --vectors %s: expected no model", verb_value(call, "--vectors"));
    for (const char *const *name = encoder; *name; name++)
        if (verb_values(call, *name, &value))
            die("probe: %s is of a model; expected --vectors without it", *name);
    for (const char *const *word = verb_list(call, "--controls"); *word; word++)
        if (!strcmp(*word, "bag") || !strcmp(*word, "start"))
            die("probe: --controls %s is of a model; vectors have majority alone", *word);
}

static struct plan *make_plan(struct verb_call *call)
{
    const char *folder = verb_value(call, "--vectors");
    const struct stage *train = NULL;
    struct tree *document;
    if (folder) {
        check_vectors(call);
        document = vectors_document(call, folder);
    } else {
        if (!call->words) die("probe: expected a model, a train stage, or --vectors DIR");
        verb_take_one(call, "model");
        document = alone_document(call, call->word[0], &alone_encoder, &train);
        alone_say(call, document, of_model);
    }
    alone_say(call, document, options);
    return alone_plan(call, document, train);
}

static int run(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    if (path) verb_check_file(call, "--out", path);
    struct plan *plan = make_plan(call);
    const int status = alone_run(call, plan);
    if (status == INTERRUPTED_EXIT) return status;
    struct store *store = stage_argument_store(call);
    struct file_writer writer = verb_out(call);
    sheet_print(probe_table(store, &call->arena, plan), form, writer.stream);
    verb_out_end(&writer);
    store_close(store);
    return status;
}

static void more_help(FILE *out)
{
    fputs(
        ALONE_HELP
        "What is done are stages encode and probe of a grid of one row (sanlab ls): a grid that\n"
        "asks for the same finds them done, and what is done is not done again. The same command\n"
        "goes on where it was stopped.\n\n"
        "--vectors: DIR/TASK.npy has a row of float32 for each line of the task's file, in its\n"
        "order; of several seeds DIR/1/TASK.npy, DIR/2/TASK.npy, .. In a grid such a folder is a\n"
        "row: {name: BERT, vectors: DIR}.\n",
        out);
}

const struct verb verb_probe = {
    .name = "probe",
    .usage = "MODEL [key=value ...]|--vectors DIR [--tasks LIST] [--protocol P] [--path P]",
    .help = "probing tasks on the frozen encoder of a train stage, beside their controls",
    .group = VERB_MODELS,
    .run = run,
    .device = true,
    .option = {VERB_VALUE("--vectors", "DIR", "TASK.npy of any program instead of a model; below"),
               ALONE_TASKS,
               VERB_VALUE("--protocol", "NAME", "senteval, fixed, conneau2018, xu2019 or hao2019",
                          .fallback = "fixed"),
               ALONE_PATH,
               VERB_VALUE("--controls", "LIST",
                          "majority (and counted words), bag, start; [] for none",
                          .fallback = "majority,bag,start"),
               ALONE_CHECKPOINT,
               VERB_VALUE("--seeds", "NUMBER", "classifiers of other random numbers; their mean",
                          .fallback = "1"),
               VERB_VALUE("--folds", "NUMBER", "so many folds of all items, not the file's splits",
                          .fallback = "0"),
               VERB_VALUE("--standardize", "true|false",
                          "every number by its mean and deviation over tr", .fallback = "false"),
               VERB_VALUE("--code", "true|false",
                          "the online code of tr, too: its bits and how many times less that is",
                          .fallback = "false"),
               VERB_VALUE("--word-content", "linear|mlp", "the classifier of the task WordContent",
                          .fallback = "linear"),
               ALONE_VECTORS, ALONE_OPTIONS,
               VERB_VALUE("--format", "FORM", SHEET_FORM_HELP, .fallback = "text"),
               VERB_VALUE("--out", "FILE", "the table, instead of the terminal")},
    .more_help = more_help,
    .words = {0, VERB_WORDS},
};
