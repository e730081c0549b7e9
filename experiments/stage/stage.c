/* Computes the ids of stages and loads stages. An id is the digest of a readable text. The text
 * omits an option if its value is the default that the option had when it was introduced. So a new
 * option does not change the ids of old stages. */
#include "experiments/stage/stage.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/path.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "results/store/stage_folder.h"

/* True if a line begins with one of the prefixes. With `of_input`, only the prefixes of the form
 * "input/PREFIX" are used, otherwise only the others. */
static bool begins_with_any(const char *line, const char *const *prefix, bool of_input)
{
    static const char mark[] = "input/";
    for (; prefix && *prefix; prefix++) {
        const bool its = !strncmp(*prefix, mark, sizeof mark - 1);
        const char *begin = its ? *prefix + sizeof mark - 1 : *prefix;
        if (its == of_input && !strncmp(line, begin, strlen(begin))) return true;
    }
    return false;
}

/* Writes the lines of a text, except lines that the kind ignores and lines that begin with a prefix
 * in `left`, which may be NULL. */
static void write_lines(const char *text, const struct stage_kind *kind, bool of_input,
                        const char *const *left, FILE *out)
{
    for (const char *line = text; *line;) {
        const size_t bytes = strcspn(line, "\n") + 1;
        if (!begins_with_any(line, kind->ignores, of_input) && !begins_with_any(line, left, false))
            fwrite(line, 1, bytes, out);
        line += bytes;
    }
}

/* Writes the options that change the numbers of a stage. */
static void write_options(const struct stage *stage, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    ARENA_STREAM(options);
    settings_canonical(stage->settings, stage->kind->traits, stage->kind->evaluation, options.out);
    write_lines(arena_stream_close(&arena, &options), stage->kind, false, NULL, out);
}

static int version_now(const struct stage *stage)
{
    return stage->kind->version ? stage->kind->version(stage) : 1;
}

static void write_version(const struct stage *stage, int version, FILE *out)
{
    fprintf(out, "stage: %s v%d\n", stage->kind->name, version);
}

/* Computes the digest of an input's text for a stage of `kind`, which reads the input. Lines that
 * the kind ignores are left out, and lines with a prefix in `left`, which may be NULL. If the
 * input's kind has versions, the text has version 1 instead of the actual version. Otherwise a new
 * version would change the ids of all stages that read the input. A kind whose numbers change with
 * the version of its input has its own version (kind.h). */
static void digest_input(const struct stage_kind *kind, const struct stage *input, const char *text,
                         const char *const *left, char id[DIGEST_TEXT])
{
    SCOPED(arena_free) struct arena arena = {0};
    ARENA_STREAM(lines);
    if (input->kind->version) {
        write_version(input, 1, lines.out);
        text += strcspn(text, "\n") + 1;
    }
    write_lines(text, kind, true, left, lines.out);
    const char *all = arena_stream_close(&arena, &lines);
    digest_bytes(all, lines.bytes, id); /* arena_stream_close sets lines.bytes */
}

static const char *const *lines_left(const struct stage *stage, int input)
{
    return stage->kind->input_left ? stage->kind->input_left(stage->input[input]) : NULL;
}

void stage_step_text(const struct settings *settings, FILE *out)
{
    const struct train_options *train = &settings->train;
    settings_canonical(settings, SETTINGS_MODEL, NULL, out);
    fprintf(out, "batch %d/%d\n", train->batch_tokens, train->accumulate);
    if (train->precision != PRECISION_FP32) fprintf(out, "precision %d\n", train->precision);
}

void stage_row_digest(const struct stage_row *row, char id[DIGEST_TEXT])
{
    SCOPED(arena_free) struct arena arena = {0};
    ARENA_STREAM(text);
    stage_step_text(row->settings, text.out);
    const char *all = arena_stream_close(&arena, &text);
    digest_bytes(all, text.bytes, id);
}

