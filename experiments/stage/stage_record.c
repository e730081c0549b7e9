/* Reads and writes the JSON files in a stage's folder: writes stage.json, and reads stage.json,
 * done.json and environment.json. */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/path.h"
#include "core/config/shipped.h"
#include "experiments/stage/stage.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

const char *stage_path(const struct stage *stage, const char *file, struct arena *arena)
{
    return arena_print(arena, "%s/%s", stage->folder, file);
}

/* Reads a JSON file of the stage's folder. Returns NULL if it is missing. Dies if it cannot be
 * read. */
static json_t *json_read(const struct stage *stage, const char *file)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *problem;
    const char *path = stage_path(stage, file, &arena);
    json_t *json = json_file_try(&arena, path, &problem);
    if (problem && path_is_denied(path)) die("%s", problem);
    if (problem) die("%s; to run the stage again, remove its folder", problem);
    return json;
}

/* Returns a scalar as JSON. Unquoted numbers, true and false have their JSON types, so that filters
 * can compare them. */
static json_t *scalar_json(const struct tree *scalar)
{
    json_t *number;
    if (!scalar->quoted && !strcmp(scalar->text, "true")) return json_true();
    if (!scalar->quoted && !strcmp(scalar->text, "false")) return json_false();
    if (!scalar->quoted && strspn(scalar->text, "+-.0123456789eE") == strlen(scalar->text) &&
        (number = json_loads(scalar->text, JSON_DECODE_ANY, NULL)))
        return number;
    return json_string(scalar->text);
}

static json_t *tree_json(const struct tree *tree)
{
    if (tree->kind == TREE_SCALAR) return scalar_json(tree);
    json_t *json = tree->kind == TREE_MAP ? json_object() : json_array();
    for (int i = 0; i < tree->count; i++) {
        if (tree->kind == TREE_MAP)
            json_object_set_new(json, tree->key[i]->text, tree_json(tree->item[i]));
        else
            json_array_append_new(json, tree_json(tree->item[i]));
    }
    return json;
}

/* Returns the options on which the stage's numbers depend. */
static json_t *options_json(const struct stage *stage)
{
    const struct tree *recipe = tree_find(stage->options, "recipe");
    SCOPED(arena_free) struct arena arena = {0};
    json_t *json = json_object();
    for (int i = 0; stage->rows && i < stage->options->count; i++)
        if (strcmp(stage->options->key[i]->text, "rows") != 0)
            json_object_set_new(json, stage->options->key[i]->text,
                                tree_json(stage->options->item[i]));
    for (const char *const *name =
             settings_sections(stage->kind->traits, stage->kind->evaluation, &arena);
         *name; name++) {
        const struct tree *value = tree_find(stage->options, *name);
        if (value) json_object_set_new(json, *name, tree_json(value));
    }
    if (recipe && stage->kind->traits & SETTINGS_TRAIN)
        json_object_set_new(json, "recipe", tree_json(recipe));
    if (stage->part) json_object_set_new(json, "part", json_string(stage->part));
    if (stage->kind->traits & KIND_SEEDED)
        json_object_set_new(json, "seed", json_integer(stage->seed));
    return json;
}

/* Returns the names in `old`, followed by the stage's requesters that are not in `old`. Sets *fresh
 * to true if there are any. */
static json_t *names_json(const json_t *old, const struct stage *stage, bool *fresh)
{
    json_t *seen = json_object(), *names = json_array(), *name;
    size_t i;
    json_array_foreach((json_t *)old, i, name)
        if (json_is_string(name)) {
            json_object_set_new(seen, json_string_value(name), json_true());
            json_array_append(names, name);
        }
    const size_t before = json_array_size(names);
    for (int k = 0; k < stage->askers; k++)
        if (!json_object_get(seen, stage->asker[k]))
            json_array_append_new(names, json_string(stage->asker[k]));
    *fresh = json_array_size(names) > before;
    json_decref(seen);
    return names;
}

static json_t *stage_json(const struct stage *stage, json_t *names)
{
    json_t *inputs = json_array(), *files = json_array();
    for (int i = 0; i < stage->inputs; i++)
        json_array_append_new(inputs, json_string(stage->input[i]->id));
    for (int i = 0; i < stage->files; i++)
        json_array_append_new(files,
                              json_pack("{s:s, s:s, s:s}", "name", stage->file[i].name, "path",
                                        stage->file[i].path, "digest", stage->file[i].digest));
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:o}", "id", stage->id, "kind",
                  stage->kind->name, "version", stage->version, "canonical", stage->canonical,
                  "options", options_json(stage), "inputs", inputs, "files", files, "names", names);
    CHECK(json, "stage %s cannot be described", stage->name);
    return json;
}

