/* Writes the stages of an exported model. Their records name the files that were taken. The names
 * are FILE/CHECKPOINT/SEED, like GRID/ROW/SEED of other trainings. */
#include "experiments/stage/model_file.h"

#include <string.h>
#include <time.h>

#include "commit.h"
#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/json_file.h"
#include "core/base/lease.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "core/corpus/corpus_folder.h"
#include "core/corpus/corpus_shard.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/stage/code_used.h"
#include "experiments/stage/stage_frozen.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

struct model_file {
    const char *path, *runs;
    struct tensors tensors;
    struct tree *options;
    int64_t seed, step;
    struct arena *arena;
};

static const char *metadata(const struct model_file *file, const char *key)
{
    const char *text = tensors_metadata(&file->tensors, key);
    if (!text)
        die("%s: its metadata have no \"%s\"; expected a file of `sanlab export model`", file->path,
            key);
    return text;
}

static int64_t metadata_number(const struct model_file *file, const char *key)
{
    const struct tree number = {
        .kind = TREE_SCALAR, .text = metadata(file, key), .location = {.file = file->path}};
    return scalar_int(&number, key, 0, INT32_MAX);
}

/* Reads the file, and its options. The corpus has no text; the model's path replaces the paths of
 * its text. */
static void read_file(struct model_file *file)
{
    struct arena *arena = file->arena;
    file->tensors = tensors_read(arena, file->path);
    if (strcmp(metadata(file, "format"), "sanlab") != 0)
        die("%s: expected a file of `sanlab export model`", file->path);
    checkpoint_check_format(file->path, &file->tensors);
    if (tensors_metadata(&file->tensors, "symbols"))
        die("%s: the file of a classifier of statement pairs; expected its stage, or a translation "
            "model",
            file->path);
    file->options = tree_parse(arena, file->path, metadata(file, "options"));
    file->seed = metadata_number(file, "seed");
    file->step = metadata_number(file, "step");
    const char *encode = tensors_metadata(&file->tensors, MODEL_FILE_ENCODE);
    int count; /* the words are part of a name, so they must be valid */
    checkpoint_parse(metadata(file, "checkpoint"), file->path, true, &count);
    struct tree *path = tree_new_text(arena, file->options->location, file->path);
    tree_put(arena, file->options, "corpus.train", path);
    tree_put(arena, file->options, "corpus.dev", path);
    if (!encode)
        warn("%s: an older program wrote it, without options of evaluate.encode; sentences are "
             "encoded without rules unless --rules is given",
             file->path);
    struct tree *said = tree_parse(arena, file->path, encode ? encode : "{}");
    if (said->count) tree_put(arena, file->options, "evaluate.encode", said);
}

static struct stage new_stage(const struct model_file *file, const char *kind)
{
    struct settings *settings = ARENA_NEW(file->arena, struct settings);
    settings_read(settings, file->options, file->arena);
    return (struct stage){
        .kind = stage_kind_find(kind), .settings = settings, .options = file->options};
}

/* Adds a file that the stage is made of. `digest`: expected digest; NULL: any. */
static void add_file(const struct model_file *file, struct stage *stage, const char *name,
                     const char *path, const char *digest)
{
    char *own = arena_alloc(file->arena, DIGEST_TEXT);
    if (!file_exists(path))
        die("%s: the file is missing; `sanlab export model` writes it next to %s", path,
            file->path);
    digest_file(path, own);
    if (digest && strcmp(own, digest) != 0)
        die("%s: belongs to another model than %s (another SHA-256)", path, file->path);
    ARENA_ADD(file->arena, stage->file, stage->files, (struct input_file){name, path, own});
}

static void add_words(const struct model_file *file, struct stage *corpus)
{
    const struct corpus_options *options = &corpus->settings->corpus;
    const int count = options->threshold ? STAGE_WORDS : STAGE_WORDS - SIDES;
    for (int i = 0; i < count; i++) {
        const char *name = stage_words[i][1];
        add_file(file, corpus, name,
                 arena_print(file->arena, "%s.%s", file->path,
                             i < SIDES && options->joint ? "vocabulary" : name),
                 metadata(file, stage_words[i][0]));
    }
}

/* ---- folders ---- */

