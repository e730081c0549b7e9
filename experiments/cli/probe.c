/* sanlab probe: runs the ten probing tasks on the encoder of a finished training. */
#include <limits.h>
#include <string.h>

#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/probe_options.h"
#include "experiments/stage/probe_vectors.h"
#include "probes/online_code.h"
#include "probes/protocol.h"
#include "probes/vectors.h"
#include "results/sheet/sheet.h"
#include "results/store/store.h"
#include "results/table/sample.h"

/* A column of the table: a value of the part TASK@PATH, modified by `view`. */
struct probe_column {
    const char *header, *value, *view; /* the view "@start" is appended to the path, "bag" replaces
                                          it */
};
enum { COLUMNS = 8 };

struct probe_cells {
    struct arena *arena;
    struct alone_table *table;
    const struct probe_options *options;
    int columns;
    struct probe_column column[COLUMNS]; /* [columns] */
    struct sheet *sheet;
};

static void add_column(struct probe_cells *cells, bool shown, const char *header, const char *value,
                       const char *view)
{
    if (shown) cells->column[cells->columns++] = (struct probe_column){header, value, view};
}

static void choose_columns(struct probe_cells *cells)
{
    const struct probe_options *options = cells->options;
    const struct texts *controls = &options->controls;
    const bool vectors = *options->vectors, majority = vectors || texts_have(controls, "majority");
    add_column(cells, true, "Accuracy", "accuracy", "");
    add_column(cells, options->seeds > 1, "SD", "accuracy_sd", "");
    add_column(cells, majority, "Majority", "majority", "");
    add_column(cells, majority, "Counted words", "words", "");
    add_column(cells, !vectors && texts_have(controls, VECTORS_BAG), "Bag", "accuracy",
               VECTORS_BAG);
    add_column(cells, !vectors && texts_have(controls, "start"), "Start", "accuracy",
               VECTORS_START);
    add_column(cells, options->code, "Bits", "bits", "");
    add_column(cells, options->code, "Compression", "compression", "");
}

static const char *part_of(const struct probe_cells *cells, const char *task, const char *path,
                           const char *view)
{
    if (*cells->options->vectors) return arena_print(cells->arena, "%s" PROBE_VECTORS, task);
    if (*view == '@') return arena_print(cells->arena, "%s@%s%s", task, path, view);
    return arena_print(cells->arena, "%s@%s", task, *view ? view : path);
}

/* True if a part is undertrained for any seed. */
static bool is_doubted(struct probe_cells *cells, const char *part)
{
    const struct column asked =
        alone_column(cells->table, arena_print(cells->arena, "probe.%s.undertrained", part));
    const struct sample sample = sample_row(&cells->table->sampler, &asked, 0);
    bool doubted = false;
    for (int i = 0; i < sample.total; i++) doubted |= sample.value[i] > 0;
    return doubted;
}

/* Fills a row. If it shows the accuracy of an undertrained part, adds the part to `doubted`. Each
 * part is added once, because the rows of all paths of a task show the same bag. */
static void fill_row(struct probe_cells *cells, int row, const char *task, const char *path,
                     struct texts *doubted)
{
    sheet_set(cells->sheet, row, 0, task);
    for (int c = 0; c < cells->columns; c++) {
        const struct probe_column *column = &cells->column[c];
        const char *part = part_of(cells, task, path, column->view);
        const char *name = arena_print(cells->arena, "probe.%s.%s", part, column->value);
        sheet_set(cells->sheet, row, c + 1, alone_cell(cells->table, name, 0, 0, NULL, false));
        if (!strcmp(column->value, "accuracy") && !texts_have(doubted, part) &&
            is_doubted(cells, part))
            texts_add(doubted, part, (struct location){0}, cells->arena);
    }
}

static void say_protocol(struct probe_cells *cells, const struct settings *settings)
{
    const struct probe_options *options = cells->options;
    const char *more = "",
               *paths = arena_join(cells->arena, options->path.text, options->path.count, ", ");
    if (options->folds) more = arena_print(cells->arena, ", %d folds", options->folds);
    if (options->seeds > 1) more = arena_print(cells->arena, "%s, %d seeds", more, options->seeds);
    if (options->standardize) more = arena_print(cells->arena, "%s, standardized", more);
    const struct protocol *protocol = &protocols[options->protocol];
    if (tasks_have(&options->tasks, "WordContent") && protocol->hidden[0])
        more = arena_print(cells->arena, "%s, WordContent %s", more,
                           options->word_content ? "as others" : "linear");
    const char *of = *options->vectors ? arena_print(cells->arena, "Vectors %s.", options->vectors)
                                       : arena_print(cells->arena, "Path %s, %s.", paths,
                                                     encode_caption(settings, cells->arena));
    sheet_caption(cells->arena, cells->sheet, "%s Protocol %s%s: %s.", of, protocol->name, more,
                  protocol->text);
    if (options->code)
        sheet_caption(cells->arena, cells->sheet, "Online code: " ONLINE_CODE_TEXT ".");
}

