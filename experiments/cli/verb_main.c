/* Runs a program with verbs: prints its help and version, and names the nearest verb for an unknown
 * one. */
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "core/base/program.h"
#include "core/config/word.h"
#include "core/cpu/blas.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verb.h"
#include "experiments/stage/machine.h"
#include "results/store/store.h"

static const struct verb *const *verbs; /* verbs of this program; NULL-terminated */

enum { VERB_INDENT = 14, VERBS_MOST = 64 };

static void print_verbs(void)
{
    SCOPED(arena_free) struct arena arena = {0};
    printf("%s: experiments with self-attention networks\n", program_invocation_short_name);
    for (int i = 0; verbs[i]; i++) {
        if (verbs[i]->hidden) continue;
        const struct verb_page page = verb_page(verbs[i], &arena);
        if (page.heading) printf("\n%s\n", page.heading);
        fold_line(stdout, mask_columns(stdout), VERB_INDENT,
                  arena_print(&arena, "  %-12s%s", verbs[i]->name, page.help));
    }
    printf("\n"
           "%1$s help VERB     options of a verb, as with VERB --help\n"
           "%1$s help options  options of a grid, by topic: corpus, model, train, ..\n",
           program_invocation_short_name);
}

/* Returns the verb of this name. If there is none, dies and names the nearest word. `other` is also
 * a valid word. */
static const struct verb *verb_called(const char *name, const char *other)
{
    const char *known[VERBS_MOST + 2] = {other};
    for (int i = 0; verbs[i]; i++) {
        CHECK(i < VERBS_MOST, "more than %d verbs", VERBS_MOST);
        if (!strcmp(verbs[i]->name, name)) return verbs[i];
        known[i + 1] = verbs[i]->hidden ? "" : verbs[i]->name;
    }
    char near[WORD_NEAR];
    die("there is no verb \"%s\"%s (%s --help lists them)", name, word_near(near, name, known),
        program_invocation_short_name);
}

/* Prints what `sanlab help [VERB | options [TOPIC]]` requests. `word` has the words after help. */
static void help(int count, char **word)
{
    const bool options = count && !strcmp(word[0], "options");
    if (count > 1 + options)
        die("usage: %s help [VERB | options [TOPIC]]", program_invocation_short_name);
    if (!count)
        print_verbs();
    else if (!options)
        verb_help(verb_called(word[0], "options"));
    else if (count == 1)
        topics_list(stdout);
    else
        topics_print(word[1], stdout);
}

/* Handles calls without a verb. Returns the exit status; -1 if the first word should be a verb. */
static int without_verb(int count, char **word)
{
    static const char *const asks[] = {"--help", "-h", "help", NULL};
    if (count < 2 || word_known(word[1], asks)) {
        help(count < 2 ? 0 : count - 2, word + 2);
        return count < 2 ? 64 : 0;
    }
    if (strcmp(word[1], "--version") != 0) return -1;
    printf("%s " SANLAB_VERSION "+" SANLAB_COMMIT "%s; database schema %d\n",
           program_invocation_short_name, *SANLAB_DATE ? " of " SANLAB_DATE : "", STORE_VERSION);
    return 0;
}

int verb_main(const struct verb *const *all, int count, char **word)
{
    verbs = all;
    program_begin();
    blas_asked(); /* dies if SANLAB_PRODUCTS is invalid; machine_cores does so for SANLAB_CORES */
    const int cores = machine_cores();
    if (!getenv("OMP_NUM_THREADS")) omp_set_num_threads(cores);
    const int status = without_verb(count, word);
    if (status >= 0) return status;
    const struct verb *verb = verb_called(word[1], "help");
    struct verb_call call;
    if (!verb->data || mask_is_terminal(stdout)) mask_stdout();
    verb_parse(&call, verb, count - 2, word + 2);
    const int done = verb_do(&call);
    if (call.store) store_close(call.store);
    arena_free(&call.arena);
    return done;
}