static void add_digest(json_t *digests, const char *name, const char *path)
{
    char digest[DIGEST_TEXT];
    digest_file(path, digest);
    json_object_set_new(digests, name, json_string(digest));
}

static void write_corpus(const struct model_file *file, const struct stage *corpus)
{
    static const int64_t start[1];
    static const int32_t token[1];
    static const struct split none = {.side = {{token, start}, {token, start}}};
    const struct corpus_options *options = &corpus->settings->corpus;
    json_auto_t *digests = json_object();
    for (int i = 0; i < corpus->files; i++) {
        const char *name = corpus->file[i].name, *to = stage_path(corpus, name, file->arena);
        file_copy(corpus->file[i].path, to);
        add_digest(digests, name, to);
    }
    for (int split = 0; split < SPLITS; split++) {
        const char *shard = arena_print(file->arena, "%s.shard", split_names[split]),
                   *reference = arena_print(file->arena, "%s.reference", split_names[split]);
        shard_write(stage_path(corpus, shard, file->arena), &none);
        file_write(stage_path(corpus, reference, file->arena), "", 0);
        add_digest(digests, shard, stage_path(corpus, shard, file->arena));
        add_digest(digests, reference, stage_path(corpus, reference, file->arena));
    }
    json_auto_t *root = json_pack(
        "{s:i, s:s, s:s, s:b, s:b, s:b, s:b, s:i, s:O}", "format", CORPUS_FORMAT, "source",
        options->source, "target", options->target, "raw", options->text == CORPUS_RAW, "segmented",
        options->segmented, "lowercase", options->lowercase, "joint", options->joint, "threshold",
        options->threshold, "files", digests);
    json_file_write(stage_path(corpus, "corpus.json", file->arena), root);
}

static void write_train(const struct model_file *file, const struct stage *train)
{
    checkpoint_take(file->path, train->folder, file->step);
}

/* Writes a stage's folder unless it is done, or waits for another process that writes it. done.json
 * is written last. */
static void take(const struct model_file *file, struct stage *stage,
                 void (*write)(const struct model_file *, const struct stage *))
{
    struct arena *arena = file->arena;
    char *fault = NULL;
    stage_identify(stage, file->runs, arena);
    json_auto_t *before = stage_done(stage);
    if (before) return;
    file_make_folder(stage->folder);
    struct lease *lease;
    while (!(lease = lease_try(stage->folder, &fault))) {
        if (fault) die("%s: %s", stage->folder, fault);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    json_auto_t *meanwhile = stage_done(stage);
    if (meanwhile) {
        lease_release(lease);
        return;
    }
    stage_write(stage);
    write(file, stage);
    const char *metrics = stage_path(stage, JOURNAL_METRICS, file->arena);
    json_auto_t *outputs = json_object();
    file_write(metrics, "", 0);
    add_digest(outputs, JOURNAL_METRICS, metrics);
    json_auto_t *done =
        json_pack("{s:i, s:s, s:s, s:s, s:{s:o}, s:O}", "format", STAGE_FORMAT, "status",
                  STATUS_DONE, "code", stage_code(stage, arena), "commit", SANLAB_COMMIT, "texts",
                  "taken_from", json_file_text(file->path), "outputs", outputs);
    json_file_write(stage_path(stage, STAGE_DONE, file->arena), done);
    lease_release(lease);
}

const char *model_file_take(const char *path, const char *runs, struct arena *arena)
{
    struct model_file file = {.path = path, .runs = runs, .arena = arena};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *name = arena_text_range(arena, base, strlen(base) - strlen(MODEL_FILE_ENDING));
    read_file(&file);
    struct stage corpus = new_stage(&file, "corpus"), train = new_stage(&file, "train");
    add_words(&file, &corpus);
    add_file(&file, &train, MODEL_FILE, path, NULL);
    train.seed = (uint32_t)file.seed;
    train.input = (struct stage *[]){&corpus};
    train.inputs = 1;
    stage_ask(&corpus, arena_print(arena, "%s/corpus", name), arena);
    stage_ask(&train,
              arena_print(arena, "%s/%s/%u", name, metadata(&file, "checkpoint"), train.seed),
              arena);
    take(&file, &corpus, write_corpus);
    take(&file, &train, write_train);
    return train.name;
}
