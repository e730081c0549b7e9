/* Reads section `evaluate.probe`. Before planning, the options of rows are expanded. A file of
 * tasks becomes its tasks, and `layers` becomes paths. The folder of vectors becomes a path that is
 * valid outside of the grid's folder. */
#include "experiments/stage/probe_options.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/word.h"
#include "core/corpus/corpus_sources.h"
#include "experiments/stage/probe_vectors.h"
#include "probes/protocol.h"
#include "probes/vectors.h"

#define FIELD(member) offsetof(struct probe_options, member)

static void tasks_custom_read(const struct tree *value, void *field, struct arena *arena)
{
    *(struct tasks *)field = tasks_asked(arena, value, "evaluate.probe.tasks");
}
static const struct option_custom tasks_custom = {"senteval, a file, a list", tasks_custom_read,
                                                  NULL, NULL};

static const struct option rows[] = {
    OPTION_CUSTOM("tasks", FIELD(tasks), "[]", &tasks_custom, OPTION_NO_ID,
                  "probing tasks, one stage each: those of a file, some of senteval's by name, or "
                  "{name, file, group}"),
    OPTION_CHOICE("protocol", FIELD(protocol), "fixed", PROTOCOL_WORDS, OPTION_ID,
                  "procedure that trains and chooses classifiers (docs/probing.md)"),
    OPTION_TEXTS(
        "path", FIELD(path), "[encoder.output]", OPTION_NO_ID,
        "vectors that are probed, one stage each: encoder.output, encoder.2, encoder.group.1, .., "
        "bag; layers: every layer, with a short-cut also encoder.output"),
    OPTION_TEXTS(
        "controls", FIELD(controls), "[]", OPTION_NO_ID,
        "controls: majority, which every probe has; bag: the bag of embeddings; start: every "
        "path with the parameters before training"),
    OPTION_CHOICE("word_content", FIELD(word_content), "linear", "linear|mlp", OPTION_ID,
                  "classifier of the task WordContent: linear as in SentEval, or the protocol's"),
    OPTION_INT("seeds", FIELD(seeds), "1", 1, 100, OPTION_ID,
               "number of classifiers with different random seeds; the value is their mean"),
    OPTION_BOOL("standardize", FIELD(standardize), "false", OPTION_ID,
                "standardization of each number of a vector by its mean and deviation over tr"),
    OPTION_BOOL("code", FIELD(code), "false", OPTION_ID,
                "online code of tr, in addition: bits, compression, and accuracy by share of tr"),
    OPTION_INT(
        "folds", FIELD(folds), "0", 0, 20, OPTION_ID,
        "number of cross-validation folds, from 3, of tr, va and te together; 0: the splits of "
        "the file"),
    OPTION_TEXT(
        "vectors", FIELD(vectors), "", OPTION_NO_ID,
        "folder with TASK.npy, or 1/TASK.npy, .. by seed, that replace an encoder; in a row: "
        "vectors: DIR"),
};
const struct section probe_section = {"evaluate.probe",
                                      "classifiers of probing tasks on a frozen encoder", rows,
                                      COUNT_OF(rows), sizeof(struct probe_options)};

static void check_controls(const struct texts *controls)
{
    static const char *const known[] = {"majority", "bag", "start", NULL};
    for (int i = 0; i < controls->count; i++)
        if (!word_known(controls->text[i], known))
            word_refuse(controls->location[i], "evaluate.probe.controls", "there is no control",
                        controls->text[i], known);
}

static void add_once(struct texts *parts, const char *name, struct location location,
                     struct arena *arena)
{
    if (!texts_have(parts, name)) texts_add(parts, name, location, arena);
}

bool probe_alone(const void *fields)
{
    return *((const struct probe_options *)fields)->vectors;
}

