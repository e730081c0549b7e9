/* The file has no id: what it says of itself is compared with what each training says. */
#include "experiments/cli/alone_export.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/unfinished.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_relate.h"

bool alone_is_export(const char *word)
{
    return shipped_ends(word, ".safetensors") && file_exists(word);
}

/* Options of an older program's file: its truth values may be texts. */
static bool are_same_options(const char *said, const char *own)
{
    struct arena arena = {0};
    const struct tree *a = tree_parse(&arena, "options", said),
                      *b = tree_parse(&arena, "options", own);
    const bool same = tree_covers(a, b) && tree_covers(b, a);
    arena_free(&arena);
    return same;
}

/* Whether the file says all that the training says. */
static bool is_described(const struct tensors *file, const struct metadata *training)
{
    for (int i = 0; i < training->count; i++) {
        const char *key = training->item[i].key, *said = tensors_metadata(file, key),
                   *own = training->item[i].value;
        if (!said) return false;
        if (!strcmp(said, own)) continue;
        if (strcmp(key, "options") != 0 || !are_same_options(said, own)) return false;
    }
    return true;
}

static bool has_tensors(const struct tensors *file, const struct tensors *other)
{
    bool same = file->count == other->count;
    for (int i = 0; same && i < file->count; i++) {
        const struct tensor *a = &file->tensor[i], *b = tensors_find(other, a->name);
        same = b && a->format == b->format && a->count == b->count &&
               !memcmp(a->data, b->data, (size_t)a->count * sizeof(float));
    }
    return same;
}

/* Dies unless the training's checkpoint, written as `export model` writes it, is the file. */
static void check_tensors(struct verb_call *call, const char *path, const struct tensors *file,
                          const struct stage *train, const char *checkpoint)
{
    struct arena arena = {0};
    const struct frozen_job job = stage_argument_job(train, checkpoint, &arena);
    struct frozen *frozen = frozen_open(&arena, &job);
    const struct metadata nothing = {0};
    char *room = file_temporary_folder(verb_value(call, "--runs"));
    unfinished_begin(room);
    const char *copy = arena_print(&arena, "%s/model.safetensors", room);
    frozen_load(frozen, 0);
    checkpoint_write(copy, 0, &frozen->model->parameters, &nothing);
    frozen_close(frozen);
    const struct tensors ours = tensors_read(&arena, copy);
    const bool same = has_tensors(file, &ours);
    unfinished_pass();
    unfinished_end();
    free(room);
    if (!same)
        die("%s: its tensors are not those that %s has as %s", path, train->name, checkpoint);
    arena_free(&arena);
}

static const char *text_of(const struct tensors *file, const char *key, const char *path)
{
    const char *text = tensors_metadata(file, key);
    if (!text) die("%s: no model that `export model` wrote: it does not say its %s", path, key);
    return text;
}

/* NULL: the file is not of this training. */
static const char *folder_if_described(struct verb_call *call, const char *name, const char *path,
                                       const struct tensors *file)
{
    struct arena *arena = &call->arena;
    const char *folder = arena_print(arena, "%s/stages/%s", verb_value(call, "--runs"), name);
    const struct stage *train = stage_load(arena, folder);
    const struct metadata training =
        train->kind->evaluation
            ? relate_description(train, arena)
            : stage_description(train, corpus_open_words(arena, train->input[0]->folder), arena);
    if (!is_described(file, &training)) return NULL;
    check_tensors(call, path, file, train, text_of(file, "checkpoint", path));
    return folder;
}

const char *alone_export(struct verb_call *call, const char *path, const char **checkpoint)
{
    struct arena *arena = &call->arena;
    const struct tensors file = tensors_read(arena, path);
    *checkpoint = text_of(&file, "checkpoint", path);
    text_of(&file, "options", path);
    struct store *store = stage_argument_store(call);
    struct query_stage *stage;
    const char *seed = text_of(&file, "seed", path);
    const char *kind = tensors_metadata(&file, "symbols") ? "relate" : "train";
    /* Folders of others need not be read, which an older program may have written. */
    if (!number_valid(seed)) die("%s: its seed is no number: %s", path, seed);
    const char *filter =
        arena_print(arena, "kind = %s and status = done and seed = %s", kind, seed);
    const int count = query_stages(store, filter, &stage, arena);
    const char *folder = NULL;
    for (int i = 0; i < count && !folder; i++)
        folder = folder_if_described(call, stage[i].folder, path, &file);
    store_close(store);
    if (folder) return folder;
    die("%s: no training in %s has its seed, options and vocabularies; the folder of that training "
        "can be copied here, with its corpus, and be named instead",
        path, verb_value(call, "--runs"));
}