void stage_write(const struct stage *stage)
{
    SCOPED(arena_free) struct arena arena = {0};
    const bool done = file_exists(stage_path(stage, STAGE_DONE, &arena));
    json_t *json = json_read(stage, STAGE_RECORD);
    bool fresh;
    json_auto_t *names = names_json(json_object_get(json, "names"), stage, &fresh);
    if (!done) {
        /* Options that are not in the id, such as the path of a text, may have changed since the
         * last attempt. The current ones are recorded. */
        json_decref(json);
        json = stage_json(stage, json_incref(names));
        file_make_folder(stage->folder);
        file_sync_once(stage->folder); /* the worker syncs it (stage_work.c) */
        struct file_writer options = file_create(stage_path(stage, "options.yaml", &arena));
        tree_print(stage->options, options.stream);
        fputc('\n', options.stream);
        file_commit(&options);
    } else if (json && fresh) {
        json_object_set(json, "names", names);
    }
    if (!done || (json && fresh)) json_file_write(stage_path(stage, STAGE_RECORD, &arena), json);
    file_sync_once(NULL);
    json_decref(json);
}

int stage_names(const struct stage *stage, const char ***name, struct arena *arena)
{
    json_auto_t *json = json_read(stage, STAGE_RECORD);
    json_t *one;
    size_t i;
    int count = 0;
    *name = NULL;
    json_array_foreach(json_object_get(json, "names"), i, one) {
        if (!json_is_string(one)) continue;
        ARENA_ADD(arena, *name, count, arena_text(arena, json_string_value(one)));
    }
    return count;
}

const char *stage_recorded_text(struct arena *arena, const char *stages, const char *name)
{
    const char *problem, *dash = strchr(name, '-');
    char id[DIGEST_TEXT];
    json_auto_t *json =
        json_file_try(arena, arena_print(arena, "%s/%s/" STAGE_RECORD, stages, name), &problem);
    const char *text = json_string_value(json_object_get(json, "canonical"));
    if (text) digest_bytes(text, strlen(text), id);
    const bool same = text && dash && !strncmp(id, dash + 1, strlen(dash + 1));
    return same ? arena_text(arena, text) : NULL;
}

json_t *stage_done(const struct stage *stage)
{
    SCOPED(arena_free) struct arena arena = {0};
    json_t *done = json_read(stage, STAGE_DONE);
    const char *newer = stage_folder_newer(&arena, stage_path(stage, STAGE_DONE, &arena), done);
    if (newer) die("%s", newer);
    return done;
}

int64_t stage_done_at(const struct stage *stage)
{
    struct stat info;
    SCOPED(arena_free) struct arena arena = {0};
    if (!path_stat(stage_path(stage, STAGE_DONE, &arena), &info)) return -1;
    return info.st_mtim.tv_sec * (int64_t)1000000000 + info.st_mtim.tv_nsec;
}

bool stage_is_missed(const struct stage *stage)
{
    json_auto_t *done = stage_done(stage);
    return json_object_get(stage_folder_texts(done), STAGE_UNREACHED);
}

bool stage_has_opened(const struct stage *stage)
{
    const char *opened = stage->kind->opened;
    if (!opened) return true;
    SCOPED(arena_free) struct arena arena = {0};
    bool has = false;
    if (*opened != '*') {
        const char *path = arena_print(&arena, "%s/%s", stage->folder, opened);
        has = file_exists(path) || file_is_folder(path);
    } else {
        int count;
        const char **name = file_folder_names(&arena, stage->folder, &count);
        for (int i = 0; name && i < count; i++) has |= shipped_ends(name[i], opened + 1);
    }
    return has || stage_is_missed(stage);
}

const char *stage_commit(const struct stage *stage, struct arena *arena)
{
    json_auto_t *environment = json_read(stage, STAGE_ENVIRONMENT);
    return json_file_text_at(environment, "commit", arena);
}

struct stage_end stage_end(const struct stage *stage, struct arena *arena)
{
    json_auto_t *done = stage_done(stage);
    if (!done) return (struct stage_end){0};
    const char *status = json_string_value(json_object_get(done, "status"));
    json_t *last = NULL; /* older versions recorded a high but finite validation loss as "done" */
    if (offer_trains(offer_of(stage->kind->name)))
        last = json_object_get(json_object_get(done, "summary"), OFFER_VALIDATION);
    struct stage_end end = {.finished = true,
                            .diverged = (status && !strcmp(status, "diverged")) ||
                                        json_number_value(last) > OFFER_VALIDATION_MOST,
                            .code = json_file_text_at(done, "code", arena),
                            .commit = json_file_text_at(done, "commit", arena),
                            .backend = json_file_text_at(done, "backend", arena),
                            .backend_code = json_file_text_at(done, "backend_code", arena)};
    if (!end.commit) end.commit = stage_commit(stage, arena); /* an older done.json lacks it */
    return end;
}

bool stage_is_lost(const struct stage *stage, struct arena *arena)
{
    bool lost = stage_end(stage, arena).diverged;
    for (int i = 0; i < stage->inputs && !lost; i++) lost = stage_is_lost(stage->input[i], arena);
    return lost;
}
