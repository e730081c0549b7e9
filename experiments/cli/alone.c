/* Plans and runs stages on an existing training. The grid document has the options of the training,
 * and options from the command line. */
#include "experiments/cli/alone.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/tree_read.h"
#include "experiments/cli/plan_run.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/run/gpus.h"
#include "experiments/stage/probe_options.h"
#include "results/sheet/sheet.h"
#include "results/store/stage_folder.h"
#include "results/table/sample.h"

/* ---- assignments ---- */

/* True if an assignment is an option of the verb's stage (evaluate.encode.end=false), not of the
 * training that the stage reads (train.rate=2). */
static bool is_asked(const char *change)
{
    return !strncmp(change + (*change == '~'), "evaluate.", strlen("evaluate."));
}

/* Returns an assignment with the full path of its option. Assignments may omit `evaluate.`. */
static const char *written_out(struct arena *arena, const char *change)
{
    const char *path = change + (*change == '~');
    return arena_print(arena, "%s%s", path > change ? "~" : "", sections_path(arena, path));
}

/* Dies if an assignment sets an option of the training, or replaces the model. */
static void check_changes(struct verb_call *call)
{
    static const char vectors[] = "evaluate.probe.vectors=";
    for (int i = 0; i < call->changes; i++) {
        const char *change = call->change[i] = written_out(&call->arena, call->change[i]);
        if (!is_asked(change))
            die("%s: %s: expected an option of evaluate; a run with this assignment has the "
                "training GRID+%s/ROW/SEED",
                call->verb->name, change, change);
        if (!strncmp(change, vectors, strlen(vectors)))
            die("%s: %s: expected --vectors, without a model", call->verb->name, change);
    }
}

/* ---- a document ---- */

const struct alone_model alone_encoder = {STAGE_ARGUMENT_TRAIN, "evaluate.encode"};

static const struct stage *find_model(struct verb_call *call, const char *word,
                                      const struct alone_model *model)
{
    struct arena *arena = &call->arena;
    check_changes(call);
    const int changes = call->changes;
    call->changes = 0; /* they select no training */
    const struct stage *train = stage_load(arena, stage_argument(call, word, model->kinds).path);
    call->changes = changes;
    const struct stage_end end = stage_end(train, arena);
    if (!end.finished)
        die("%s: the training %s is not finished; the command that began it continues it",
            call->verb->name, train->name);
    if (end.diverged)
        die("%s: the training %s diverged: it has no encoder", call->verb->name, train->name);
    return train;
}

/* Sets a key to a text, which is not parsed even if it looks like a number. */
static void put(struct arena *arena, struct tree *map, const char *key, const char *text)
{
    tree_put(arena, map, key, tree_new_text(arena, map->location, text));
}

const struct tree *alone_encode(struct arena *arena, const struct tree *options)
{
    static const char *const own[] = {"tasks", "keep", "start", "checkpoint", NULL};
    const struct tree *encode = tree_find(options, "evaluate.encode");
    for (const char *const *key = own; encode && *key; key++)
        encode = tree_without(arena, encode, *key);
    return encode && encode->count ? encode : NULL;
}

struct tree *alone_heading(struct verb_call *call, const char *of, const char *title,
                           const char *seeds, struct tree **row)
{
    struct arena *arena = &call->arena;
    const struct location location = {.file = "command line"};
    struct tree *document = tree_new(arena, TREE_MAP, location),
                *rows = tree_new(arena, TREE_LIST, location);
    *row = tree_new(arena, TREE_MAP, location);
    put(arena, document, "grid", arena_print(arena, "%s-%s", call->verb->name, of));
    put(arena, document, "title", arena_print(arena, "%s of %s", call->verb->name, title));
    tree_override(arena, document, arena_print(arena, "seeds=%s", seeds));
    tree_add(arena, rows, NULL, *row);
    tree_put(arena, document, "rows", rows);
    return document;
}

struct tree *alone_document(struct verb_call *call, const char *word,
                            const struct alone_model *model, const struct stage **train)
{
    struct arena *arena = &call->arena;
    const struct stage *found = *train = find_model(call, word, model);
    struct tree *row, *document = alone_heading(call, arena_text_range(arena, found->id, 12),
                                                found->label ? found->label : found->name,
                                                arena_print(arena, "%u", found->seed), &row);
    put(arena, row, "name", found->name);
    put(arena, document, "task", found->kind->task);
    const unsigned all = SETTINGS_CORPUS | SETTINGS_MODEL | SETTINGS_TRAIN;
    for (const char *const *name = settings_sections(all, found->kind->evaluation, arena); *name;
         name++) {
        const struct tree *said = tree_find(found->options, *name);
        if (said) tree_put(arena, document, *name, tree_copy(arena, said));
    }
    const struct tree *encode = alone_encode(arena, found->options);
    if (encode && !strcmp(model->section, alone_encoder.section))
        tree_put(arena, document, "evaluate.encode", tree_copy(arena, encode));
    const char *checkpoint = verb_value(call, "--checkpoint");
    tree_override(arena, document,
                  arena_print(arena, "%s.checkpoint=%s", model->section, checkpoint));
    return document;
}

