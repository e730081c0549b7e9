/* Finds the model of a verb in a file of `export model`, or in a stage's folder outside of RUNS.
 * Checks all stages before it copies the first one. Copies each stage to a temporary folder in
 * RUNS, and moves the copy to RUNS/stages if all digests are correct. */
#include "experiments/cli/alone.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/json_file.h"
#include "core/base/unfinished.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/corpus/corpus_folder.h"
#include "core/model/checkpoint.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/keep/verify_summary.h"
#include "experiments/stage/stage_frozen.h"
#include "results/store/kept_file.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

bool alone_is_export(const char *word)
{
    return shipped_ends(word, ".safetensors") && file_exists(word);
}

/* True if two texts have the same options. In a file of an older program, booleans may be texts. */
static bool are_same_options(const char *said, const char *own)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct tree *a = tree_parse(&arena, "options", said),
                      *b = tree_parse(&arena, "options", own);
    return tree_covers(a, b) && tree_covers(b, a);
}

/* True if the file has all metadata of the training, with the same values. */
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

/* True if the file has exactly these parameters, with the same values. */
static bool has_parameters(const struct tensors *file, const struct parameters *parameters)
{
    bool same = file->count == parameters->count;
    for (int i = 0; same && i < file->count; i++) {
        const struct parameter *own = parameters->item[i];
        const struct tensor *tensor = tensors_find(file, own->path);
        const size_t count = (size_t)own->rows * (size_t)own->columns;
        SCOPED(heap_free) real *value = heap_alloc(count * sizeof *value);
        parameters->ops->download(value, parameters->master + own->offset, count * sizeof *value);
        same = tensor && tensor->format == TENSOR_REAL && (size_t)tensor->count == count &&
               !memcmp(tensor->data, value, count * sizeof *value);
    }
    return same;
}

/* Dies unless the file has the parameters of the training's checkpoint. */
static void check_tensors(const char *path, const struct tensors *file, const struct stage *train,
                          const char *checkpoint)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct frozen_job job = stage_argument_job(train, checkpoint, &arena);
    struct frozen *frozen = frozen_open(&arena, &job);
    frozen_load(frozen, 0);
    if (!has_parameters(file, &frozen->model->parameters))
        die("%s: its tensors are not those of %s, checkpoint %s", path, train->name, checkpoint);
    frozen_close(frozen);
}

static const char *text_of(const struct tensors *file, const char *key, const char *path)
{
    const char *text = tensors_metadata(file, key);
    if (!text)
        die("%s: is not a model that `sanlab export model` wrote: its metadata has no %s", path,
            key);
    return text;
}

/* Returns the folder of the stage `name`; NULL if the file does not belong to this training. */
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
    check_tensors(path, file, train, text_of(file, "checkpoint", path));
    return folder;
}

const char *alone_export(struct verb_call *call, const char *path, const char **checkpoint)
{
    struct arena *arena = &call->arena;
    const struct tensors file = tensors_read(arena, path);
    *checkpoint = text_of(&file, "checkpoint", path);
    text_of(&file, "options", path);
    struct store *store = stage_argument_store(call);
    struct found_stage *stage;
    const char *seed = text_of(&file, "seed", path);
    const char *kind = tensors_metadata(&file, "symbols") ? "relate" : "train";
    /* Selects by seed first, because an older program may have written folders of other
     * trainings. */
    if (!number_valid(seed)) die("%s: its seed is not a number: %s", path, seed);
    const char *done = arena_print(arena, "kind = %s and status = done", kind);
    const char *same = arena_print(arena, "%s and seed = %s", done, seed);
    const bool some = query_stages(store, done, &stage, arena) > 0;
    const int count = some ? query_stages(store, same, &stage, arena) : 0;
    const char *folder = NULL;
    for (int i = 0; i < count && !folder; i++)
        folder = folder_if_described(call, stage[i].folder, path, &file);
    stage_argument_close(call);
    if (folder) return folder;
    die("%s: no training in %s has its seed, options and vocabularies; copy the folders of its "
        "training and corpus here, and name the training instead",
        path, verb_value(call, "--runs"));
}

/* Copies a folder without the lock and temporary files of a process. */
static void copy_tree(struct arena *arena, const char *from, const char *to)
{
    DIR *folder = file_open_folder(from);
    file_make_folder(to);
    for (const char *name; (name = file_next(folder));) {
        const char *source = arena_print(arena, "%s/%s", from, name);
        const char *target = arena_print(arena, "%s/%s", to, name);
        if (file_is_temporary(name) || !strcmp(name, "lock")) continue;
        unfinished_pass();
        if (file_is_folder(source))
            copy_tree(arena, source, target);
        else
            file_copy(source, target);
    }
}

