/* sanlab logic probe: probes the encoder of a finished training by logical inference, as a grid of
 * one row. sanlab logic test: prints the accuracy of a trained classifier of pairs on any files, by
 * number of operators. */
#include "experiments/cli/logic_probe.h"

#include "core/model/classify.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/stage/logic_options.h"
#include "logic/ids.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

static const struct alone_model any_model = {STAGE_ARGUMENT_MODELS, "evaluate.inference"};

int logic_probe(struct verb_call *call)
{
    static const char *const options[] = {"--data",     "--names",    "--train", "--bins",
                                          "--features", "--protocol", "--pool",  "--rules"},
                             *const measures[] = {
                                 "accuracy",    "start_accuracy", "majority",   "short",
                                 "start_short", "long",           "start_long", NULL};
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
    alone_print(call, plan, "inference", measures, 1);
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

/* Returns a table with a line for each number of operators that has pairs, and their sum. */
static struct sheet *tested_table(struct arena *arena, const struct tested *bin)
{
    static const char *const header[COLUMNS] = {"Operators", "Pairs", "Accuracy", "Majority"};
    struct sheet *sheet = sheet_headed(arena, LOGIC_BINS + 1, COLUMNS, header, 1);
    struct tested all = {0};
    int line = 0;
    for (int b = 0; b <= LOGIC_BINS; b++) {
        const struct tested *one = b < LOGIC_BINS ? &bin[b] : &all;
        if (!one->pairs) continue;
        sheet->rule[line] = one == &all;
        sheet_set(sheet, line, OPERATORS, one == &all ? "all" : arena_print(arena, "%d", b));
        sheet_set(sheet, line, PAIRS, number_count(arena, one->pairs));
        sheet_set(sheet, line, ACCURACY, number_fixed(arena, 100. * one->right / one->pairs, 1));
        sheet_set(sheet, line++, MAJORITY,
                  number_fixed(arena, 100. * one->majority / one->pairs, 1));
        all.pairs += one->pairs, all.right += one->right, all.majority += one->majority;
    }
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