void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path)
{
    const char *value = verb_value(call, name);
    if (path[strlen(path) - 1] == '.')
        path = arena_print(&call->arena, "%s%s", path, verb_key(&call->arena, name));
    if (!value) return;
    const char *format = strchr(value, ',') && *value != '[' ? "%s=[%s]" : "%s=%s";
    tree_override(&call->arena, document, arena_print(&call->arena, format, path, value));
}

struct plan *alone_plan(struct verb_call *call, const struct tree *document,
                        const struct stage *train)
{
    struct arena *arena = &call->arena;
    struct grid *grid = grid_of_tree(arena, document, call->change, call->changes);
    if (grid->rows != 1) die("%s: expected one value of %s", call->verb->name, call->change[0]);
    struct plan *plan = plan_build(arena, grid, verb_value(call, "--runs"), train);
    plan_inspect_all(arena, plan, RETRY_FAILED);
    plan_check_at(arena, plan, 0);
    return plan;
}

int alone_run(struct verb_call *call, struct plan *plan)
{
    const struct runner_options options = {
        .workers = verb_number(call, "-j"),
        .retry = RETRY_FAILED, /* the user requested this stage */
        .form = DISPLAY_AUTO,
        .quiet = verb_switch(call, "--quiet"),
    };
    gpus_find(); /* dies if the device does not work */
    const enum plan_stale stale = (enum plan_stale)verb_choice(call, "--stale", plan_stale_words);
    return plan_run(&call->arena, plan, &options, stale, false);
}

/* ---- output ---- */

/* True if two files have the same content. False if `from` does not exist, because its stage is not
 * done yet. */
static bool is_same(const char *from, const char *to)
{
    char a[DIGEST_TEXT], b[DIGEST_TEXT];
    if (!file_exists(from)) return false;
    digest_file(from, a);
    digest_file(to, b);
    return !strcmp(a, b);
}

/* Returns the path of a file of a stage in the folder of --out: PART/FILE. A file PATH.npy of
 * vectors becomes PATH/PART.npy, or PART.npy if it is the only one (`only`). */
static const char *place_of(struct arena *arena, const struct stage *stage, const char *file,
                            bool only)
{
    if (strcmp(stage->kind->name, "encode") != 0)
        return stage->part ? arena_print(arena, "%s/%s", stage->part, file) : file;
    const char *path = arena_text_range(arena, file, strlen(file) - strlen(".npy"));
    return only ? arena_print(arena, "%s.npy", stage->part)
                : arena_print(arena, "%s/%s.npy", path, stage->part);
}

/* Returns the names of the files of a stage. Before the stage is done, these are its vectors, whose
 * names are known; else none. */
static const char *const *files_of(struct arena *arena, const struct stage *stage, int *count)
{
    const char **file = NULL, *name;
    json_t *digest;
    *count = 0;
    if (!strcmp(stage->kind->name, "encode")) {
        const struct texts keep = encode_paths(stage->settings);
        for (int i = 0; i < keep.count; i++)
            ARENA_ADD(arena, file, *count, arena_print(arena, "%s.npy", keep.text[i]));
        return file;
    }
    json_auto_t *done = stage_done(stage);
    json_object_foreach(json_object_get(done, "outputs"), name, digest)
        ARENA_ADD(arena, file, *count, arena_text(arena, name));
    return file;
}

int alone_hand_out(struct verb_call *call, const struct plan *plan, const char *kind, bool write)
{
    struct arena *arena = &call->arena;
    const char *folder = verb_value(call, "--out");
    int files = 0, count;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        if (strcmp(stage->kind->name, kind) != 0) continue;
        const char *const *file = files_of(arena, stage, &count);
        for (int k = 0; k < count; k++, files++) {
            const char *from = arena_print(arena, "%s/%s", stage->folder, file[k]);
            const char *to =
                arena_print(arena, "%s/%s", folder, place_of(arena, stage, file[k], count == 1));
            if (file_exists(to) && !is_same(from, to))
                die("%s: --out: %s already exists; expected a folder without it", call->verb->name,
                    to);
            if (!write) continue;
            file_make_folder(arena_text_range(arena, to, (size_t)(strrchr(to, '/') - to)));
            file_copy(from, to);
        }
    }
    if (write && !verb_switch(call, "--quiet"))
        printf("%d file%s in %s\n", files, files == 1 ? "" : "s", folder);
    return files;
}