/* Dies if the folder has something other than regular files and folders. A link, for example, would
 * be copied as the content of a file outside of the folder. */
static void check_regular(struct arena *arena, const char *path)
{
    if (!file_is_folder(path)) {
        if (!file_exists(path)) die("%s: not a regular file", path);
        return;
    }
    DIR *folder = file_open_folder(path);
    for (const char *name; (name = file_next(folder));)
        check_regular(arena, arena_print(arena, "%s/%s", path, name));
}

/* Checks the digests that corpus.json and the checkpoints of a folder list. */
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
        file_exists(arena_print(arena, "%s/" CORPUS_TEXT, folder)); /* not in an archive */
    corpus_close(whole ? corpus_open(arena, folder) : corpus_open_words(arena, folder));
}

static void check_digests(struct arena *arena, const char *folder, const char *kind)
{
    const char *name, **wrong, *problem;
    json_auto_t *done = stage_folder_done(arena, folder, &problem);
    json_t *expected;
    const char *status = json_string_value(json_object_get(done, "status"));
    if (problem) die("%s", problem);
    if (!status || strcmp(status, STATUS_DONE) != 0)
        die("%s/" STAGE_DONE ": status is %s; expected " STATUS_DONE, folder,
            status ? status : "missing");
    if (summary_faults(arena, folder, kind, done, &wrong))
        die("%s/" STAGE_DONE ": %s", folder, wrong[0]);
    json_object_foreach(json_object_get(done, "outputs"), name, expected) {
        const char *path = arena_print(arena, "%s/%s", folder, name);
        if (*name == '/' || strstr(name, "..") || !json_is_string(expected))
            die("%s: " STAGE_DONE ": output \"%s\" is not a file of this folder", folder, name);
        const char *fault = kept_fault(arena, path, json_string_value(expected));
        if (fault) die("%s %s", path, fault);
    }
    check_inside(arena, folder);
}

/* Records the origin of a copy in its events. */
static void say_copied(const char *copy, const char *from)
{
    SCOPED(heap_free) char *absolute = realpath(from, NULL);
    struct journal *journal = journal_open(copy);
    journal_event(journal, "copied", JOURNAL_NONE, absolute ? absolute : from);
    journal_close(journal);
}

static void copy_stage(struct arena *arena, const char *runs, const struct stage *stage,
                       const char *to)
{
    file_make_folder(arena_print(arena, "%s/stages", runs));
    SCOPED(heap_free) char *folder = file_temporary_folder(runs);
    unfinished_begin(folder);
    const char *copy = arena_print(arena, "%s/copy", folder);
    copy_tree(arena, stage->folder, copy);
    check_digests(arena, copy, stage->kind->name);
    unfinished_pass();
    say_copied(copy, stage->folder);
    file_rename(copy, to);
    unfinished_end();
}

struct stage *alone_foreign(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    size_t bytes = strlen(folder);
    while (bytes > 1 && folder[bytes - 1] == '/') bytes--;
    return stage_load_foreign(arena, file_named(arena, arena_text_range(arena, folder, bytes)),
                              arena_print(arena, "%s/stages", verb_value(call, "--runs")));
}

/* Adds a stage to the stages to copy, unless RUNS has it. Dies if the stage in RUNS is not
 * finished. */
static void need(struct arena *arena, const struct stage **missing, int *count,
                 const struct stage *stage, const char *stages)
{
    const char *place = arena_print(arena, "%s/%s", stages, stage->name);
    if (file_exists(arena_print(arena, "%s/" STAGE_DONE, place))) return;
    if (file_is_folder(place))
        die("%s: this stage is not finished here, so the one of %s cannot be copied; finish it "
            "with `sanlab run` of its grid or remove it with `sanlab rm %s`",
            place, stage->folder, stage->name);
    missing[(*count)++] = stage;
}

struct stage *alone_copy(struct verb_call *call, const struct stage *foreign)
{
    struct arena *arena = &call->arena;
    const char *runs = verb_value(call, "--runs"), *stages = arena_print(arena, "%s/stages", runs);
    const struct stage **missing = ARENA_ARRAY(arena, const struct stage *, foreign->inputs + 1);
    int count = 0;
    for (int i = 0; i < foreign->inputs; i++)
        need(arena, missing, &count, foreign->input[i], stages);
    need(arena, missing, &count, foreign, stages);
    for (int i = 0; i < count; i++) {
        check_regular(arena, missing[i]->folder);
        check_digests(arena, missing[i]->folder, missing[i]->kind->name);
    }
    for (int i = 0; i < count; i++)
        copy_stage(arena, runs, missing[i], arena_print(arena, "%s/%s", stages, missing[i]->name));
    return stage_load(arena, arena_print(arena, "%s/%s", stages, foreign->name));
}