static void write_rows(const struct stage *stage, FILE *out)
{
    const struct tree *machine = tree_get(stage->options, "machine");
    for (int i = 0; machine && i < machine->count; i++)
        fprintf(out, "machine.%s=%s\n", machine->key[i]->text, machine->item[i]->text);
    for (int r = 0; r < stage->rows; r++) {
        char id[DIGEST_TEXT];
        stage_row_digest(&stage->row[r], id);
        fprintf(out, "row: %s of input %d\n", id, stage->row[r].input);
    }
}

/* Returns the text of an id, by the rules of this program or, with `older`, by those of older
 * programs. `left` is used only for an older text. It replaces the text of the input from which
 * this program ignores some lines. NULL: the text is not replaced. */
static const char *text_of(const struct stage *stage, bool older, const char *left,
                           struct arena *arena)
{
    ARENA_STREAM(text);
    FILE *out = text.out;
    write_version(stage, stage->version, out);
    if (stage->part) fprintf(out, "part: %s\n", stage->part);
    write_options(stage, out);
    if (stage->rows) write_rows(stage, out);
    if (stage->kind->traits & KIND_SEEDED) fprintf(out, "seed: %u\n", stage->seed);
    for (int i = 0; i < stage->inputs; i++) {
        const struct stage *input = stage->input[i];
        const char *const *lines = lines_left(stage, i);
        const char *of = older && lines && left ? left : older ? input->older : input->text;
        char id[DIGEST_TEXT];
        digest_input(stage->kind, input, of, older ? NULL : lines, id);
        fprintf(out, "input: %s %s\n", input->kind->name, id);
    }
    for (int i = 0; i < stage->files; i++)
        fprintf(out, "file: %s %s\n", stage->file[i].name,
                stage->file[i].digest ? stage->file[i].digest : "missing");
    return arena_stream_close(arena, &text);
}

/* Sets the stage's id, name and folder from a text. */
static void take_text(struct stage *stage, const char *text, const char *runs, struct arena *arena)
{
    stage->canonical = text;
    digest_bytes(text, strlen(text), stage->id);
    stage->name = arena_print(arena, STAGE_FOLDER, stage->kind->name, stage->id);
    stage->folder = arena_print(arena, "%s/stages/%s", runs, stage->name);
}

static bool is_recorded(const struct stage *stage, struct arena *arena)
{
    return file_exists(arena_print(arena, "%s/" STAGE_RECORD, stage->folder));
}

/* Uses the id of an older text if a stage is recorded under it. */
static bool take_older(struct stage *stage, const char *text, const char *runs, struct arena *arena)
{
    struct stage old = *stage;
    take_text(&old, text, runs, arena);
    old.older = text;
    if (!is_recorded(&old, arena)) return false;
    *stage = old;
    return true;
}

/* Searches for a stage whose older id depends on lines of an input that are ignored today, such as
 * the test text. The input may have had other lines then. So every recorded input that differs only
 * in ignored lines is tried. */
static void find_older(struct stage *stage, const char *runs, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    int input = 0, count = 0;
    char wanted[DIGEST_TEXT], id[DIGEST_TEXT];
    while (!lines_left(stage, input))
        if (++input == stage->inputs) return;
    const struct stage *read = stage->input[input];
    const char *const *left = lines_left(stage, input);
    digest_input(stage->kind, read, read->text, left, wanted);
    const char *stages = arena_print(&scratch, "%s/stages", runs),
               *prefix = arena_print(&scratch, "%s-", read->kind->name);
    const char **name = file_folder_names(&scratch, stages, &count);
    for (int i = 0; name && i < count; i++) {
        if (strncmp(name[i], prefix, strlen(prefix)) != 0) continue;
        const char *text = stage_recorded_text(&scratch, stages, name[i]);
        if (!text) continue;
        digest_input(stage->kind, read, text, left, id);
        if (!strcmp(id, wanted) &&
            take_older(stage, text_of(stage, true, text, arena), runs, arena))
            break;
    }
}