/* A line of the printed table: values of a part (NULL: the kind has none) with these dimensions. */
struct part_line {
    const char *part;
    struct dimensions of;
};

struct part_lines {
    int count;
    struct part_line *line;
};

/* Returns the column KIND.PART.MEASURE, for the dimensions of a line. */
static struct column *column_of(struct arena *arena, const char *kind, const struct part_line *line,
                                const char *measure)
{
    struct column *column = ARENA_NEW(arena, struct column);
    const char *part = line->part ? arena_print(arena, "%s.", line->part) : "",
               *name = arena_print(arena, "%s.%s%s", kind, part, measure);
    CHECK(column_find(name, column, NULL, arena), "%s is no column", name);
    column->of = line->of;
    return column;
}

/* Returns the name of a line: "shut layer 2 head 1: NOUN". */
static const char *line_name(const struct part_line *line, struct arena *arena)
{
    const char *of = dimensions_text(&line->of, arena);
    const char *name = arena_print(arena, "%s%s", line->part ? line->part : *of ? "" : "all", of);
    return name + strspn(name, ": ");
}

static void add_line(struct part_lines *lines, struct part_line line, struct arena *arena)
{
    const char *name = line_name(&line, arena);
    for (int i = 0; i < lines->count; i++)
        if (!strcmp(line_name(&lines->line[i], arena), name)) return;
    ARENA_ADD(arena, lines->line, lines->count, line);
}

/* Adds the lines of a part in which a measure has values. Returns false if it has none. */
static bool add_lines(struct sampler *sampler, struct part_lines *lines, const char *kind,
                      const char *part, const char *measure, int most, struct arena *arena)
{
    const struct part_line whole = {.part = part};
    const struct column *column = column_of(arena, kind, &whole, measure);
    int count;
    const struct value_cache_line *at = value_cache_lines(
        sampler->cache, sample_row(sampler, column, 0).stage, column->value, NULL, &count);
    if (!count) add_line(lines, whole, arena); /* it says why the values are missing */
    for (int i = 0; i < count; i++) {
        int has = 0;
        for (int k = 0; k < DIMENSIONS; k++) has += dimensions_have(&at[i].of, k);
        if (has <= most) add_line(lines, (struct part_line){part, at[i].of}, arena);
    }
    return count;
}

void alone_print(struct verb_call *call, const struct plan *plan, const char *kind,
                 const char *const *measure, int most)
{
    struct arena *arena = &call->arena;
    struct grid grid = *plan->grid;
    struct sampler sampler = sampler_open(stage_argument_store(call), &grid, arena);
    const struct texts parts =
        settings_evaluated(grid.row[0].resolved->settings, stage_kind_find(kind)->evaluation)
            ->parts;
    const char **value = NULL, *first = *measure;
    int values = 0, shown = 0;
    struct part_lines lines = {0};
    for (; *measure; measure++) {
        bool has = false;
        for (int p = 0; p < (parts.count ? parts.count : 1); p++)
            has |= add_lines(&sampler, &lines, kind, parts.count ? parts.text[p] : NULL, *measure,
                             most, arena);
        if (has) ARENA_ADD(arena, value, values, *measure);
    }
    if (!values) ARENA_ADD(arena, value, values, first);
    struct sheet *sheet = sheet_new(arena, lines.count, 1 + values);
    const struct column **column = ARENA_ARRAY(arena, const struct column *, lines.count *values);
    sheet->column[0] = (struct sheet_column){"", SHEET_LEFT, 0};
    for (int i = 0; i < lines.count; i++) {
        sheet_set(sheet, i, 0, line_name(&lines.line[i], arena));
        for (int v = 0; v < values; v++) {
            const struct column *at = column[shown++] =
                column_of(arena, kind, &lines.line[i], value[v]);
            const struct sample sample = sample_row(&sampler, at, 0);
            const char *header = column_offered(at)->header;
            sheet_set(sheet, i, v + 1, sample_text(&sampler, at, &sample, false, NULL));
            sheet->column[v + 1] = (struct sheet_column){header ? header : value[v], SHEET_NUMBER,
                                                         at->measure->decimals};
        }
    }
    const struct offer *offer = offer_of(kind);
    const char *caption = sample_caption(&sampler, offer, 0),
               *doubts = offer->doubt ? sample_doubts(&sampler, offer, column, shown, 0) : NULL;
    if (caption) sheet_caption(arena, sheet, "%s: %s.", offer_title(offer, arena), caption);
    if (doubts)
        sheet_caption(arena, sheet, "%s%s%s.", offer_doubt(offer), *doubts ? ": " : "", doubts);
    sheet->title = grid.title;
    sheet->name = grid.name;
    verb_print_sheet(call, sheet);
}
