/* sanlab logic probe: probes the encoder of a finished training by logical inference, as a grid of
 * one row. sanlab logic test: prints the accuracy of a trained classifier of pairs on any files, by
 * number of operators. */
#include "experiments/cli/logic_probe.h"

#include <stdlib.h>
#include <string.h>

#include "core/model/classify.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/inference_pairs.h"
#include "experiments/stage/logic_options.h"
#include "logic/ids.h"
#include "probes/protocol.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

static const struct alone_model any_model = {STAGE_ARGUMENT_MODELS, "evaluate.inference"};

/* Returns the cell of a column in a grid's table, for a class (NULL: all). */
static const char *cell(struct alone_table *table, const char *name, const char *class)
{
    return alone_cell(table, name, 0, 0, class, false);
}

/* Returns the accuracy of the majority baseline over the pairs of bins `first` to `last`; NULL if
 * there are none. The baseline guesses the most frequent relation of each bin. */
static const char *majority(struct alone_table *table, int first, int last)
{
    const struct column column = alone_column(table, "inference.accuracy");
    const struct sample sample = sample_row(&table->sampler, &column, 0);
    double sum = 0, n = 0;
    int count;
    const struct value_cache_line *point =
        value_cache_lines(table->sampler.cache, sample.stage, "majority", NULL, &count);
    for (int i = 0; i < count; i++) {
        const int bin = point[i].of.class ? atoi(point[i].of.class) : first - 1;
        if (bin < first || bin > last) continue;
        sum += point[i].value * (double)point[i].n;
        n += (double)point[i].n;
    }
    return n > 0 ? number_fixed(table->arena, sum / n, 1) : NULL;
}

/* Sets a line of the table, about pairs with one number of operators, or about all short or all
 * long pairs. `value` is the measure: accuracy, short or long. */
static void set_line(struct alone_table *table, struct sheet *sheet, int line,
                     const char *operators, const char *value, const char *class, bool start)
{
    sheet_set(sheet, line, 0, operators);
    sheet_set(sheet, line, 1, cell(table, arena_print(table->arena, "inference.%s", value), class));
    if (start)
        sheet_set(sheet, line, 2,
                  cell(table, arena_print(table->arena, "inference.start_%s", value), class));
    if (class) sheet_set(sheet, line, 3, cell(table, "inference.majority", class));
}

/* Adds a caption on the training of the classifier and on its vectors. It names rules only if the
 * model reads text. */