static void write_texts(struct stage *stage, struct arena *arena)
{
    bool differs = false;
    if (!stage->version) stage->version = version_now(stage);
    stage->title = stage->part ? arena_print(arena, "%s.%s", stage->kind->name, stage->part)
                               : stage->kind->name;
    for (int i = 0; i < stage->inputs; i++)
        differs |= stage->input[i]->older != stage->input[i]->text || lines_left(stage, i);
    stage->text = stage->older = text_of(stage, false, NULL, arena);
    if (differs) stage->older = text_of(stage, true, NULL, arena);
    if (!strcmp(stage->text, stage->older)) stage->older = stage->text;
}

/* Returns the digest that a stage's record has for a file of this name and path; NULL: none. */
static const char *recorded_digest(const json_t *record, const struct input_file *file)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(record, "files"), i, one)
        if (word_same(json_string_value(json_object_get(one, "name")), file->name) &&
            word_same(json_string_value(json_object_get(one, "path")), file->path))
            return json_string_value(json_object_get(one, "digest"));
    return NULL;
}

/* Takes the digests of missing files from a recorded stage of an unpacked archive. The stage must
 * have had these files, and its text must be otherwise the same. Returns false unless there is one
 * such stage. */
static bool recall_files(struct stage *stage, const char *runs, struct arena *arena)
{
    struct input_file *found = NULL;
    const char *stages = arena_print(arena, "%s/stages", runs), *problem;
    int count, matches = 0;
    if (!stage->absents || !file_exists(arena_print(arena, "%s/" ARCHIVE_LEFT_OUT, runs)))
        return false;
    const char **name = file_folder_names(arena, stages, &count);
    for (int i = 0; i < count; i++) {
        json_auto_t *record = json_file_try(
            arena, arena_print(arena, "%s/%s/" STAGE_RECORD, stages, name[i]), &problem);
        struct stage one = *stage;
        one.file = ARENA_ARRAY(arena, struct input_file, stage->files);
        for (int k = 0; k < stage->files; k++) {
            const char *digest = recorded_digest(record, &stage->file[k]);
            one.file[k] = stage->file[k];
            if (digest && !one.file[k].digest) one.file[k].digest = arena_text(arena, digest);
        }
        const char *text = text_of(&one, false, NULL, arena);
        if (!word_same(json_string_value(json_object_get(record, "canonical")), text)) continue;
        found = one.file;
        matches++;
    }
    if (matches == 1) stage->file = found;
    return matches == 1;
}

void stage_identify(struct stage *stage, const char *runs, struct arena *arena)
{
    write_texts(stage, arena);
    if (recall_files(stage, runs, arena)) write_texts(stage, arena);
    take_text(stage, stage->text, runs, arena);
    if (stage->text == stage->older || is_recorded(stage, arena)) return;
    if (!take_older(stage, stage->older, runs, arena)) find_older(stage, runs, arena);
}

void stage_ask(struct stage *stage, const char *label, struct arena *arena)
{
    if (stage->askers && !strcmp(stage->asker[stage->askers - 1], label)) return;
    ARENA_ADD(arena, stage->asker, stage->askers, label);
    stage->label = stage->asker[0];
}

const char *stage_point_name(const char *label)
{
    const char *slash = label ? strchr(label, '/') : NULL;
    return slash ? slash + 1 : "";
}

/* Returns the text under a key of stage.json, copied to the arena. */
static const char *text_at(struct arena *arena, const json_t *json, const char *key,
                           const char *path)
{
    const json_t *value = json_object_get(json, key);
    if (!json_is_string(value)) die("%s: \"%s\" is missing or not text", path, key);
    return arena_text(arena, json_string_value(value));
}

/* Returns the parent folder of a path; `here` if the path has no folder. */
static const char *parent_of(struct arena *arena, const char *path, const char *here)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_text_range(arena, path, (size_t)(slash - path)) : here;
}

static const struct settings *read_settings(const struct tree *options, struct arena *arena)
{
    struct settings *settings = ARENA_NEW(arena, struct settings);
    settings_read(settings, options, arena);
    return settings;
}

