/* Each cell is that of a column of a grid's table (results/table/column.h): so it says in the same
 * words why it has no value. */
#include "experiments/cli/probe_table.h"

#include <string.h>

#include "experiments/stage/probe_options.h"
#include "probes/online_code.h"
#include "probes/protocol.h"
#include "probes/vectors.h"
#include "results/table/sample.h"

/* A column of the table: a value of the part TASK@PATH and what stands behind that. */
struct probe_column {
    const char *header, *value, *view; /* view "@start" is behind the path, "bag" instead of it */
    bool shown;
};
enum { ACCURACY, DEVIATION, MAJORITY, WORDS, BAG, START, BITS, COMPRESSION, COLUMNS };

struct probe_cells {
    struct arena *arena;
    struct sampler sampler;
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
        [MAJORITY] = {"Majority", "majority", "", alone || probe_has_control(options, "majority")},
        [WORDS] = {"Counted words", "words", "", alone || probe_has_control(options, "majority")},
        [BAG] = {"Bag", "accuracy", VECTORS_BAG, !alone && probe_has_control(options, VECTORS_BAG)},
        [START] = {"Start", "accuracy", VECTORS_START,
                   !alone && probe_has_control(options, "start")},
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
    const char *part = part_of(cells, task, path, column->view), *nearest;
    const char *name = arena_print(cells->arena, "probe.%s.%s", part, column->value);
    struct column asked;
    CHECK(column_find(name, &asked, &nearest, cells->arena), "%s is no column", name);
    const struct sample sample = sample_row(&cells->sampler, &asked, 0);
    sheet_set(cells->sheet, row, at, sample_text(&cells->sampler, &asked, &sample));
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
    struct column asked;
    const char *nearest, *name = arena_print(cells->arena, "probe.%s.undertrained", part);
    CHECK(column_find(name, &asked, &nearest, cells->arena), "%s is no column", name);
    const struct sample sample = sample_row(&cells->sampler, &asked, 0);
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

static struct sheet *new_sheet(const struct probe_cells *cells, const struct plan *plan)
{
    const struct probe_options *options = cells->options;
    int columns = 1;
    for (int c = 0; c < COLUMNS; c++) columns += cells->column[c].shown;
    struct sheet *sheet =
        sheet_new(cells->arena, options->path.count * options->tasks.count, columns);
    sheet->title = plan->grid->title;
    sheet->name = plan->grid->name;
    sheet->column[0] = (struct sheet_column){"Task", SHEET_LEFT, 0};
    for (int c = 0, at = 1; c < COLUMNS; c++)
        if (cells->column[c].shown)
            sheet->column[at++] = (struct sheet_column){cells->column[c].header, SHEET_NUMBER, 2};
    return sheet;
}

struct sheet *probe_table(struct store *store, struct arena *arena, const struct plan *plan)
{
    const struct summary_grid summary = plan_summary(arena, plan);
    const struct settings *settings = &plan->grid->point[0].settings;
    struct probe_cells cells = {.arena = arena,
                                .sampler = sampler_open(store, &summary, arena),
                                .options = probe_options_at(settings)};
    choose_columns(&cells);
    cells.sheet = new_sheet(&cells, plan);
    fill(&cells);
    say_protocol(&cells, settings);
    say_undertrained(&cells);
    return cells.sheet;
}