static void say_how(struct alone_table *table, struct sheet *sheet,
                    const struct inference_options *asked, bool text)
{
    struct arena *arena = table->arena;
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

static struct sheet *by_operators(struct alone_table *table, bool text)
{
    enum { COLUMNS = 4 };
    static const char *const header[COLUMNS] = {"Operators", "Accuracy", "Start", "Majority"};
    static const char *const bin[] = {"1", "2", "3", "4",  "5",  "6",
                                      "7", "8", "9", "10", "11", "12"};
    const struct inference_options *asked =
        inference_options_at(table->plan->grid->row[0].resolved->settings);
    const int bins = COUNT_OF(bin);
    struct sheet *sheet = sheet_headed(table->arena, bins + 2, COLUMNS, header, 1);
    for (int b = 0; b < bins; b++)
        set_line(table, sheet, b, bin[b], "accuracy", bin[b], asked->start);
    set_line(table, sheet, bins, "1-6", "short", NULL, asked->start);
    sheet_set(sheet, bins, 3, majority(table, 1, 6));
    set_line(table, sheet, bins + 1, "7-12", "long", NULL, asked->start);
    sheet_set(sheet, bins + 1, 3, majority(table, 7, 12));
    say_how(table, sheet, asked, text);
    if (asked->start)
        sheet_caption(table->arena, sheet, "Start: the same with the parameters before training.");
    return sheet;
}

/* Adds a caption on how often each symbol is a word of the encoder's source text: "( 0, ) 0, not
 * 2,103, ..". */
static void say_symbols(struct alone_table *table, struct sheet *sheet)
{
    const struct inference_options *asked =
        inference_options_at(table->plan->grid->row[0].resolved->settings);
    const struct formula_names names = logic_files_names(&asked->logic);
    const char *list = NULL;
    for (int s = 0; s < names.symbols; s++) {
        const char *count = cell(table, "statements.occurrences", names.name[s]);
        list = arena_append(table->arena, list, ", ",
                            arena_print(table->arena, "%s %s", names.name[s], count ? count : "?"));
    }
    sheet_caption(table->arena, sheet,
                  "Occurrences in the encoder's source text of each symbol as a word%s: %s.",
                  strcmp(asked->rules, "none") != 0 ? ", as the rules write it" : "", list);
}

int logic_probe(struct verb_call *call)
{
    static const char *const options[] = {"--data",     "--names",    "--train", "--bins",
                                          "--features", "--protocol", "--pool",  "--rules"};
    const struct stage *train;
    verb_check_sheet(call);
    verb_take_changes(call, 2);
    if (call->words != 2) die("usage: sanlab logic probe MODEL [key=value ...]");
    struct tree *document = alone_document(call, call->word[1], &any_model, &train);
    /* Options that are not given keep their defaults. In the task logic, the default pairs are the
     * pairs on which the model was trained. */
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (verb_switch(call, options[i]))
            alone_say(call, document, options[i], "evaluate.inference.");
    struct plan *plan = alone_plan(call, document, train);
    const int status = alone_run(call, plan);
    if (status) return status; /* the table would have no value */
    struct alone_table *table = alone_table(call, plan);
    const bool text = !train->kind->evaluation; /* the model reads text */
    struct sheet *sheet = by_operators(table, text);
    if (text) say_symbols(table, sheet);
    alone_print(call, table, sheet);
    return 0;
}

/* ---- logic test ---- */

enum { OPERATORS, PAIRS, ACCURACY, MAJORITY, COLUMNS };

struct tested {
    int pairs, right;
    int majority; /* number of pairs with the most frequent relation of their bin */
};

/* Counts the pairs of each bin. */
static void count(const struct labeled *labeled, const int32_t *told, struct tested *bin)
{
    int relation[LOGIC_BINS][RELATIONS] = {{0}};
    for (int i = 0; i < labeled->pairs; i++) {
        const struct labeled_pair *pair = &labeled->pair[i];
        struct tested *to = &bin[pair->group];
        const int same = ++relation[pair->group][pair->label];
        to->pairs++;
        to->right += told[i] == pair->label;
        if (same > to->majority) to->majority = same;
    }
}

/* Adds a line with the sums over the bins from `first` to `last`, if they have pairs. */
static void add_line(struct arena *arena, struct sheet *sheet, int *line, const struct tested *bin,
                     int first, int last, const char *name)
{
    struct tested sum = {0};
    for (int b = first; b <= last; b++) {
        sum.pairs += bin[b].pairs;
        sum.right += bin[b].right;
        sum.majority += bin[b].majority;
    }
    if (!sum.pairs) return;
    const double each = 100. / sum.pairs;
    sheet_set(sheet, *line, OPERATORS, name);
    sheet_set(sheet, *line, PAIRS, number_count(arena, sum.pairs));
    sheet_set(sheet, *line, ACCURACY, number_fixed(arena, each * sum.right, 1));
    sheet_set(sheet, (*line)++, MAJORITY, number_fixed(arena, each * sum.majority, 1));
}

static struct sheet *tested_table(struct arena *arena, const struct tested *bin)
{
    enum { SUMS = 3 };
    static const char *const header[COLUMNS] = {"Operators", "Pairs", "Accuracy", "Majority"};
    static const int first[SUMS] = {1, 7, 0}, last[SUMS] = {6, 12, 12};
    static const char *const name[SUMS] = {"1-6", "7-12", "all"};
    struct sheet *sheet = sheet_headed(arena, LOGIC_BINS + SUMS, COLUMNS, header, 1);
    int line = 0;
    for (int b = 0; b < LOGIC_BINS; b++)
        add_line(arena, sheet, &line, bin, b, b, arena_print(arena, "%d", b));
    sheet->rule[line] = true;
    for (int k = 0; k < SUMS; k++) add_line(arena, sheet, &line, bin, first[k], last[k], name[k]);
    sheet->rows = line;
    return sheet;
}

int logic_test(struct verb_call *call, const struct formula_names *names)
{
    enum { STAGE = 1, FILES };
    struct arena *arena = &call->arena;
    verb_check_sheet(call);
    static const char *const kinds[] = {"relate", NULL};
    const struct stage *relate;
    struct frozen *frozen = stage_argument_frozen(call, call->word[STAGE], kinds, &relate);
    const struct logic_section *logic = logic_section_at(relate->settings);
    const struct formula_names own = logic_files_names(logic);
    if (names && names->symbols > own.symbols)
        die("logic test: --names: %d names; %s was trained with %d variables",
            names->symbols - FORMULA_VARIABLE, relate->name, own.symbols - FORMULA_VARIABLE);
    struct logic_pairs pairs = {.names = names ? names : &own, .any_name = true, .arena = arena};
    for (int i = FILES; i < call->words; i++) logic_pairs_read(&pairs, call->word[i]);
    if (!pairs.pairs) die("logic test: %s: no pairs", call->word[FILES]);
    const struct labeled labeled = logic_labeled(arena, &pairs, LOGIC_BOWMAN);
    int32_t *pair = ARENA_ARRAY(arena, int32_t, labeled.pairs),
            *told = ARENA_ARRAY(arena, int32_t, labeled.pairs);
    for (int i = 0; i < labeled.pairs; i++) pair[i] = i;
    struct classify *classify = classify_open(arena, frozen->model, &labeled);
    classify_pairs(classify, pair, labeled.pairs, told, NULL, NULL);
    classify_close(classify);
    frozen_close(frozen);
    struct tested bin[LOGIC_BINS] = {{0}};
    count(&labeled, told, bin);
    struct sheet *sheet = tested_table(arena, bin);
    sheet->title = sheet->name =
        arena_print(arena, "%s on %d file%s", relate->name, call->words - FILES,
                    call->words > FILES + 1 ? "s" : "");
    sheet_caption(arena, sheet,
                  "Trained on operators %d-%d, checkpoint %s. Majority: a guess of the most "
                  "frequent relation of each number of operators.",
                  logic->bins.first, logic->bins.last, verb_value(call, "--checkpoint"));
    verb_print_sheet(call, sheet);
    return 0;
}