static void read_rows(struct stage *stage, struct arena *arena)
{
    const struct tree *rows = tree_get(stage->options, "rows");
    if (!rows || rows->kind != TREE_LIST || !rows->count)
        die_at(stage->options->location, "expected rows: a list");
    stage->row = ARENA_ARRAY(arena, struct stage_row, rows->count);
    for (; stage->rows < rows->count; stage->rows++) {
        const struct tree *row = rows->item[stage->rows], *options = tree_get(row, "options"),
                          *input = tree_get(row, "input");
        if (!options || !input) die_at(row->location, "expected input and options");
        stage->row[stage->rows] =
            (struct stage_row){options, read_settings(options, arena),
                               scalar_int(input, "input", 0, (double)rows->count)};
    }
    stage->settings = stage->row[0].settings;
}

/* Returns the first of the kinds of which there is no input; NULL if there is an input of each
 * kind. */
static const char *input_lacking(const struct stage *stage, const char *const *kind)
{
    for (; *kind; kind++) {
        bool there = false;
        for (int i = 0; i < stage->inputs; i++)
            there |= !strcmp(stage->input[i]->kind->name, *kind);
        if (!there) return *kind;
    }
    return NULL;
}

/* Returns the folder of the input with this id in `stages`, under the names of the permitted input
 * kinds. If it is missing, returns a path for the message, with the kind in kind->inputs at the
 * input's index. */
static const char *find_input(const struct stage_kind *kind, int index, const char *id,
                              const char *stages, struct arena *arena)
{
    const char *const *const kinds[] = {kind->inputs, kind->other_inputs};
    for (int i = 0; i < 2; i++)
        for (const char *const *name = kinds[i]; name && *name; name++) {
            const char *folder = arena_print(arena, "%s/" STAGE_FOLDER, stages, *name, id);
            if (file_is_folder(folder)) return folder;
        }
    int nth = 0;
    while (nth < index && kind->inputs[nth + 1]) nth++;
    return arena_print(arena, "%s/" STAGE_FOLDER, stages, kind->inputs[nth], id);
}

/* The stages that one call of stage_load has loaded. An input of several stages is loaded once. */
struct loaded {
    struct stage **item;
    int count;
};

static struct stage *load(struct arena *arena, const char *folder, struct loaded *loaded);

static void load_inputs(struct stage *stage, const json_t *inputs, const char *stages,
                        const char *path, struct loaded *loaded, struct arena *arena)
{
    const struct stage_kind *kind = stage->kind;
    const int count = (int)json_array_size(inputs);
    stage->input = ARENA_ARRAY(arena, struct stage *, count);
    for (int i = 0; i < count; i++) {
        const char *id = json_string_value(json_array_get(inputs, (size_t)i));
        if (!id || !kind->inputs)
            die("%s: input %d: expected the id of an input of \"%s\"", path, i + 1, kind->name);
        stage->input[stage->inputs++] = load(arena, find_input(kind, i, id, stages, arena), loaded);
    }
    if (!kind->inputs || stage->settings->alone)
        return; /* files are used instead of the other inputs */
    const char *lacking = input_lacking(stage, kind->inputs);
    if (lacking && !(kind->other_inputs && !input_lacking(stage, kind->other_inputs)))
        die("%s: its input \"%s\" is missing", path, lacking);
}

static void load_files(struct stage *stage, const json_t *files, const char *path,
                       struct arena *arena)
{
    stage->files = (int)json_array_size(files);
    stage->file = ARENA_ARRAY(arena, struct input_file, stage->files);
    for (int i = 0; i < stage->files; i++) {
        const json_t *file = json_array_get(files, (size_t)i);
        stage->file[i] = (struct input_file){text_at(arena, file, "name", path),
                                             text_at(arena, file, "path", path),
                                             text_at(arena, file, "digest", path)};
    }
}

