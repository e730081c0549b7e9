/* sanlab probe: the ten probing tasks on the encoder of a training that is done. */
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

/* A column of the table: a value of the part TASK@PATH and what stands behind that. */
struct probe_column {
    const char *header, *value, *view; /* view "@start" is behind the path, "bag" instead of it */
    bool shown;
};
enum { ACCURACY, DEVIATION, MAJORITY, WORDS, BAG, START, BITS, COMPRESSION, COLUMNS };

struct probe_cells {
    struct arena *arena;
    struct alone_table *table;
    const struct probe_options *options;
    struct probe_column column[COLUMNS];
    struct sheet *sheet;
};

static void choose_columns(struct probe_cells *cells)
{
    const struct probe_options *options = cells->options;
    const bool alone = *options->vectors;
    const struct probe_column all[COLUMNS] = {
        [ACCURACY] = {"Accuracy", "accuracy", "", true},
        [DEVIATION] = {"SD", "accuracy_sd", "", options->seeds > 1},
        [MAJORITY] = {"Majority", "majority", "",
                      alone || texts_have(&options->controls, "majority")},
        [WORDS] = {"Counted words", "words", "",
                   alone || texts_have(&options->controls, "majority")},
        [BAG] = {"Bag", "accuracy", VECTORS_BAG,
                 !alone && texts_have(&options->controls, VECTORS_BAG)},
        [START] = {"Start", "accuracy", VECTORS_START,
                   !alone && texts_have(&options->controls, "start")},
        [BITS] = {"Bits", "bits", "", options->code},
        [COMPRESSION] = {"Compression", "compression", "", options->code},
    };
    memcpy(cells->column, all, sizeof all);
}

static const char *part_of(const struct probe_cells *cells, const char *task, const char *path,
                           const char *view)
{
    if (*cells->options->vectors) return arena_print(cells->arena, "%s" PROBE_VECTORS, task);
    if (*view == '@') return arena_print(cells->arena, "%s@%s%s", task, path, view);
    return arena_print(cells->arena, "%s@%s", task, *view ? view : path);
}

static void set_cell(struct probe_cells *cells, int row, int at, const char *task, const char *path,
                     const struct probe_column *column)
{
    const char *part = part_of(cells, task, path, column->view);
    const char *name = arena_print(cells->arena, "probe.%s.%s", part, column->value);
    sheet_set(cells->sheet, row, at, alone_cell(cells->table, name, 0, 0, NULL, false));
}

static void fill(struct probe_cells *cells)
{
    const struct probe_options *options = cells->options;
    for (int p = 0, row = 0; p < options->path.count; p++)
        for (int t = 0; t < options->tasks.count; t++, row++) {
            const char *task = options->tasks.task[t].name;
            if (!t && options->path.count > 1) cells->sheet->section[row] = options->path.text[p];
            sheet_set(cells->sheet, row, 0, task);
            for (int c = 0, at = 1; c < COLUMNS; c++)
                if (cells->column[c].shown)
                    set_cell(cells, row, at++, task, options->path.text[p], &cells->column[c]);
        }
}

/* Whether a part says of a seed that it is undertrained. */
static bool is_doubted(struct probe_cells *cells, const char *part)
{
    const struct column asked =
        alone_column(cells->table, arena_print(cells->arena, "probe.%s.undertrained", part));
    const struct sample sample = sample_row(&cells->table->sampler, &asked, 0);
    bool doubted = false;
    for (int i = 0; i < sample.total; i++) doubted |= sample.value[i] > 0;
    return doubted;
}

/* Whether it shows what an earlier column or path has shown: the bag of a task is one. */
static bool is_shown_again(const struct probe_cells *cells, int column, int path)
{
    const bool bag = !strcmp(cells->options->path.text[path], VECTORS_BAG);
    return column == BAG ? path > 0 : column == ACCURACY && bag && cells->column[BAG].shown;
}

/* Of every accuracy that is shown, controls included. */
static void say_undertrained(struct probe_cells *cells)
{
    const struct probe_options *options = cells->options;
    const char *list = NULL;
    for (int p = 0; p < options->path.count; p++)
        for (int t = 0; t < options->tasks.count; t++)
            for (int c = 0; c < COLUMNS; c++) {
                const struct probe_column *column = &cells->column[c];
                if (!column->shown || strcmp(column->value, "accuracy") != 0) continue;
                if (is_shown_again(cells, c, p)) continue;
                const char *part = part_of(cells, options->tasks.task[t].name,
                                           options->path.text[p], column->view);
                if (!is_doubted(cells, part)) continue;
                list = list ? arena_print(cells->arena, "%s, %s", list, part) : part;
            }
    if (list) sheet_caption(cells->arena, cells->sheet, "Undertrained: %s.", list);
}

