/* sanlab export: what the store knows, and models, for other programs. */
#include <string.h>

#include "core/base/file.h"
#include "core/config/word.h"
#include "experiments/cli/export_model.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query/export.h"

static void write_text(struct verb_call *call, struct store *store, const struct query_stage *stage,
                       int count, enum export_format format)
{
    const char *path = verb_value(call, "--out");
    struct file_writer writer = {.stream = stdout};
    if (path) verb_check_file(call, "--out", path);
    if (path) writer = file_create(path);
    (verb_switch(call, "--long") ? export_long : export_wide)(store, stage, count, format,
                                                              writer.stream);
    if (path) file_commit(&writer);
}

static int run(struct verb_call *call)
{
    static const char *const formats[] = {"csv", "jsonl", "tensorboard", "model", NULL};
    enum { TENSORBOARD = 2, MODEL };
    int format = 0;
    while (formats[format] && strcmp(formats[format], call->word[0]) != 0) format++;
    if (!formats[format])
        word_refuse((struct place){.file = "export"}, "format", "unknown", call->word[0], formats);
    if (verb_switch(call, "--long") && format >= TENSORBOARD)
        die("export %s: --long is of csv and jsonl", formats[format]);
    if (verb_switch(call, "--checkpoint") && format != MODEL)
        die("export %s: --checkpoint is of model", formats[format]);
    if (format == MODEL) return export_model(call);
    const char *folder = verb_value(call, "--out");
    if (format == TENSORBOARD && !folder) die("export tensorboard: --out DIR is missing");
    struct store *store = stage_argument_store(call);
    struct query_stage *stage;
    int count = stage_argument_choose(call, store, 1, &stage);
    if (format == TENSORBOARD) {
        int written = export_tensorboard(store, stage, count, folder);
        if (!verb_switch(call, "--quiet")) printf("%d runs in %s\n", written, folder);
    } else {
        write_text(call, store, stage, count, format ? EXPORT_JSONL : EXPORT_CSV);
    }
    store_close(store);
    return 0;
}

static void more_help(FILE *out)
{
    fputs(GRID_ARGUMENT_MEANING
          "\ncsv, jsonl, tensorboard: stages of a grid, or those that a filter takes; or all.\n"
          "model: what a training has learned, as one file of tensors (safetensors) that says in\n"
          "its metadata what it is, with vocabulary and merges beside it.\n",
          out);
}

const struct verb verb_export = {
    .name = "export",
    .usage = "csv|jsonl|tensorboard ['FILTER' | GRID [key=value ...]], or model STAGE --out FILE",
    .help = "options, results, metrics and models for other programs",
    .run = run,
    .data = true,
    .option = {VERB_VALUE("--out", "PATH", "file, or TensorBoard's folder; else to the screen"),
               VERB_SWITCH("--long", "one line per stage, metric and step, not one per stage"),
               VERB_VALUE("--checkpoint", "WORDS", "of a model: best, last, average(N) or start",
                          .fallback = "best")},
    .more_help = more_help,
    .words = {1, VERB_WORDS},
};
