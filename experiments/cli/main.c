/* sanlab: the table of verbs. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "core/base/program.h"
#include "core/config/word.h"
#include "core/cpu/blas.h"
#include "core/cpu/products.h"
#include "experiments/cli/verb.h"
#include "experiments/cli/verbs.h"

#define VERB_ADDRESS(name) &verb_##name
static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};

static void print_verbs(void)
{
    puts("sanlab: experiments with self-attention networks\n");
    for (int i = 0; verbs[i]; i++)
        if (!verbs[i]->hidden) printf("  %-10s %s\n", verbs[i]->name, verbs[i]->help);
    puts("\nsanlab VERB --help lists a verb's options with defaults, types and ranges.");
}

int main(int count, char **word)
{
    program_begin();
    blas_asked(); /* a word that is none is refused by all verbs */
    const char *name = count > 1 ? word[1] : "--help";
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        print_verbs();
        return count > 1 ? 0 : 64;
    }
    const char *known[COUNT_OF(verbs)] = {0};
    for (int i = 0; verbs[i]; i++) {
        if (!strcmp(verbs[i]->name, name)) {
            struct verb_call *call = heap_alloc(sizeof *call);
            if (!verbs[i]->data || mask_is_terminal(stdout)) mask_stdout();
            verb_parse(call, verbs[i], count - 2, word + 2);
            int status = verb_do(call);
            arena_free(&call->arena);
            free(call);
            return status;
        }
        known[i] = verbs[i]->hidden ? "" : verbs[i]->name;
    }
    const char *near = word_nearest(name, known);
    die("there is no verb \"%s\"%s%s%s (sanlab --help lists them)", name,
        near ? "; nearest is \"" : "", near ? near : "", near ? "\"" : "");
}
