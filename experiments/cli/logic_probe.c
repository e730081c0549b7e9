/* sanlab logic probe: logical inference on the encoder of a training that is done, as a grid of one
 * row. Each cell is that of a column of a grid's table. */
#include "experiments/cli/logic_probe.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/tree_read.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/inference_options.h"
#include "results/sheet/sheet_form.h"
#include "results/table/sample.h"

static const struct alone_option options[] = {
    {"--data", "evaluate.inference.data", false},
    {"--train", "evaluate.inference.train", false},
    {"--bins", "evaluate.inference.bins", false},
    {"--features", "evaluate.inference.features", false},
    {"--protocol", "evaluate.inference.protocol", false},
    {"--pool", "evaluate.inference.pool", false},
    {"--rules", "evaluate.inference.rules", false},
    {NULL, NULL, false},
};

struct cells {
    struct arena *arena;
    struct sampler sampler;
};

/* What a table of the grid would say of that value, of a class or of all; NULL: nothing. */
static const char *cell(struct cells *cells, const char *value, const char *class)
{
    struct column column;
    const char *nearest, *name = arena_print(cells->arena, "inference.%s", value);
    CHECK(column_find(name, &column, &nearest, cells->arena), "%s is no column", name);
    column.of.class = class;
    const struct sample sample = sample_row(&cells->sampler, &column, 0);
    return sample_text(&cells->sampler, &column, &sample);
}

static struct sheet *by_operators(struct cells *cells, const struct plan *plan)
{
    enum { COLUMNS = 4 };
    static const char *const header[COLUMNS] = {"Operators", "Accuracy", "Start", "Majority"};
    static const char *const class[] = {"1", "2", "3", "4",  "5",  "6",
                                        "7", "8", "9", "10", "11", "12"};
    const struct inference_options *asked = inference_options_at(&plan->grid->point[0].settings);
    const int bins = COUNT_OF(class);
    struct sheet *sheet = sheet_headed(cells->arena, bins + 2, COLUMNS, header, 1);
    sheet->title = plan->grid->title;
    sheet->name = plan->grid->name;
    for (int b = 0; b < bins; b++) {
        sheet_set(sheet, b, 0, class[b]);
        sheet_set(sheet, b, 1, cell(cells, "accuracy", class[b]));
        if (asked->start) sheet_set(sheet, b, 2, cell(cells, "start_accuracy", class[b]));
        sheet_set(sheet, b, 3, cell(cells, "majority", class[b]));
    }
    for (int part = 0; part < 2; part++) {
        static const char *const value[] = {"short", "long"}, *const name[] = {"1-6", "7-12"};
        sheet_set(sheet, bins + part, 0, name[part]);
        sheet_set(sheet, bins + part, 1, cell(cells, value[part], NULL));
        if (asked->start)
            sheet_set(sheet, bins + part, 2,
                      cell(cells, arena_print(cells->arena, "start_%s", value[part]), NULL));
    }
    sheet_caption(cells->arena, sheet,
                  "Learned from up to %d pairs of %d to %d operators; checkpoint %s, rules %s.",
                  asked->train, asked->logic.bins.first, asked->logic.bins.last, asked->checkpoint,
                  asked->rules);
    if (asked->start)
        sheet_caption(cells->arena, sheet,
                      "Start: the same with the parameters that the training began with.");
    return sheet;
}

/* "Words of the encoder's source text: ( 0, ) 0, not 2,103, .." */
static void say_symbols(struct cells *cells, struct sheet *sheet, const struct plan *plan)
{
    static const char *const symbol[] = {"(", ")", "not", "and", "or", "a",
                                         "b", "c", "d",   "e",   "f"};
    const struct inference_options *asked = inference_options_at(&plan->grid->point[0].settings);
    const char *list = NULL;
    for (int s = 0; s < (int)COUNT_OF(symbol) - FORMULA_VARIABLES + asked->logic.variables; s++) {
        const char *count = cell(cells, "occurrences", symbol[s]);
        list = arena_print(cells->arena, "%s%s%s %s", list ? list : "", list ? ", " : "", symbol[s],
                           count ? count : "?");
    }
    sheet_caption(cells->arena, sheet,
                  "How often the encoder's source text has each symbol as a word%s: %s.",
                  strcmp(asked->rules, "none") != 0 ? ", as the rules write it" : "", list);
}

/* Of the assignments those that say what is asked go into the document; the others name the model
 * (stage_argument.h). Returns them, NULL-terminated. */
static const char **take_asked(struct verb_call *call)
{
    static const char key[] = "evaluate.inference.";
    const char **asked = ARENA_ARRAY(&call->arena, const char *, call->changes + 1);
    int kept = 0, count = 0;
    for (int i = 0; i < call->changes; i++)
        if (!strncmp(call->change[i], key, strlen(key)))
            asked[count++] = call->change[i];
        else
            call->change[kept++] = call->change[i];
    call->changes = kept;
    return asked;
}

int logic_probe(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    const struct stage *train;
    verb_take_changes(call, 2);
    if (call->words != 2) die("usage: sanlab logic probe MODEL [key=value ...]");
    const char **asked = take_asked(call);
    if (path) verb_check_file(call, "--out", path);
    struct tree *document = alone_document(call, call->word[1], &train);
    const struct tree *checkpoint = tree_find(document, "evaluate.encode.checkpoint");
    tree_put(&call->arena, document, "evaluate.inference.checkpoint",
             tree_new_text(&call->arena, checkpoint->place, checkpoint->text));
    alone_say(call, document, options);
    while (*asked) tree_override(&call->arena, document, *asked++);
    struct plan *plan = alone_plan(call, document, train);
    const int status = alone_run(call, plan);
    if (status == INTERRUPTED_EXIT) return status;
    struct store *store = stage_argument_store(call);
    const struct summary_grid summary = plan_summary(&call->arena, plan);
    struct cells cells = {.arena = &call->arena,
                          .sampler = sampler_open(store, &summary, &call->arena)};
    struct sheet *sheet = by_operators(&cells, plan);
    say_symbols(&cells, sheet, plan);
    struct file_writer writer = {.stream = stdout};
    if (path) writer = file_create(path);
    sheet_print(sheet, form, writer.stream);
    if (path) file_commit(&writer);
    sampler_close(&cells.sampler);
    store_close(store);
    return status;
}
