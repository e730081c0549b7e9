/* Plans and runs stages on an existing training. The grid document has the options of the training,
 * and options from the command line. */
#include "experiments/cli/alone.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/tree_read.h"
#include "core/model/device_choice.h"
#include "experiments/cli/plan_run.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/environment.h"
#include "results/store/stage_folder.h"

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

static bool assigns(const char *change, const char *path)
{
    const size_t length = strlen(path);
    change += *change == '~';
    return !strncmp(change, path, length) && (change[length] == '=' || !change[length]);
}

static void refuse_change(const struct verb_call *call, const char *path, const char *option)
{
    for (int i = 0; i < call->changes; i++)
        if (assigns(call->change[i], path))
            die("%s: %s: expected %s", call->verb->name, call->change[i], option);
}

/* Dies if an assignment sets an option of the training, or an option for which the verb has
 * --checkpoint or --vectors. */
static void check_changes(struct verb_call *call, const char *checkpoint)
{
    for (int i = 0; i < call->changes; i++) {
        const char *change = call->change[i] = written_out(&call->arena, call->change[i]);
        if (!is_asked(change))
            die("%s: %s: expected an option of evaluate; a run with this assignment has the "
                "training GRID+%s/ROW/SEED",
                call->verb->name, change, change);
    }
    refuse_change(call, checkpoint, "--checkpoint");
    refuse_change(call, "evaluate.probe.vectors", "--vectors, without a model");
}

/* ---- a document ---- */

const struct alone_model alone_encoder = {STAGE_ARGUMENT_TRAIN, "evaluate.encode"};

static const char *key_of(struct arena *arena, const struct alone_model *model)
{
    return arena_print(arena, "%s.checkpoint", model->section);
}

/* Dies if the word is the folder of a stage that is not in RUNS. */
static void refuse_path(struct verb_call *call, const char *word)
{
    struct arena *arena = &call->arena;
    const char *stages = arena_print(arena, "%s/stages", verb_value(call, "--runs"));
    size_t bytes = strlen(word);
    while (bytes > 1 && word[bytes - 1] == '/') bytes--;
    const char *path = arena_text_range(arena, word, bytes), *slash = strrchr(path, '/');
    const char *own = arena_print(arena, "%s/%s", stages, slash ? slash + 1 : path);
    if (file_exists(arena_print(arena, "%s/" STAGE_RECORD, path)) && !file_is_folder(own))
        die("%s: %s: expected a stage of %s, by its id or GRID/ROW/SEED; copy the folders of a "
            "training from elsewhere and of its inputs to %s",
            call->verb->name, word, verb_value(call, "--runs"), stages);
}