/* Makes the table of a plan with one row. The table has a row for each path and task. */
static struct sheet *probe_table(struct alone_table *table, const struct settings *settings)
{
    const struct probe_options *options = probe_options_at(settings);
    const int tasks = options->tasks.count;
    struct probe_cells cells = {.arena = table->arena, .table = table, .options = options};
    struct texts doubted = {0};
    choose_columns(&cells);
    cells.sheet = sheet_new(table->arena, options->path.count * tasks, 1 + cells.columns);
    cells.sheet->column[0] = (struct sheet_column){"Task", SHEET_LEFT, 0};
    for (int c = 0; c < cells.columns; c++)
        cells.sheet->column[c + 1] = (struct sheet_column){cells.column[c].header, SHEET_NUMBER, 2};
    for (int p = 0; p < options->path.count; p++) {
        if (options->path.count > 1) cells.sheet->section[p * tasks] = options->path.text[p];
        for (int t = 0; t < tasks; t++)
            fill_row(&cells, p * tasks + t, options->tasks.task[t].name, options->path.text[p],
                     &doubted);
    }
    say_protocol(&cells, settings);
    if (doubted.count)
        sheet_caption(cells.arena, cells.sheet, "Undertrained: %s.",
                      arena_join(cells.arena, doubted.text, doubted.count, ", "));
    return cells.sheet;
}

/* Returns the last component of a path. */
static char *last_name(const char *path, struct arena *arena)
{
    size_t end = strlen(path), from;
    while (end && path[end - 1] == '/') end--;
    for (from = end; from && path[from - 1] != '/';) from--;
    return arena_text_range(arena, path + from, end - from);
}

/* Returns the seeds of a folder of vectors as a grid's file writes them; "1" if all seeds have the
 * same files. */
static const char *seeds_of(const char *folder, struct arena *arena)
{
    int *seed;
    const int count = probe_vectors_seeds(folder, &seed, arena);
    const char *list = NULL;
    for (int i = 0; i < count; i++)
        list = arena_append(arena, list, ", ", arena_print(arena, "%u", seed[i]));
    return list ? arena_print(arena, "[%s]", list) : "1";
}

/* Returns the document of --vectors DIR. Its row has no model. */
static struct tree *vectors_document(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    const struct location location = {.file = "command line: --vectors"};
    struct tree *row, *option = tree_new_text(arena, location, folder);
    const char *name = last_name(folder, arena);
    char *word = last_name(folder, arena);
    for (char *at = word; *(at += strspn(at, NAME_SIGNS));) *at = '-';
    probe_vectors_folder(folder, option, arena);
    struct tree *document = alone_heading(call, word, folder, seeds_of(folder, arena), &row);
    tree_put(arena, row, "name", tree_new_text(arena, location, *name ? name : folder));
    tree_put(arena, row, "vectors", option);
    return document;
}

/* Dies if an option of an encoder is given with --vectors. */
static void check_vectors(struct verb_call *call)
{
    static const char *const encoder[] = {"--path", "--checkpoint", "--pool", "--rules", NULL};
    const char **value;
    if (call->words) die("probe: --vectors %s: expected no model", verb_value(call, "--vectors"));
    for (const char *const *name = encoder; *name; name++)
        if (verb_values(call, *name, &value))
            die("probe: %s applies to a model; expected --vectors without it", *name);
    for (const char *const *word = verb_list(call, "--controls"); *word; word++)
        if (!strcmp(*word, "bag") || !strcmp(*word, "start"))
            die("probe: --controls %s applies to a model; expected majority with --vectors", *word);
}

static struct plan *make_plan(struct verb_call *call)
{
    static const char *const options[] = {"--tasks", "--protocol", "--word-content",
                                          "--seeds", "--folds",    "--standardize",
                                          "--code",  "--controls"};
    const char *folder = verb_value(call, "--vectors");
    const struct stage *train = NULL;
    struct tree *document;
    if (folder) {
        check_vectors(call);
        document = vectors_document(call, folder);
    } else {
        if (!call->words) die("probe: expected a model, a train stage, or --vectors DIR");
        verb_take_one(call, "model");
        document = alone_document(call, call->word[0], &alone_encoder, &train);
        alone_say(call, document, "--path", "evaluate.probe.");
        alone_say(call, document, "--pool", "evaluate.encode.");
        alone_say(call, document, "--rules", "evaluate.encode.");
    }
    for (size_t i = 0; i < COUNT_OF(options); i++)
        alone_say(call, document, options[i], "evaluate.probe.");
    return alone_plan(call, document, train);
}

static int run(struct verb_call *call)
{
    verb_check_sheet(call);
    struct plan *plan = make_plan(call);
    const int status = alone_run(call, plan);
    if (status == INTERRUPTED_EXIT) return status;
    struct alone_table *table = alone_table(call, plan);
    alone_print(call, table, probe_table(table, plan->grid->row[0].resolved->settings));
    return status;
}

const struct verb verb_probe = {.name = "probe", .run = run, .words = {0, INT_MAX}};
