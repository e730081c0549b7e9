/* A stage is copied into a folder beside RUNS/stages and moved there when all digests hold. */
#include "experiments/cli/alone_copy.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/corpus/corpus.h"
#include "core/model/checkpoint.h"
#include "experiments/stage/stage.h"
#include "results/store/kept_file.h"
#include "results/store/stage_folder.h"

/* All but what belongs to a process: the lock, and what was being written. */
static void copy_tree(struct arena *arena, const char *from, const char *to)
{
    DIR *folder = file_open_folder(from);
    file_make_folder(to);
    for (const char *name; (name = file_next(folder));) {
        const char *source = arena_print(arena, "%s/%s", from, name);
        const char *target = arena_print(arena, "%s/%s", to, name);
        if (file_is_temporary(name) || !strcmp(name, "lock")) continue;
        if (file_is_folder(source))
            copy_tree(arena, source, target);
        else if (file_exists(source))
            file_copy(source, target);
        else
            die("%s: not a regular file", source);
    }
}

/* By digests that lie within: of a corpus corpus.json's, of a training its checkpoints'. */
static void check_inside(struct arena *arena, const char *folder)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++) {
        const char *fault = checkpoint_fault(arena, folder, step[i]);
        if (fault) die("%s: checkpoint of step %lld: %s", folder, (long long)step[i], fault);
    }
    if (!file_exists(arena_print(arena, "%s/corpus.json", folder))) return;
    const bool whole =
        file_exists(arena_print(arena, "%s/" CORPUS_TEXT, folder)); /* no archive's */
    corpus_close(whole ? corpus_open(arena, folder) : corpus_open_words(arena, folder));
}

static void check_digests(struct arena *arena, const char *folder)
{
    json_t *done = json_file_read(arena_print(arena, "%s/" STAGE_DONE, folder)), *expected;
    const char *name;
    json_object_foreach(json_object_get(done, "outputs"), name, expected) {
        const char *path = arena_print(arena, "%s/%s", folder, name);
        if (*name == '/' || strstr(name, "..") || !json_is_string(expected))
            die("%s: " STAGE_DONE ": output \"%s\" is not a file of this folder", folder, name);
        const char *fault = kept_fault(arena, path, json_string_value(expected));
        if (fault) die("%s %s", path, fault);
    }
    json_decref(done);
    check_inside(arena, folder);
}

static void copy_stage(struct arena *arena, const char *runs, const char *from, const char *to)
{
    check_digests(arena, from);
    const char *stages = arena_print(arena, "%s/stages", runs);
    file_make_folder(stages);
    char *room = file_temporary_folder(runs);
    const char *copy = arena_print(arena, "%s/copy", room);
    copy_tree(arena, from, copy);
    check_digests(arena, copy);
    file_rename(copy, to);
    file_remove_tree(room);
    free(room);
}

/* The folder's name that a record gives its stage. */
static const char *name_of(struct arena *arena, const json_t *record, const char *folder)
{
    const char *id = json_string_value(json_object_get(record, "id"));
    const char *kind = json_string_value(json_object_get(record, "kind"));
    if (!id || strspn(id, "0123456789abcdef") != DIGEST_TEXT - 1 || !kind || !stage_kind_find(kind))
        die("%s/" STAGE_RECORD ": expected the kind and the id of a stage", folder);
    return arena_print(arena, STAGE_FOLDER, kind, id);
}

/* What lies beside a folder under that name. */
static const char *beside(struct arena *arena, const char *folder, const char *name)
{
    size_t bytes = strlen(folder);
    while (bytes && folder[bytes - 1] == '/') bytes--;
    while (bytes && folder[bytes - 1] != '/') bytes--;
    return arena_print(arena, "%.*s%s", (int)bytes, folder, name);
}

/* The inputs of a training: its text. */
static void copy_inputs(struct arena *arena, const char *runs, const json_t *record,
                        const char *folder)
{
    const struct stage_kind *kind =
        stage_kind_find(json_string_value(json_object_get(record, "kind")));
    const json_t *id;
    size_t i;
    if (!kind->inputs) return;
    json_array_foreach(json_object_get(record, "inputs"), i, id) {
        const char *text = json_is_string(id) ? json_string_value(id) : "";
        const char *name = arena_print(arena, STAGE_FOLDER, kind->inputs[0], text);
        const char *to = arena_print(arena, "%s/stages/%s", runs, name);
        const char *from = beside(arena, folder, name);
        if (file_exists(arena_print(arena, "%s/" STAGE_DONE, to))) continue;
        if (!file_exists(arena_print(arena, "%s/" STAGE_DONE, from)))
            die("%s: it reads %s, which lies neither beside it nor in %s: copy that folder, too",
                folder, name, runs);
        copy_stage(arena, runs, from, to);
    }
}

const char *alone_copy(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    const char *runs = verb_value(call, "--runs");
    json_t *record = json_file_read(arena_print(arena, "%s/" STAGE_RECORD, folder));
    const char *to = arena_print(arena, "%s/stages/%s", runs, name_of(arena, record, folder));
    if (!file_exists(arena_print(arena, "%s/" STAGE_DONE, to))) {
        if (!file_exists(arena_print(arena, "%s/" STAGE_DONE, folder)))
            die("%s: this stage is not finished (" STAGE_DONE " is missing)", folder);
        copy_inputs(arena, runs, record, folder);
        copy_stage(arena, runs, folder, to);
    }
    json_decref(record);
    return to;
}
