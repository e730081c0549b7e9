/* sanlab logic check: pairs of statements, read and computed again. */
#include <string.h>

#include "experiments/cli/logic_table.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number.h"

enum { LOGIC_FOUND = 1, LOGIC_SHOWN = 20 }; /* exit status; faults that are printed */

static struct formula_names names_of(struct verb_call *call)
{
    const char *name[FORMULA_VARIABLES + 2] = {NULL}; /* one more shows that there are too many */
    char *rest = arena_text(&call->arena, verb_value(call, "--names")), *one;
    for (int i = 0; i <= FORMULA_VARIABLES && (one = strsep(&rest, ",")); i++) name[i] = one;
    return formula_names_read((struct place){.file = "command line: --names"}, name);
}

/* ---- check ---- */

static void print_fault(void *context, struct place place, const char *message)
{
    int *faults = context;
    if (++*faults <= LOGIC_SHOWN)
        printf("%s:%d:%d: %s\n", place.file, place.line, place.column, message);
}

static int check(struct verb_call *call)
{
    const enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const struct logic_bins trained =
        logic_bins_read((struct place){.file = "command line: --bins"}, verb_value(call, "--bins"));
    const struct formula_names names = names_of(call);
    int faults = 0;
    struct logic_pairs pairs = {.names = &names, .fault = print_fault, .context = &faults};
    if (call->words < 2) die("usage: sanlab logic check FILE..");
    for (int i = 1; i < call->words; i++) logic_pairs_read(&pairs, call->word[i]);
    if (faults > LOGIC_SHOWN) printf("and %d more\n", faults - LOGIC_SHOWN);
    const struct logic_audit audit = logic_audit(&pairs, trained);
    for (int split = 0; split < LOGIC_SPLITS; split++)
        if (audit.there[split])
            sheet_print(logic_table(&call->arena, &audit, (enum logic_split)split, trained), form,
                        stdout);
    printf("%s lines of %d file%s, %s different statements: %d error%s\n",
           number_count(&call->arena, (double)pairs.pairs + faults), pairs.files,
           pairs.files == 1 ? "" : "s", number_count(&call->arena, pairs.statements), faults,
           faults == 1 ? "" : "s");
    logic_pairs_free(&pairs);
    return faults ? LOGIC_FOUND : 0;
}

static void more_help(FILE *out)
{
    fputs(
        "check computes relation and number of operators of each line again. Then it prints, for\n"
        "each split and bin, pairs of each relation, per cent of the most frequent one, pairs "
        "that\n"
        "are there twice; of test and valid also, beside train's --bins: pairs that are there, "
        "pairs\n"
        "whose mirror (hypothesis and premise) is there, and per cent of pairs whose statements\n"
        "both stand there.\n\n"
        "Exit status: 0 nothing is wrong, 1 some lines are, 65 a file cannot be read.\n",
        out);
}

const struct verb verb_logic = {
    .name = "logic",
    .usage = "check FILE..",
    .help = "pairs of logical statements and their relation: check files of them",
    .action = {{"check", check}},
    .option = {VERB_VALUE("--names", "LIST", "what variables are called",
                          .fallback = "a,b,c,d,e,f"),
               VERB_VALUE("--bins", "RANGE", "check: bins of train that a model is trained on",
                          .fallback = "0-6"),
               VERB_VALUE("--format", "FORM", "check: " SHEET_FORM_HELP, .fallback = "text")},
    .more_help = more_help,
    .words = {1, VERB_WORDS},
};
