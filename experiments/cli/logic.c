/* sanlab logic generate|check|probe|test. It generates pairs of statements, checks files of pairs,
 * probes the encoder of a training, and tests a trained classifier of pairs on files. */
#include <string.h>

#include "experiments/cli/alone.h"
#include "experiments/cli/logic_probe.h"
#include "experiments/cli/verbs.h"
#include "logic/formula.h"
#include "logic/generate.h"
#include "results/sheet/number_format.h"

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

static int test(struct verb_call *call)
{
    const char **value;
    const bool named = verb_values(call, "--names", &value) || verb_number(call, "--variables");
    struct formula_names names;
    if (named) names = names_of(call);
    return logic_test(call, named ? &names : NULL);
}

const struct verb verb_logic = {
    .name = "logic",
    .action = {{"generate", generate, 1, 1},
               {"check", check, 2},
               {"probe", logic_probe, 2},
               {"test", test, 3}},
};