static const struct stage *find_model(struct verb_call *call, const char *word,
                                      const struct alone_model *model)
{
    struct arena *arena = &call->arena;
    refuse_path(call, word);
    check_changes(call, key_of(arena, model));
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

/* Returns ROW if the stage's label is GRID/ROW/SEED, else the stage's name. */
static const char *row_of(const struct stage *train, struct arena *arena)
{
    const char *name = train->label, *first = name ? strchr(name, '/') : NULL,
               *last = name ? strrchr(name, '/') : NULL;
    if (!first || last <= first + 1) return train->name;
    return arena_text_range(arena, first + 1, (size_t)(last - first - 1));
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
    put(arena, row, "name", row_of(found, arena));
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
    tree_override(arena, document, arena_print(arena, "%s=%s", key_of(arena, model), checkpoint));
    return document;
}

void alone_say(struct verb_call *call, struct tree *document, const char *name, const char *path)
{
    const char *value = verb_value(call, name);
    if (path[strlen(path) - 1] == '.')
        path = arena_print(&call->arena, "%s%s", path, verb_key(&call->arena, name));
    refuse_change(call, path, name);
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
    json_decref(environment_ask(device_word())); /* dies if the device does not work */
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

void alone_hand_out(struct verb_call *call, const char *from, const char *to, bool write)
{
    if (file_exists(to) && !is_same(from, to))
        die("%s: --out: %s already exists; expected a folder without it", call->verb->name, to);
    if (!write) return;
    file_make_folder(arena_text_range(&call->arena, to, (size_t)(strrchr(to, '/') - to)));
    file_copy(from, to);
}

struct alone_table *alone_table(struct verb_call *call, const struct plan *plan)
{
    struct alone_table *table = ARENA_NEW(&call->arena, struct alone_table);
    *table = (struct alone_table){.arena = &call->arena, .plan = plan, .summary = *plan->grid};
    table->sampler = sampler_open(stage_argument_store(call), &table->summary, table->arena);
    return table;
}

/* Returns the column of a kind whose values a sheet shows in a line. */
static struct column *column_of(struct arena *arena, const char *kind,
                                const struct alone_line *line, const struct alone_value *value)
{
    struct column *column = ARENA_NEW(arena, struct column);
    const char *measure = value->measure ? value->measure : line->measure,
               *name = arena_print(arena, "%s.%s%s%s", kind, line->part ? line->part : "",
                                   line->part ? "." : "", measure);
    CHECK(column_find(name, column, NULL, arena), "%s is no column", name);
    column->of = line->of;
    if (value->control) *column = column_control(column, value->control, arena);
    return column;
}

/* Returns the name of a line: "Layer 2 head 1: NOUN". */
static const char *line_name(const struct dimensions *of, struct arena *arena)
{
    const int layer = of->number[DIMENSION_LAYER], head = of->number[DIMENSION_HEAD];
    const char *name = !layer ? "All"
                       : head ? arena_print(arena, "Layer %d head %d", layer, head)
                              : arena_print(arena, "Layer %d", layer);
    if (!of->class) return name;
    return layer ? arena_print(arena, "%s: %s", name, of->class) : of->class;
}

static bool has_line(const struct alone_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->lines; i++)
        if (!strcmp(sheet->line[i].name, name)) return true;
    return false;
}

void alone_add(struct alone_table *table, struct alone_sheet *sheet, struct alone_value value,
               int most)
{
    struct arena *arena = table->arena;
    struct sampler *sampler = &table->sampler;
    const struct alone_line all = {0};
    const struct column *column = column_of(arena, sheet->kind, &all, &value);
    int count;
    const struct value_cache_line *at = value_cache_lines(
        sampler->cache, sample_row(sampler, column, 0).stage, column->value, NULL, &count);
    if (count) ARENA_ADD(arena, sheet->value, sheet->values, value);
    for (int i = 0; i < count; i++) {
        const char *name = line_name(&at[i].of, arena);
        int has = 0;
        for (int k = 0; k < DIMENSIONS; k++) has += dimensions_have(&at[i].of, k);
        if (has <= most && !has_line(sheet, name))
            ARENA_ADD(arena, sheet->line, sheet->lines,
                      (struct alone_line){.name = name, .of = at[i].of});
    }
}

void alone_print(struct verb_call *call, struct alone_table *table, const struct alone_sheet *sheet)
{
    struct arena *arena = table->arena;
    struct sampler *sampler = &table->sampler;
    const struct offer *offer = offer_of(sheet->kind);
    const struct column **shown =
        ARENA_ARRAY(arena, const struct column *, sheet->lines * sheet->values + 1);
    struct sheet *out = sheet_new(arena, sheet->lines, 1 + sheet->values);
    int count = 0;
    out->column[0] = (struct sheet_column){sheet->names, SHEET_LEFT, 0};
    for (int i = 0; i < sheet->lines; i++) {
        out->section[i] = sheet->line[i].section;
        sheet_set(out, i, 0, sheet->line[i].name);
        const int values = sheet->line[i].values ? sheet->line[i].values : sheet->values;
        for (int v = 0; v < values; v++) {
            const struct alone_value *value = &sheet->value[v];
            const struct column *column = column_of(arena, sheet->kind, &sheet->line[i], value);
            const struct sample sample = sample_row(sampler, column, 0);
            shown[count++] = column;
            sheet_set(out, i, v + 1, sample_text(sampler, column, &sample, false, NULL));
            out->column[v + 1] = (struct sheet_column){
                value->header ? value->header : column_offered(column)->header, SHEET_NUMBER,
                column->measure->decimals};
        }
    }
    const char *caption = sample_caption(sampler, offer, 0),
               *parts = offer->doubt ? sample_doubts(sampler, offer, shown, count, 0) : NULL;
    if (caption) sheet_caption(arena, out, "%s: %s.", offer_title(offer, arena), caption);
    if (parts) sheet_caption(arena, out, "%s%s%s.", offer_doubt(offer), *parts ? ": " : "", parts);
    out->title = table->plan->grid->title;
    out->name = table->plan->grid->name;
    verb_print_sheet(call, out);
}
