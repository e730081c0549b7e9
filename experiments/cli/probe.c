/* sanlab probe: the ten probing tasks on the encoder of a training that is done. */
#include "core/base/file.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/probe_table.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static const struct alone_option options[] = {
    {"--tasks", "evaluate.probe.tasks", true},
    {"--protocol", "evaluate.probe.protocol", false},
    {"--path", "evaluate.probe.path", true},
    {"--controls", "evaluate.probe.controls", true},
    {"--word-content", "evaluate.probe.word_content", false},
    {"--seeds", "evaluate.probe.seeds", false},
    {"--folds", "evaluate.probe.folds", false},
    {"--standardize", "evaluate.probe.standardize", false},
    {"--checkpoint", "evaluate.encode.checkpoint", false},
    {"--pool", "evaluate.encode.pool", false},
    {"--rules", "evaluate.encode.rules", false},
    {NULL, NULL, false},
};

static int run(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    if (path) verb_check_file(call, "--out", path);
    const struct stage *train = alone_model(call, call->word[0]);
    struct tree *document = alone_document(call, train);
    alone_say(call, document, options);
    struct plan *plan = alone_plan(call, document, train);
    const int status = alone_run(call, plan);
    if (status == INTERRUPTED_EXIT) return status;
    struct store *store = stage_argument_store(call);
    struct file_writer writer = {.stream = stdout};
    if (path) writer = file_create(path);
    sheet_print(probe_table(store, &call->arena, plan), form, writer.stream);
    if (path) file_commit(&writer);
    store_close(store);
    return status;
}

static void more_help(FILE *out)
{
    fputs(
        "MODEL is a train stage (an id, 4 digits of it at least, or GRID/ROW/SEED), or the path "
        "of\n"
        "a train stage's folder that was copied from elsewhere, with its corpus beside it.\n\n"
        "What is done are stages encode and probe of a grid of one row, which its name (sanlab "
        "ls)\n"
        "says: a grid that asks for the same finds them done, and what is done is not done again.\n"
        "The same command goes on where it was stopped.\n",
        out);
}

const struct verb verb_probe = {
    .name = "probe",
    .usage = "MODEL [--tasks LIST] [--protocol P] [--path P]",
    .help = "probing tasks on the frozen encoder of a train stage, beside their controls",
    .run = run,
    .device = true,
    .option =
        {VERB_VALUE("--tasks", "LIST", "senteval, a file, or some of senteval's: Tense,TreeDepth",
                    .fallback = "senteval"),
         VERB_VALUE("--protocol", "NAME", "senteval, fixed, conneau2018, xu2019 or hao2019",
                    .fallback = "fixed"),
         VERB_VALUE("--path", "LIST",
                    "encoder.output, encoder.2, encoder.group.1, .., bag; layers: every layer",
                    .fallback = "encoder.output"),
         VERB_VALUE("--controls", "LIST", "majority (and counted words), bag, start; [] for none",
                    .fallback = "majority,bag,start"),
         VERB_VALUE("--checkpoint", "WORDS", "best, last, average(N) or start", .fallback = "best"),
         VERB_VALUE("--seeds", "NUMBER", "classifiers of other random numbers; their mean",
                    .fallback = "1"),
         VERB_VALUE("--folds", "NUMBER", "so many folds of all items, not the file's splits",
                    .fallback = "0"),
         VERB_VALUE("--standardize", "true|false", "every number by its mean and deviation over tr",
                    .fallback = "false"),
         VERB_VALUE("--word-content", "linear|mlp", "the classifier of the task WordContent",
                    .fallback = "linear"),
         VERB_VALUE("--pool", "WORD", "mean, max or last: what pieces' vectors become",
                    .fallback = "mean"),
         VERB_VALUE("--rules", "WORD",
                    "how tokens are rewritten: moses, tatoeba, a .tsv, none; else as the corpus "
                    "says"),
         ALONE_OPTIONS, VERB_VALUE("--format", "FORM", SHEET_FORM_HELP, .fallback = "text"),
         VERB_VALUE("--out", "FILE", "the table, instead of the terminal")},
    .more_help = more_help,
    .words = {1, 1},
};
