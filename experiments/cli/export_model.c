/* The file says what its stage says today, not what is written in the checkpoint: so one that an
 * older program saved explains itself as well. */
#include "experiments/cli/export_model.h"

#include "core/base/file.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/stage_frozen.h"

/* A file of the corpus becomes PATH.NAME. */
static void copy_beside(const struct corpus *corpus, const char *file, const char *path,
                        const char *name)
{
    struct arena arena = {0};
    size_t bytes;
    const char *text =
        file_read(&arena, arena_print(&arena, "%s/%s", corpus->folder, file), 0, &bytes);
    file_write(arena_print(&arena, "%s.%s", path, name), text, bytes);
    arena_free(&arena);
}

static void copy_text(const struct corpus *corpus, const char *path)
{
    copy_beside(corpus, "codes.bpe", path, "codes.bpe");
    if (corpus->joint) {
        copy_beside(corpus, "vocabulary.source", path, "vocabulary");
    } else {
        copy_beside(corpus, "vocabulary.source", path, "vocabulary.source");
        copy_beside(corpus, "vocabulary.target", path, "vocabulary.target");
    }
    if (!corpus->threshold) return;
    copy_beside(corpus, "pieces.source", path, "pieces.source");
    copy_beside(corpus, "pieces.target", path, "pieces.target");
}

/* [20,30] */
static const char *steps_text(const struct frozen *frozen, struct arena *arena)
{
    const char *text = "[";
    for (int i = 0; i < frozen->steps; i++)
        text = arena_print(arena, "%s%s%lld", text, i ? "," : "", (long long)frozen->step[i]);
    return arena_print(arena, "%s]", text);
}

int export_model(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const char *path = verb_value(call, "--out"), *words = verb_value(call, "--checkpoint");
    if (call->words != 2)
        die("export model: expected one train stage (an id, a folder's name, or GRID/ROW/SEED)");
    if (!path) die("export model: --out FILE is missing");
    if (verb_switch(call, "--long")) die("export model: --long is of csv and jsonl");
    if (file_is_folder(path)) die("export model: %s is a folder; expected a file", path);
    const struct stage *train;
    struct frozen *frozen = stage_argument_frozen(call, call->word[1], &train);
    const struct corpus *corpus = frozen->job.corpus;
    struct metadata description = stage_description(train, corpus, arena);
    metadata_add(arena, &description, "checkpoint", words);
    metadata_add(arena, &description, "steps", steps_text(frozen, arena));
    int64_t newest = 0;
    for (int i = 0; i < frozen->steps; i++)
        if (frozen->step[i] > newest) newest = frozen->step[i];
    copy_text(corpus, path);
    checkpoint_write(path, newest, &frozen->model->parameters, &description);
    if (!verb_switch(call, "--quiet"))
        printf("%s, checkpoint %s, steps %s: %s and %s.*\n", train->name, words,
               steps_text(frozen, arena), path, path);
    frozen_close(frozen);
    return 0;
}