static void say_protocol(struct probe_cells *cells, const struct settings *settings)
{
    const struct probe_options *options = cells->options;
    const char *more = "", *paths = options->path.text[0];
    for (int i = 1; i < options->path.count; i++)
        paths = arena_print(cells->arena, "%s, %s", paths, options->path.text[i]);
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

static struct sheet *new_sheet(const struct probe_cells *cells)
{
    const struct probe_options *options = cells->options;
    int columns = 1;
    for (int c = 0; c < COLUMNS; c++) columns += cells->column[c].shown;
    struct sheet *sheet =
        sheet_new(cells->arena, options->path.count * options->tasks.count, columns);
    sheet->column[0] = (struct sheet_column){"Task", SHEET_LEFT, 0};
    for (int c = 0, at = 1; c < COLUMNS; c++)
        if (cells->column[c].shown)
            sheet->column[at++] = (struct sheet_column){cells->column[c].header, SHEET_NUMBER, 2};
    return sheet;
}

/* The table of a plan of one row, task by task and path by path. */
static struct sheet *probe_table(struct alone_table *table, const struct settings *settings)
{
    struct probe_cells cells = {
        .arena = table->arena, .table = table, .options = probe_options_at(settings)};
    choose_columns(&cells);
    cells.sheet = new_sheet(&cells);
    fill(&cells);
    say_protocol(&cells, settings);
    say_undertrained(&cells);
    return cells.sheet;
}

/* The last name of a path. */
static char *last_name(const char *path, struct arena *arena)
{
    size_t end = strlen(path), from;
    while (end && path[end - 1] == '/') end--;
    for (from = end; from && path[from - 1] != '/';) from--;
    return arena_text_range(arena, path + from, end - from);
}

/* As a grid writes seeds; 1 of a folder whose files are of all. */
static const char *seeds_of(const char *folder, struct arena *arena)
{
    int *seed;
    const int count = probe_vectors_seeds(folder, &seed, arena);
    const char *list = count ? "[" : "1";
    for (int i = 0; i < count; i++)
        list = arena_print(arena, "%s%d%s", list, seed[i], i + 1 < count ? ", " : "]");
    return list;
}

/* The document of --vectors DIR: its row has no model. */
static struct tree *vectors_document(struct verb_call *call, const char *folder)
{
    struct arena *arena = &call->arena;
    const struct place place = {.file = "command line: --vectors"};
    struct tree *row, *option = tree_new_text(arena, place, folder);
    const char *name = last_name(folder, arena);
    char *word = last_name(folder, arena);
    for (char *at = word; *(at += strspn(at, NAME_SIGNS));) *at = '-';
    probe_vectors_folder(folder, option, arena);
    struct tree *document = alone_heading(call, word, folder, seeds_of(folder, arena), &row);
    tree_put(arena, row, "name", tree_new_text(arena, place, *name ? name : folder));
    tree_put(arena, row, "vectors", option);
    return document;
}

/* What is asked of an encoder cannot be asked of vectors. */
static void check_vectors(struct verb_call *call)
{
    static const char *const encoder[] = {"--path", "--checkpoint", "--pool", "--rules", NULL};
    const char **value;
    if (call->words) die("probe: --vectors %s: expected no model", verb_value(call, "--vectors"));
    for (const char *const *name = encoder; *name; name++)
        if (verb_values(call, *name, &value))
            die("probe: %s is of a model; expected --vectors without it", *name);
    for (const char *const *word = verb_list(call, "--controls"); *word; word++)
        if (!strcmp(*word, "bag") || !strcmp(*word, "start"))
            die("probe: --controls %s is of a model; vectors have majority alone", *word);
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
    alone_print(call, table, probe_table(table, plan->grid->row[0].point->settings));
    return status;
}

const struct verb verb_probe = {
    .name = "probe",
    .usage = "MODEL [key=value ...]|--vectors DIR [--tasks LIST] [--protocol P] [--path P]",
    .help = "probing tasks on the frozen encoder of a train stage, beside their controls",
    .run = run,
    .device = true,
    .option = {VERB_VALUE("--vectors", "DIR", "TASK.npy of any program instead of a model; below"),
               ALONE_TASKS,
               VERB_VALUE("--protocol", "NAME", "senteval, fixed, conneau2018, xu2019 or hao2019",
                          .fallback = "fixed"),
               ALONE_PATH,
               VERB_VALUE("--controls", "LIST",
                          "majority (and counted words), bag, start; [] for none",
                          .fallback = "majority,bag,start"),
               VERB_CHECKPOINT,
               VERB_VALUE("--seeds", "NUMBER", "classifiers of other random numbers; their mean",
                          .fallback = "1"),
               VERB_VALUE("--folds", "NUMBER", "so many folds of all items, not the file's splits",
                          .fallback = "0"),
               VERB_VALUE("--standardize", "true|false",
                          "every number by its mean and deviation over tr", .fallback = "false"),
               VERB_VALUE("--code", "true|false",
                          "the online code of tr, too: its bits and how many times less that is",
                          .fallback = "false"),
               VERB_VALUE("--word-content", "linear|mlp", "the classifier of the task WordContent",
                          .fallback = "linear"),
               ALONE_VECTORS, ALONE_OPTIONS,
               VERB_VALUE("--format", "FORM", SHEET_FORM_HELP, .fallback = "text"),
               VERB_VALUE("--out", "FILE", "the table, instead of the terminal")},
    .text = {"alone", "probe"},
    .words = {0, VERB_WORDS},
};
