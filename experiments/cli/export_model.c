/* Exports a model. The file describes the stage as it is today, not as written in the checkpoint,
 * so checkpoints of older programs are described as well. */
#include "experiments/cli/export_model.h"

#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_frozen.h"

/* Writes the files that turn text into ids: FILE of the corpus as PATH.FILE, a joint vocabulary as
 * PATH.vocabulary. */
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

/* Returns "[20,30]". */
static const char *steps_text(const struct frozen *frozen, struct arena *arena)
{
    const char *text = "[";
    for (int i = 0; i < frozen->steps; i++)
        text = arena_print(arena, "%s%s%lld", text, i ? "," : "", (long long)frozen->step[i]);
    return arena_print(arena, "%s]", text);
}

/* Returns ["(",")","not",..]: words by index. */
static const char *words_text(const char *const *word, struct arena *arena)
{
    const char *text = "[";
    for (int i = 0; word[i]; i++)
        text = arena_print(arena, "%s%s\"%s\"", text, i ? "," : "", word[i]);
    return arena_print(arena, "%s]", text);
}

/* A classifier of pairs has its few symbols in the metadata, not in files. */
static struct metadata relate_metadata(const struct stage *relate, struct arena *arena)
{
    struct metadata description = relate_description(relate, arena);
    const struct formula_names names = logic_files_names(logic_section_at(relate->settings));
    metadata_add(arena, &description, "symbols", words_text(names.name, arena));
    metadata_add(arena, &description, "relations", words_text(relation_symbols, arena));
    return description;
}

int export_model(struct verb_call *call)
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
    struct metadata description =
        corpus ? stage_description(train, corpus, arena) : relate_metadata(train, arena);
    metadata_add(arena, &description, "checkpoint", words);
    metadata_add(arena, &description, "steps", steps_text(frozen, arena));
    int64_t newest = 0;
    for (int i = 0; i < frozen->steps; i++)
        if (frozen->step[i] > newest) newest = frozen->step[i];
    if (corpus) write_beside(call, corpus, path);
    checkpoint_write(path, newest, &frozen->model->parameters, &description);
    if (!verb_switch(call, "--quiet"))
        printf("%s, checkpoint %s, steps %s: %s%s\n", train->name, words, steps_text(frozen, arena),
               path, corpus ? arena_print(arena, " and %s.*", path) : "");
    frozen_close(frozen);
    return 0;
}
