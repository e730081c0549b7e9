/* sanlab logic generate|check|probe|test. It generates pairs of statements, checks files of pairs,
 * probes the encoder of a training, and tests a trained classifier of pairs on files. */
#include <string.h>

#include "core/model/classify.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/logic_options.h"
#include "logic/formula.h"
#include "logic/generate.h"
#include "logic/ids.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

enum { LOGIC_FOUND = 1, LOGIC_SHOWN = 20 }; /* exit status after faults; limit of printed faults */

/* Returns the names of --names; only the first --variables names, if this option is given. */
static struct formula_names names_of(struct verb_call *call)
{
    const char *name[FORMULA_VARIABLES + 2] = {NULL}; /* one entry more, to detect too many names */
    char *rest = arena_text(&call->arena, verb_value(call, "--names")), *one;
    for (int i = 0; i <= FORMULA_VARIABLES && (one = strsep(&rest, ",")); i++) name[i] = one;
    struct formula_names names =
        formula_names_read((struct location){.file = "command line: --names"}, name);
    const int declared = names.symbols - FORMULA_VARIABLE,
              variables = verb_number(call, "--variables");
    if (variables > declared)
        die("logic: --variables %d: expected at most %d, as many as --names has", variables,
            declared);
    if (variables) names.symbols = FORMULA_VARIABLE + variables, names.name[names.symbols] = NULL;
    return names;
}

/* ---- generate ---- */

static void print_made(struct arena *arena, const struct logic_made *made, int accepted,
                       const char *folder)
{
    int different = 0;
    for (int bin = 0; bin < LOGIC_BINS; bin++) different += made->bin[bin].count;
    printf("%s pairs drawn, %s accepted, %s different; written to %s\n",
           number_count(arena, (double)made->drawn), number_count(arena, accepted),
           number_count(arena, different), folder);
}

static int generate(struct verb_call *call)
{
    const char *folder = verb_need(call, "--out");
    const struct formula_names names = names_of(call);
    const struct logic_options options = {
        .names = &names,
        .pairs = verb_number(call, "--pairs"),
        .depth = verb_number(call, "--depth"),
        .protocol = (enum logic_protocol)verb_choice(call, "--split", logic_protocol_names),
        .disjoint = verb_switch(call, "--disjoint"),
        .seed = (uint32_t)verb_number(call, "--seed"),
    };
    logic_make_folder(folder);
    struct logic_made made = logic_make(&options, &call->arena);
    logic_made_write(&made, folder);
    if (!verb_switch(call, "--quiet")) print_made(&call->arena, &made, options.pairs, folder);
    return 0;
}

/* ---- check ---- */

static void print_fault(void *context, struct location location, const char *message)
{
    int *faults = context;
    if (++*faults <= LOGIC_SHOWN)
        printf("%s:%d:%d: %s\n", location.file, location.line, location.column, message);
}

static int check(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const struct formula_names names = names_of(call);
    int faults = 0;
    struct logic_pairs pairs = {
        .names = &names, .arena = arena, .fault = print_fault, .context = &faults};
    for (int i = 1; i < call->words; i++) logic_pairs_read(&pairs, call->word[i]);
    if (faults > LOGIC_SHOWN) printf("and %d more\n", faults - LOGIC_SHOWN);
    if (!verb_switch(call, "--quiet"))
        printf("%s lines of %d file%s, %s different statements: %d error%s\n",
               number_count(arena, (double)pairs.pairs + faults), pairs.files,
               pairs.files == 1 ? "" : "s", number_count(arena, pairs.statements), faults,
               faults == 1 ? "" : "s");
    return faults ? LOGIC_FOUND : 0;
}

/* ---- probe ---- */

static const struct alone_model any_model = {STAGE_ARGUMENT_MODELS, "evaluate.inference"};

static int probe(struct verb_call *call)
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

/* ---- test ---- */

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

static int test(struct verb_call *call)
{
    enum { STAGE = 1, FILES };
    struct arena *arena = &call->arena;
    verb_check_sheet(call);
    static const char *const kinds[] = {"relate", NULL};
    const struct stage *relate;
    struct frozen *frozen = stage_argument_frozen(call, call->word[STAGE], kinds, &relate);
    const struct logic_section *logic = logic_section_at(relate->settings);
    const struct formula_names own = logic_files_names(logic);
    const bool named = verb_switch(call, "--names") || verb_number(call, "--variables");
    const struct formula_names names = named ? names_of(call) : own;
    if (names.symbols > own.symbols)
        die("logic test: --names: %d names; %s was trained with %d variables",
            names.symbols - FORMULA_VARIABLE, relate->name, own.symbols - FORMULA_VARIABLE);
    struct logic_pairs pairs = {.names = &names, .any_name = true, .arena = arena};
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

const struct verb verb_logic = {
    .name = "logic",
    .gpus = true,
    .action = {{"generate", generate, 1, 1},
               {"check", check, 2},
               {"probe", probe, 2},
               {"test", test, 3}},
};
