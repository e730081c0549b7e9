/* sanlab: the table of verbs. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "core/base/program.h"
#include "core/config/word.h"
#include "core/cpu/blas.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/machine.h"
#include "results/store/store.h"

static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};

enum { VERB_LINE = 256, VERB_INDENT = 13 };

static void print_verbs(void)
{
    puts("sanlab: experiments with self-attention networks\n");
    for (int i = 0; verbs[i]; i++)
        if (!verbs[i]->hidden) {
            char line[VERB_LINE];
            snprintf(line, sizeof line, "  %-11s%s", verbs[i]->name, verbs[i]->help);
            fold_line(stdout, mask_columns(stdout), VERB_INDENT, line);
        }
    fold_text(stdout, "\nsanlab VERB --help, or help VERB, lists a verb's options with defaults, "
                      "types and ranges.\n");
}

static const struct verb *verb_called(const char *name)
{
    const char *known[COUNT_OF(verbs)] = {0};
    for (int i = 0; verbs[i]; i++) {
        if (!strcmp(verbs[i]->name, name)) return verbs[i];
        known[i] = verbs[i]->hidden ? "" : verbs[i]->name;
    }
    char near[WORD_NEAR];
    die("there is no verb \"%s\"%s (sanlab --help lists them)", name, word_near(near, name, known));
}

/* What is not a verb's: 0, or -1 where the word is one's name. */
static int without_verb(int count, char **word)
{
    static const char *const asks[] = {"--help", "-h", "help", NULL};
    if (count < 2 || word_known(word[1], asks)) {
        if (count > 2)
            verb_help(verb_called(word[2]));
        else
            print_verbs();
        return count < 2 ? 64 : 0;
    }
    if (strcmp(word[1], "--version") != 0) return -1;
    printf("sanlab, commit %s; schema of its database %d\n", environment_commit(), STORE_VERSION);
    return 0;
}

int main(int count, char **word)
{
    program_begin();
    blas_asked(); /* a word that is none is refused by all verbs, as is SANLAB_CORES */
    const int cores = machine_cores();
    if (!getenv("OMP_NUM_THREADS")) omp_set_num_threads(cores);
    const int status = without_verb(count, word);
    if (status >= 0) return status;
    const struct verb *verb = verb_called(word[1]);
    struct verb_call *call = heap_alloc(sizeof *call);
    if (!verb->data || mask_is_terminal(stdout)) mask_stdout();
    verb_parse(call, verb, count - 2, word + 2);
    const int done = verb_do(call);
    arena_free(&call->arena);
    free(call);
    return done;
}
