#include "experiments/plan/stage.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"

const struct stage_kind *const stage_kinds[] = {&kind_corpus, &kind_train, &kind_score, &kind_gates, NULL};

enum { NAME_DIGITS = 12 };

const struct stage_kind *stage_kind_find(const char *name)
{
    for (int i = 0; stage_kinds[i]; i++)
        if (!strcmp(stage_kinds[i]->name, name)) return stage_kinds[i];
    return NULL;
}

static bool begins_with_any(const char *line, const char *const *prefix)
{
    for (; *prefix; prefix++)
        if (!strncmp(line, *prefix, strlen(*prefix))) return true;
    return false;
}

/* The id of an input as a kind sees it: of its canonical text without the lines that do not
 * matter to this kind. */
static void identify_input(const struct stage_kind *kind, const struct stage *input,
                           char id[DIGEST_TEXT])
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (const char *line = input->canonical; *line;) {
        size_t bytes = strcspn(line, "\n") + 1;
        if (!begins_with_any(line, kind->input_ignores)) fwrite(line, 1, bytes, out);
        line += bytes;
    }
    fclose(out);
    digest_bytes(text, length, id);
    free(text);
}

void stage_identify(struct stage *stage, const char *runs, struct arena *arena)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "stage: %s v%d\n", stage->kind->name, stage->kind->version);
    settings_canonical(stage->settings, stage->kind->parts, out);
    if (stage->kind->seeded) fprintf(out, "seed: %u\n", stage->seed);
    for (int i = 0; i < stage->inputs; i++) {
        char id[DIGEST_TEXT];
        identify_input(stage->kind, stage->input[i], id);
        fprintf(out, "input: %s %s\n", stage->input[i]->kind->name, id);
    }
    for (int i = 0; i < stage->files; i++)
        fprintf(out, "file: %s %s\n", stage->file[i].name,
                stage->file[i].digest ? stage->file[i].digest : "missing");
    fclose(out);
    digest_bytes(text, length, stage->id);
    stage->canonical = arena_text(arena, text);
    free(text);
    stage->name = arena_print(arena, "%s-%.*s", stage->kind->name, NAME_DIGITS, stage->id);
    stage->folder = arena_print(arena, "%s/stages/%s", runs, stage->name);
}

static char *path_in(const struct stage *stage, const char *file)
{
    return heap_print("%s/%s", stage->folder, file);
}

/* A scalar as the JSON that a filter wants: numbers as numbers, true and false as such. */
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

/* Only what its numbers depend on. */
static json_t *options_json(const struct stage *stage)
{
    static const struct {
        unsigned part;
        const char *key;
    } sections[] = {{PART_CORPUS, "corpus"}, {PART_MODEL, "model"}, {PART_MODEL, "encoder"},
                    {PART_MODEL, "decoder"}, {PART_TRAIN, "train"}, {PART_SCORE, "evaluate.bleu"},
                    {PART_GATES, "evaluate.gates"}};
    json_t *json = json_object();
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        const struct tree *value = tree_find(stage->options, sections[i].key);
        if (value && stage->kind->parts & sections[i].part)
            json_object_set_new(json, sections[i].key, tree_json(value));
    }
    if (stage->kind->seeded) json_object_set_new(json, "seed", json_integer(stage->seed));
    return json;
}

static json_t *stage_json(const struct stage *stage)
{
    json_t *inputs = json_array(), *files = json_array();
    for (int i = 0; i < stage->inputs; i++)
        json_array_append_new(inputs, json_string(stage->input[i]->id));
    for (int i = 0; i < stage->files; i++)
        json_array_append_new(files,
                              json_pack("{s:s, s:s, s:s}", "name", stage->file[i].name, "path",
                                        stage->file[i].path, "digest", stage->file[i].digest));
    json_t *json = json_pack("{s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:[s]}", "id", stage->id, "kind",
                             stage->kind->name, "version", stage->kind->version, "canonical",
                             stage->canonical, "options", options_json(stage), "inputs", inputs,
                             "files", files, "names", stage->label);
    CHECK(json, "stage %s cannot be described", stage->name);
    return json;
}

void stage_write(const struct stage *stage)
{
    char *options = path_in(stage, "options.yaml"), *path = path_in(stage, "stage.json");
    char *done = path_in(stage, "done.json");
    /* Whoever starts it last says where its text lies and how often it saves; the id is the same.
     */
    if (!file_exists(done)) {
        file_make_folder(stage->folder);
        struct file_writer writer = file_create(options);
        tree_print(stage->options, writer.stream);
        fputc('\n', writer.stream);
        file_commit(&writer);

        json_t *json = stage_json(stage);
        writer = file_create(path);
        json_dumpf(json, writer.stream, JSON_INDENT(2));
        fputc('\n', writer.stream);
        file_commit(&writer);
        json_decref(json);
    }
    free(done);
    free(options);
    free(path);
}