/* Adds the part TASK@VIEW, unless the folder with vectors of another program lacks the view. */
static void add_view(struct texts *parts, const struct probe_options *options,
                     const struct probe_task *task, const char *view, struct arena *arena)
{
    if (!*options->vectors || probe_vectors_has(options->vectors, view))
        add_once(parts, arena_print(arena, "%s@%s", task->name, view), task->location, arena);
}

/* Returns the parts of each task: TASK@PATH for every path and, if the controls are requested,
 * TASK@PATH@start for every path and TASK@bag. */
struct texts probe_parts(const void *fields, struct arena *arena)
{
    const struct probe_options *options = fields;
    struct texts parts = {0};
    check_controls(&options->controls);
    for (int i = 0; i < options->tasks.count; i++) {
        const struct probe_task *task = &options->tasks.task[i];
        const int before = parts.count;
        for (int start = 0; start <= texts_have(&options->controls, "start"); start++)
            for (int p = 0; p < options->path.count; p++)
                add_view(
                    &parts, options, task,
                    arena_print(arena, "%s%s", options->path.text[p], start ? VECTORS_START : ""),
                    arena);
        if (parts.count == before && options->path.count)
            add_once(&parts, arena_print(arena, "%s" PROBE_VECTORS, task->name), task->location,
                     arena);
        if (texts_have(&options->controls, "bag"))
            add_view(&parts, options, task, VECTORS_BAG, arena);
    }
    return parts;
}

const char *probe_group(const void *fields, const char *part)
{
    const struct probe_options *options = fields;
    return tasks_of_part(&options->tasks, part)->group;
}

const struct probe_options *probe_options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_probe)->fields;
}

const char *probe_path(const char *part, struct arena *arena)
{
    const char *path = strchr(part, '@') + 1;
    return arena_text_range(arena, path, strcspn(path, "@"));
}

double probe_count_text(const struct probe_task *task, double *pieces)
{
    enum { PIECE_BYTES = 4 }; /* English pieces are slightly longer, so pieces are overestimated */
    SCOPED(arena_free) struct arena arena = {0};
    size_t bytes = 0;
    const char *file = corpus_find_file(&arena, task->file);
    const char *text = file ? file_read(&arena, file, 0, &bytes) : NULL;
    const double lines = text ? (double)file_count_lines(text, bytes) : 0;
    *pieces = (double)bytes / PIECE_BYTES;
    return lines;
}

/* Dies if tasks, paths or folds are invalid. */
static void check_options(const struct probe_options *probe, const struct tree *options)
{
    const struct tree *map = tree_find(options, "evaluate.probe");
    if (!probe->tasks.count)
        die_at(map->location,
               "evaluate.probe.tasks: expected senteval, a file, or a list of tasks");
    if (!probe->path.count)
        die_at(tree_location(options, "evaluate.probe.path"),
               "evaluate.probe.path: expected at least one path, or layers");
    if (probe->folds == 1 || probe->folds == 2)
        die_at(tree_location(options, "evaluate.probe.folds"),
               "evaluate.probe.folds: expected 0 or 3 to 20, got %d: one fold is for test, one for "
               "dev, the others for training",
               probe->folds);
}

/* ---- requests to the stage `encode` ---- */

/* Inserts a path into a sorted list, unless the list has it. */
static void add_path(struct texts *paths, const char *path, struct location location,
                     struct arena *arena)
{
    int at = 0;
    while (at < paths->count && strcmp(paths->text[at], path) < 0) at++;
    if (at < paths->count && !strcmp(paths->text[at], path)) return;
    ARENA_MORE(arena, paths->text, paths->count);
    ARENA_MORE(arena, paths->location, paths->count);
    for (int i = paths->count++; i > at; i--) {
        paths->text[i] = paths->text[i - 1];
        paths->location[i] = paths->location[i - 1];
    }
    paths->text[at] = path, paths->location[at] = location;
}

static struct tree *paths_list(const struct texts *paths, struct location location,
                               struct arena *arena)
{
    struct tree *list = tree_new(arena, TREE_LIST, location);
    for (int i = 0; i < paths->count; i++)
        tree_add(arena, list, NULL, tree_new_text(arena, paths->location[i], paths->text[i]));
    return list;
}