static void load_record(struct stage *stage, const json_t *json, const char *path,
                        struct arena *arena)
{
    const char *kind = text_at(arena, json, "kind", path), *name;
    const json_t *options = json_object_get(json, "options"), *one;
    size_t i;
    stage->kind = stage_kind_find(kind);
    if (!stage->kind) die("%s: \"%s\" is not a kind of stage of this version", path, kind);
    stage->version = (int)json_integer_value(json_object_get(json, "version"));
    json_array_foreach(json_object_get(json, "names"), i, one)
        if ((name = json_string_value(one))) stage_ask(stage, arena_text(arena, name), arena);
    stage->part = json_file_text_at(options, "part", arena);
    stage->seed = (uint32_t)json_integer_value(json_object_get(options, "seed"));
    load_files(stage, json_object_get(json, "files"), path, arena);
}

static struct stage *load(struct arena *arena, const char *folder, struct loaded *loaded)
{
    for (int i = 0; i < loaded->count; i++)
        if (!strcmp(loaded->item[i]->folder, folder)) return loaded->item[i];
    struct stage *stage = ARENA_NEW(arena, struct stage);
    const char *stages = parent_of(arena, folder, "."), *runs = parent_of(arena, stages, "..");
    path_guard(runs);
    const char *path = arena_print(arena, "%s/" STAGE_RECORD, folder);
    if (!file_exists(path))
        die("%s: is not the folder of a stage (" STAGE_RECORD " is missing)", folder);
    json_auto_t *json = json_file_read(path);
    load_record(stage, json, path, arena);
    stage->options = tree_read(arena, arena_print(arena, "%s/options.yaml", folder));
    if (stage->kind->traits & KIND_PER_GRID)
        read_rows(stage, arena);
    else
        stage->settings = read_settings(stage->options, arena);
    load_inputs(stage, json_object_get(json, "inputs"), stages, path, loaded, arena);
    const int now = version_now(stage); /* the current version replaces a missing or newer one */
    if (stage->version <= 0 || stage->version > now) stage->version = now;
    for (int r = 0; r < stage->rows; r++)
        if (stage->row[r].input >= stage->inputs)
            die("%s: row %d reads input %d of %d", path, r + 1, stage->row[r].input + 1,
                stage->inputs);
    write_texts(stage, arena);
    take_text(stage, stage->text, runs, arena);
    const char *id = text_at(arena, json, "id", path);
    if (strcmp(stage->id, id) != 0) take_text(stage, stage->older, runs, arena);
    if (strcmp(stage->id, id) != 0)
        die("%s: its options no longer give its id (%.12s, not %.12s): written by another version",
            path, stage->id, id);
    stage->folder = arena_text(arena, folder);
    ARENA_ADD(arena, loaded->item, loaded->count, stage);
    return stage;
}

struct stage *stage_load(struct arena *arena, const char *folder)
{
    return load(arena, folder, &(struct loaded){0});
}

const void *stage_options(const struct stage *stage)
{
    return settings_evaluated(stage->settings, stage->kind->evaluation)->fields;
}

void stage_find_files(struct stage *stage, struct arena *arena)
{
    const struct stage planned = *stage;
    if (!stage->kind->find_files) return;
    stage->missing = NULL;
    stage->files = stage->absents = 0;
    stage->kind->find_files(stage, &planned, arena);
}

const struct input_file *stage_file(const struct stage *stage, const char *name)
{
    for (int i = 0; i < stage->files; i++)
        if (!strcmp(stage->file[i].name, name)) return &stage->file[i];
    return NULL;
}

const char *stage_old_version(const struct stage *stage, struct arena *arena)
{
    const int now = version_now(stage);
    return stage->version == now ? NULL
                                 : arena_print(arena,
                                               "it has version %d of %s, but this program makes "
                                               "version %d; a run of its grid makes a new stage",
                                               stage->version, stage->kind->name, now);
}

const char *stage_lacks(const struct stage *stage, struct arena *arena)
{
    struct stage now = *stage;
    const char *old = stage_old_version(stage, arena);
    if (old || !stage->kind->find_files) return old;
    stage_find_files(&now, arena);
    if (now.missing) return arena_print(arena, "missing input: %s", now.missing);
    stage_identify(&now, arena_print(arena, "%s/../..", stage->folder), arena);
    return strcmp(now.text, stage->text) != 0
               ? "the files that it read have changed; a run of its grid makes a new stage"
               : NULL;
}
