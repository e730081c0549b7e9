/* sanlab export: writes results of the database, or a model, for other programs. */
#include <string.h>

#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/archive_argument.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/model_file.h"
#include "experiments/stage/stage_frozen.h"
#include "results/sheet/cell.h"
#include "results/report/export_sqlite.h"
#include "results/table/points.h"

static int text(struct verb_call *call)
{
    const enum export_format format = strcmp(call->word[0], "csv") ? EXPORT_JSONL : EXPORT_CSV;
    archive_argument(call, 1);
    struct store *store = stage_argument_store(call);
    const char *path = verb_value(call, "--out");
    const bool lengthy = verb_switch(call, "--long");
    struct grid grid;
    struct found_stage *stage;
    if (path) verb_check_file(call, "--out", path);
    cell_spreadsheet = verb_switch(call, "--spreadsheet");
    const int count = stage_argument_choose(call, store, 1, &stage, &grid);
    const bool points = grid.name && !lengthy && !verb_switch(call, "--stages");
    struct file_writer writer = verb_out(call);
    if (points)
        points_print(store, &grid, format, writer.stream);
    else
        query_print(store, stage, count, lengthy ? QUERY_LONG : QUERY_WIDE, format, writer.stream);
    verb_out_end(&writer);
    return 0;
}

/* The words after `sqlite` are a grid with assignments, or a filter. --with verdicts requires a
 * grid. */
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
    archive_argument(call, 1);
    struct store *store = stage_argument_store(call);
    for (const char *const *word = verb_list(call, "--with"); word && *word; word++)
        *of[verb_word(call, "--with", *word, parts)] = true;
    verb_take_word(call, 0);
    if (wanted.verdicts && !call->words)
        die("export sqlite: --with verdicts: expected a grid, which has tests and claims");
    const struct plan *plan = wanted.verdicts ? grid_argument_plan(call) : NULL;
    const int count = stage_argument_choose(call, store, 0, &stage, &summary);
    wanted.grid = summary.name;
    if (plan) summary = grid_argument_summary(call, plan);
    if (plan) claims = plan->claims;
    struct file_writer writer = file_create(path);
    export_sqlite(store, stage, count, &wanted, writer.temporary);
    file_commit(&writer);
    if (!verb_switch(call, "--quiet")) printf("%d stages in %s\n", count, path);
    return 0;
}

/* Writes the files that are needed to convert text to ids. FILE of the corpus becomes PATH.FILE,
 * and a joint vocabulary becomes PATH.vocabulary. */
static void write_beside(struct verb_call *call, const struct corpus *corpus, const char *path)
{
    enum { SOURCE, FILES = 5 };
    const char *const file[FILES] = {
        "vocabulary.source", corpus->joint ? NULL : "vocabulary.target", "codes.bpe",
        corpus->threshold ? "pieces.source" : NULL, corpus->threshold ? "pieces.target" : NULL};
    const char *to[FILES] = {NULL};
    for (int i = 0; i < FILES; i++) {
        if (!file[i]) continue;
        const bool joint = i == SOURCE && corpus->joint;
        to[i] = arena_print(&call->arena, "%s.%s", path, joint ? "vocabulary" : file[i]);
        verb_check_file(call, "--out", to[i]);
    }
    for (int i = 0; i < FILES; i++) {
        if (!file[i]) continue;
        size_t bytes;
        const char *from = arena_print(&call->arena, "%s/%s", corpus->folder, file[i]);
        const char *text = file_read(&call->arena, from, 0, &bytes);
        file_write(to[i], text, bytes);
    }
}

/* Returns words as a JSON list: ["(",")","not",..]. */
static const char *words_text(const char *const *word, int words, struct arena *arena)
{
    return arena_print(arena, "[\"%s\"]", arena_join(arena, word, words, "\",\""));
}

/* Returns the metadata of a classifier of pairs. They include its symbols, because these are too
 * few for a separate file. */
static struct metadata relate_metadata(const struct stage *relate, struct arena *arena)
{
    struct metadata description = relate_description(relate, arena);
    const struct formula_names names = logic_files_names(logic_section_at(relate->settings));
    metadata_add(arena, &description, "symbols", words_text(names.name, names.symbols, arena));
    metadata_add(arena, &description, "relations", words_text(relation_symbols, RELATIONS, arena));
    return description;
}

/* Writes the model of the train or relate stage that the second word selects to one file, with the
 * parameters of --checkpoint. Users of the file need neither the stage's folder nor sanlab;
 * core/model/checkpoint.h describes its names and format. For a train stage, vocabularies and
 * merges are written next to the file. The metadata are computed from the stage, not copied from
 * the checkpoint. So they are also complete for checkpoints of older programs. */
static int model(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const char *path = verb_need(call, "--out"), *words = verb_value(call, "--checkpoint");
    verb_take_changes(call, 1);
    if (call->words != 2)
        die("export model: expected one train or relate stage (an id, a folder's name, or "
            "GRID/ROW/SEED)");
    verb_check_file(call, "--out", path);
    const struct stage *train;
    struct frozen *frozen =
        stage_argument_frozen(call, call->word[1], STAGE_ARGUMENT_MODELS, &train);
    const struct corpus *corpus = frozen->job.corpus; /* NULL: a relate stage */
    const char *steps =
        arena_print(arena, "[%s]", arena_numbers(arena, frozen->step, frozen->steps, ","));
    struct metadata description =
        corpus ? stage_description(train, corpus, arena) : relate_metadata(train, arena);
    const struct tree *encode = alone_encode(arena, train->options);
    if (corpus)
        metadata_add(arena, &description, MODEL_FILE_ENCODE,
                     encode ? tree_text(arena, encode) : "{}");
    metadata_add(arena, &description, "checkpoint", words);
    metadata_add(arena, &description, "steps", steps);
    int64_t newest = 0;
    for (int i = 0; i < frozen->steps; i++)
        if (frozen->step[i] > newest) newest = frozen->step[i];
    if (corpus) write_beside(call, corpus, path);
    checkpoint_write(path, newest, &frozen->model->parameters, &description);
    if (!verb_switch(call, "--quiet"))
        printf("%s, checkpoint %s, steps %s: %s%s\n", train->name, words, steps, path,
               corpus ? arena_print(arena, " and %s.*", path) : "");
    frozen_close(frozen);
    return 0;
}

const struct verb verb_export = {
    .name = "export",
    .action = {{"csv", text}, {"jsonl", text}, {"sqlite", sqlite}, {"model", model}},
    .data = true,
};