struct tree *probe_paths_tree(const struct texts *asked, const struct settings *settings,
                              const char *what, bool sorted, struct location location,
                              struct arena *arena)
{
    struct texts paths = {0};
    for (int i = 0; i < asked->count; i++) {
        const struct location at = asked->location ? asked->location[i] : location;
        const char *const one[] = {asked->text[i], NULL}, *const *path = one;
        if (strcmp(*one, VECTORS_LAYERS) != 0)
            vectors_width(&settings->translator, *one, at, what);
        else if (!*(path = vectors_layers(&settings->translator.encoder, arena)))
            die_at(at, "%s: layers: the encoder has no layers; expected other paths", what);
        for (; *path; path++)
            if (sorted)
                add_path(&paths, *path, at, arena);
            else
                add_once(&paths, *path, at, arena);
    }
    return paths_list(&paths, location, arena);
}

/* Returns the probed tasks and the other tasks that the row requests from `encode`. */
static struct tasks tasks_encoded(const struct probe_options *probe, const struct tree *options,
                                  struct arena *arena)
{
    static const char what[] = "evaluate.encode.tasks";
    struct tasks all = probe->tasks;
    const struct tree *written = tree_find(options, what);
    const struct tasks more = tasks_asked(arena, written, what);
    all.task = ARENA_ARRAY(arena, struct probe_task, all.count + more.count);
    memcpy(all.task, probe->tasks.task, (size_t)all.count * sizeof *all.task);
    for (int i = 0; i < more.count; i++) {
        int k = 0;
        while (k < probe->tasks.count && strcmp(all.task[k].name, more.task[i].name) != 0) k++;
        if (k == probe->tasks.count)
            all.task[all.count++] = more.task[i];
        else if (strcmp(all.task[k].file, more.task[i].file) != 0)
            die_at(written->location,
                   "%s: \"%s\" is %s, but %s in evaluate.probe.tasks; expected the same file", what,
                   more.task[i].name, more.task[i].file, all.task[k].file);
    }
    return all;
}

/* Expands the options of a row with vectors of another program. `layers` is replaced by encoder.1,
 * encoder.2, .. as far as the folder has them. */
static struct tree *spell_vectors(struct tree *options, const struct grid_resolved *resolved,
                                  struct arena *arena)
{
    const struct tree *map = tree_find(options, "evaluate.probe");
    const struct probe_options *probe = probe_options_at(resolved->settings);
    const char *folder = probe_vectors_folder(probe->vectors, tree_get(map, "vectors"), arena);
    struct texts paths = {0};
    for (int i = 0; i < probe->path.count; i++) {
        const char *path = probe->path.text[i];
        const bool layers = !strcmp(path, VECTORS_LAYERS);
        if (layers) path = "encoder.1";
        for (int l = 2; probe_vectors_has(folder, path); l++) {
            add_once(&paths, path, map->location, arena);
            if (!layers) break;
            path = arena_print(arena, "encoder.%d", l);
        }
    }
    tree_put(arena, options, "evaluate.probe.tasks",
             tasks_tree(arena, &probe->tasks, map->location));
    tree_put(arena, options, "evaluate.probe.vectors", tree_new_text(arena, map->location, folder));
    if (paths.count)
        tree_put(arena, options, "evaluate.probe.path", paths_list(&paths, map->location, arena));
    return options;
}

/* Returns the options of a row, with paths and tasks expanded, and with the tasks that the stage
 * `encode` must encode. */
