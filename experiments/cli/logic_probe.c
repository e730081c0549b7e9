/* sanlab logic probe: logical inference on the encoder of a training that is done, as a grid of one
 * row. Each cell is that of a column of a grid's table. */
#include "experiments/cli/logic_probe.h"

#include <string.h>

#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/inference_pairs.h"
#include "experiments/stage/logic_options.h"
#include "probes/protocol.h"
#include "results/sheet/number.h"
#include "results/table/sample.h"

static const struct alone_option options[] = {
    {"--data", "evaluate.inference.data", false},
    {"--names", "evaluate.inference.names", true},
    {"--train", "evaluate.inference.train", false},
    {"--bins", "evaluate.inference.bins", false},
    {"--features", "evaluate.inference.features", false},
    {"--protocol", "evaluate.inference.protocol", false},
    {"--pool", "evaluate.inference.pool", false},
    {"--rules", "evaluate.inference.rules", false},
    {NULL, NULL, false},
};

static const char *const kinds[] = {"train", "relate", NULL};
static const struct alone_model any_model = {kinds, "evaluate.inference"};

struct cells {
    struct arena *arena;
    struct sampler sampler;
};

/* What a table of the grid would say of that column, of a class or of all; NULL: nothing. */
static const char *cell(struct cells *cells, const char *name, const char *class)
{
    struct column column;
    const char *nearest;
    CHECK(column_find(name, &column, &nearest, cells->arena), "%s is no column", name);
    column.of.class = class;
    const struct sample sample = sample_row(&cells->sampler, &column, 0);
    return sample_text(&cells->sampler, &column, &sample);
}

/* The accuracy of a guess of the most frequent relation of each bin, over the pairs of bins `first`
 * to `last`; NULL: there are no such pairs. */
static const char *majority(struct cells *cells, int first, int last)
{
    struct column column;
    const char *nearest, *text = NULL;
    column_find("inference.accuracy", &column, &nearest, cells->arena);
    const struct sample sample = sample_row(&cells->sampler, &column, 0);
    sqlite3_stmt *ask = store_ask(
        cells->sampler.store,
        "SELECT sum(value * n) / sum(n) FROM value WHERE stage = ? AND name = 'majority' AND "
        "CAST(class AS INTEGER) BETWEEN ? AND ?",
        "iii", sample.stage, (int64_t)first, (int64_t)last);
    while (store_next(ask))
        if (sqlite3_column_type(ask, 0) != SQLITE_NULL)
            text = number_fixed(cells->arena, store_real(ask, 0), 1);
    store_finish(ask);
    return text;
}

/* A line of the table: of all pairs with so many operators, or of short or long ones, which have
 * columns of their own. */
static void set_line(struct cells *cells, struct sheet *sheet, int line, const char *operators,
                     const char *value, const char *class, bool start)
{
    sheet_set(sheet, line, 0, operators);
    sheet_set(sheet, line, 1, cell(cells, arena_print(cells->arena, "inference.%s", value), class));
    if (start)
        sheet_set(sheet, line, 2,
                  cell(cells, arena_print(cells->arena, "inference.start_%s", value), class));
    if (class) sheet_set(sheet, line, 3, cell(cells, "inference.majority", class));
}

/* How the classifier was trained, and what its vectors are; rules are of text. */
static void say_how(struct cells *cells, struct sheet *sheet, const struct inference_options *asked,
                    bool text)
{
    struct arena *arena = cells->arena;
    sheet_caption(
        arena, sheet,
        "Learned from up to %d pairs of %d to %d operators by protocol %s, features %s%s; "
        "vectors: pool %s, checkpoint %s%s%s.",
        asked->train, asked->logic.bins.first, asked->logic.bins.last,
        protocols[asked->protocol].name,
        section_choice(&inference_section, "features", asked, arena),
        asked->standardize ? ", standardized" : "",
        section_choice(&inference_section, "pool", asked, arena), asked->checkpoint,
        text ? ", rules " : "", text ? asked->rules : "");
}