static json_t *json_read(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (!json) die("%s:%d: %s", path, error.line, error.text);
    return json;
}

/* Text under a key of stage.json, kept in the arena. */
static const char *text_at(struct arena *arena, const json_t *json, const char *key,
                           const char *path)
{
    const json_t *value = json_object_get(json, key);
    if (!json_is_string(value)) die("%s: \"%s\" is missing or not text", path, key);
    return arena_text(arena, json_string_value(value));
}

struct stage *stage_load(struct arena *arena, const char *folder)
{
    struct stage *stage = ARENA_NEW(arena, struct stage);
    char *path = arena_print(arena, "%s/stage.json", folder);
    if (!file_exists(path)) die("%s: no stage is there (stage.json is missing)", folder);
    json_t *json = json_read(path);
    const char *kind = text_at(arena, json, "kind", path), *id = text_at(arena, json, "id", path);
    stage->kind = stage_kind_find(kind);
    if (!stage->kind) die("%s: \"%s\" is no kind of stage that this version knows", path, kind);
    stage->label =
        arena_text(arena, json_string_value(json_array_get(json_object_get(json, "names"), 0)));
    stage->seed =
        (uint32_t)json_integer_value(json_object_get(json_object_get(json, "options"), "seed"));
    stage->options = tree_read(arena, arena_print(arena, "%s/options.yaml", folder));
    struct settings *settings = ARENA_NEW(arena, struct settings);
    settings_read(settings, stage->options, arena);
    stage->settings = settings;

    const char *slash = strrchr(folder, '/'), *stages = ".", *runs = "..";
    if (slash) stages = arena_text_range(arena, folder, (size_t)(slash - folder));
    slash = strrchr(stages, '/');
    if (slash) runs = arena_text_range(arena, stages, (size_t)(slash - stages));
    for (int i = 0; stage->kind->inputs[i]; i++) {
        const char *input =
            json_string_value(json_array_get(json_object_get(json, "inputs"), (size_t)i));
        if (!input) die("%s: its input \"%s\" is missing", path, stage->kind->inputs[i]);
        stage->input[stage->inputs++] =
            stage_load(arena, arena_print(arena, "%s/%s-%.*s", stages, stage->kind->inputs[i],
                                          NAME_DIGITS, input));
    }
    const json_t *files = json_object_get(json, "files");
    stage->files = (int)json_array_size(files);
    stage->file = ARENA_ARRAY(arena, struct stage_file, stage->files);
    for (int i = 0; i < stage->files; i++) {
        const json_t *file = json_array_get(files, (size_t)i);
        stage->file[i] = (struct stage_file){text_at(arena, file, "name", path),
                                             text_at(arena, file, "path", path),
                                             text_at(arena, file, "digest", path)};
    }
    json_decref(json);
    stage_identify(stage, runs, arena);
    if (strcmp(stage->id, id) != 0)
        die("%s: its options no longer give its id (%.12s, not %.12s): written by another version",
            path, stage->id, id);
    stage->folder = arena_text(arena, folder);
    return stage;
}

const char *stage_folder_find(struct arena *arena, const char *runs, const char *words)
{
    char *stages = arena_print(arena, "%s/stages", runs);
    const char *found = NULL, *other = NULL;
    DIR *folder = opendir(stages);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *dash = strrchr(entry->d_name, '-');
        if (!dash || entry->d_name[0] == '.') continue;
        size_t length = strlen(words);
        bool by_id = length <= NAME_DIGITS ? !strncmp(dash + 1, words, length)
                                           : !strncmp(words, dash + 1, NAME_DIGITS);
        if (!by_id && strcmp(entry->d_name, words) != 0) continue;
        if (found)
            other = arena_text(arena, entry->d_name);
        else
            found = arena_text(arena, entry->d_name);
    }
    if (folder) closedir(folder);
    if (!found || !*words)
        die("no stage \"%s\" in %s (sanlab ls lists what is there)", words, stages);
    if (other) die("\"%s\" means several stages: %s, %s", words, found, other);
    return arena_print(arena, "%s/%s", stages, found);
}

json_t *stage_done(const struct stage *stage)
{
    char *path = path_in(stage, "done.json");
    json_t *json = file_exists(path) ? json_read(path) : NULL;
    free(path);
    return json;
}