static struct tree *spell_out(const struct grid_resolved *resolved, struct arena *arena)
{
    struct tree *options = tree_merge(arena, NULL, resolved->options);
    if (resolved->settings->alone) return spell_vectors(options, resolved, arena);
    const struct tree *map = tree_find(options, "evaluate.probe");
    const struct probe_options *probe = probe_options_at(resolved->settings);
    tree_put(arena, options, "evaluate.probe.path",
             probe_paths_tree(&probe->path, resolved->settings, "evaluate.probe.path", false,
                              map->location, arena));
    tree_put(arena, options, "evaluate.probe.tasks",
             tasks_tree(arena, &probe->tasks, map->location));
    const struct tasks encoded = tasks_encoded(probe, options, arena);
    tree_put(arena, options, "evaluate.encode.tasks", tasks_tree(arena, &encoded, map->location));
    if (texts_have(&probe->controls, "start"))
        tree_put(arena, options, "evaluate.encode.start",
                 tree_new_text(arena, map->location, "true"));
    return options;
}

/* Returns the options that determine an encoder and its vectors, except the paths, as a text. Rows
 * with equal texts share an encoder. */
static const char *encoder_text(const struct settings *settings, struct arena *arena)
{
    ARENA_STREAM(text);
    settings_canonical(settings, SETTINGS_CORPUS | SETTINGS_MODEL | SETTINGS_TRAIN,
                       &evaluation_encode, text.out);
    return arena_stream_close(arena, &text);
}

/* Inserts the paths that a row requests into a sorted list: paths in evaluate.encode.keep and
 * evaluate.probe.path, and `bag` if it is a control. */
static void add_paths(struct texts *paths, const struct grid_resolved *resolved,
                      struct arena *arena)
{
    const struct probe_options *probe = probe_options_at(resolved->settings);
    static const char what[] = "evaluate.encode.keep";
    const struct tree *written = tree_find(resolved->options, what);
    const struct texts kept = written ? scalar_texts(written, what, arena) : (struct texts){0};
    for (int i = 0; i < kept.count; i++) add_path(paths, kept.text[i], kept.location[i], arena);
    for (int i = 0; i < probe->path.count; i++)
        add_path(paths, probe->path.text[i], probe->path.location[i], arena);
    if (texts_have(&probe->controls, VECTORS_BAG))
        add_path(paths, VECTORS_BAG, resolved->options->location, arena);
}

/* Returns the paths of all rows that share the encoder of `row`, so that the encoder runs once. */
static struct tree *paths_kept(const struct grid *grid, const char *const *encoder, int row,
                               struct arena *arena)
{
    struct texts paths = {0};
    for (int r = 0; r < grid->rows; r++)
        if (encoder[r] && !strcmp(encoder[row], encoder[r]))
            add_paths(&paths, grid->row[r].resolved, arena);
    return paths_list(&paths, grid->row[row].resolved->options->location, arena);
}

void probe_ask(struct grid *grid, struct arena *arena)
{
    const char **encoder = ARENA_ARRAY(arena, const char *, grid->rows);
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid_row_asks(grid, r, &evaluation_probe);
        if (!resolved) continue;
        grid_row_about(grid, r, arena);
        check_options(probe_options_at(resolved->settings), resolved->options);
        if (!resolved->settings->alone) encoder[r] = encoder_text(resolved->settings, arena);
        grid_row_say(grid, r, spell_out(resolved, arena), arena);
        const struct probe_options *probe = probe_options_at(resolved->settings);
        const struct texts parts = settings_evaluated(resolved->settings, &evaluation_probe)->parts;
        for (int i = 0; i < parts.count && resolved->settings->alone; i++)
            probe_vectors_check(probe->vectors, parts.text[i],
                                tasks_of_part(&probe->tasks, parts.text[i]), grid->seed,
                                grid->seeds);
    }
    grid_row_about(grid, -1, arena);
    for (int r = 0; r < grid->rows; r++) {
        if (!encoder[r]) continue;
        struct tree *options = tree_merge(arena, NULL, grid->row[r].resolved->options);
        tree_put(arena, options, "evaluate.encode.keep", paths_kept(grid, encoder, r, arena));
        grid_row_say(grid, r, options, arena);
    }
}