static struct sheet *by_operators(struct cells *cells, const struct plan *plan, bool text)
{
    enum { COLUMNS = 4 };
    static const char *const header[COLUMNS] = {"Operators", "Accuracy", "Start", "Majority"};
    static const char *const bin[] = {"1", "2", "3", "4",  "5",  "6",
                                      "7", "8", "9", "10", "11", "12"};
    const struct inference_options *asked = inference_options_at(&plan->grid->point[0].settings);
    const int bins = COUNT_OF(bin);
    struct sheet *sheet = sheet_headed(cells->arena, bins + 2, COLUMNS, header, 1);
    sheet->title = plan->grid->title;
    sheet->name = plan->grid->name;
    for (int b = 0; b < bins; b++)
        set_line(cells, sheet, b, bin[b], "accuracy", bin[b], asked->start);
    set_line(cells, sheet, bins, "1-6", "short", NULL, asked->start);
    sheet_set(sheet, bins, 3, majority(cells, 1, 6));
    set_line(cells, sheet, bins + 1, "7-12", "long", NULL, asked->start);
    sheet_set(sheet, bins + 1, 3, majority(cells, 7, 12));
    say_how(cells, sheet, asked, text);
    if (asked->start)
        sheet_caption(cells->arena, sheet,
                      "Start: the same with the parameters that the training began with.");
    return sheet;
}

/* "How often the encoder's source text has each symbol as a word: ( 0, ) 0, not 2,103, .." */
static void say_symbols(struct cells *cells, struct sheet *sheet, const struct plan *plan)
{
    const struct inference_options *asked = inference_options_at(&plan->grid->point[0].settings);
    const struct formula_names names = logic_files_names(&asked->logic);
    const char *list = NULL;
    for (int s = 0; s < names.symbols; s++) {
        const char *count = cell(cells, "statements.occurrences", names.name[s]);
        list = arena_print(cells->arena, "%s%s%s %s", list ? list : "", list ? ", " : "",
                           names.name[s], count ? count : "?");
    }
    sheet_caption(cells->arena, sheet,
                  "How often the encoder's source text has each symbol as a word%s: %s.",
                  strcmp(asked->rules, "none") != 0 ? ", as the rules write it" : "", list);
}

/* Those options that are given: what is not said, the section knows (of a model of the task logic
 * the pairs are those that it was trained on). */
static const struct alone_option *given(struct verb_call *call)
{
    struct alone_option *all = ARENA_ARRAY(&call->arena, struct alone_option, COUNT_OF(options));
    const char **value;
    int count = 0;
    for (const struct alone_option *option = options; option->name; option++)
        if (verb_values(call, option->name, &value)) all[count++] = *option;
    return all;
}

int logic_probe(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    const struct stage *train;
    verb_take_changes(call, 2);
    if (call->words != 2) die("usage: sanlab logic probe MODEL [key=value ...]");
    if (path) verb_check_file(call, "--out", path);
    struct tree *document = alone_document(call, call->word[1], &any_model, &train);
    alone_say(call, document, given(call));
    struct plan *plan = alone_plan(call, document, train);
    const int status = alone_run(call, plan);
    if (status) return status; /* the one value is not there */
    struct store *store = stage_argument_store(call);
    const struct summary_grid summary = plan_summary(&call->arena, plan);
    struct cells cells = {.arena = &call->arena,
                          .sampler = sampler_open(store, &summary, &call->arena)};
    const bool text = !train->kind->evaluation; /* it reads text */
    struct sheet *sheet = by_operators(&cells, plan, text);
    if (text) say_symbols(&cells, sheet, plan);
    struct file_writer writer = verb_out(call);
    sheet_print(sheet, form, writer.stream);
    verb_out_end(&writer);
    store_close(store);
    return 0;
}
