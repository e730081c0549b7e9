/* sanlab completion: prints a completion script for bash, made from the pages of the verbs. */
#include <string.h>

#include "core/base/shell.h"
#include "experiments/cli/verbs.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/settings.h"

static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};

static void print_case(const struct verb *verb, struct arena *arena)
{
    const struct verb_page page = verb_page(verb, arena);
    const bool takes_grid = !strncmp(page.usage, "GRID", 4);
    printf("    %s) words=\"", verb->name);
    for (int i = 0; i < page.options; i++) printf(" %s", page.option[i].name);
    for (int i = 0; i < VERB_ACTIONS && verb->action[i].name; i++)
        printf(" %s", verb->action[i].name);
    printf("%s\"%s ;;\n", takes_grid ? " $options" : "",
           takes_grid ? " files=(\"${grids[@]}\")" : "");
}

/* Prints the list that replaces {{name}} in the script. The list of folders has patterns, because a
 * user's grids are in the current folder of the shell. */
static void print_list(const char *name, struct arena *arena)
{
    if (!strcmp(name, "verbs"))
        for (int i = 0; verbs[i] && !verbs[i]->hidden; i++) printf(" %s", verbs[i]->name);
    else if (!strcmp(name, "grids"))
        for (const char *const *grid = grid_shipped_names(arena); *grid; grid++)
            printf("%s ", shell_word(arena, *grid));
    else if (!strcmp(name, "options"))
        for (const char *const *key = settings_names(arena); *key; key++) printf(" %s=", *key);
    else if (!strcmp(name, "folders"))
        for (const char *const *at = grid_folders; *at; at++) printf(" %s/*.yaml", *at);
    else
        for (int i = 0; verbs[i] && !verbs[i]->hidden; i++) print_case(verbs[i], arena);
}

static int run(struct verb_call *call)
{
    static const char *const shells[] = {"bash", NULL};
    struct arena *arena = &call->arena;
    verb_word(call, "SHELL", call->word[0], shells);
    const char *at = verb_text("completion_script");
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        printf("%.*s", (int)(mark - at), at);
        print_list(arena_text_range(arena, mark + 2, strcspn(mark + 2, "}")), arena);
    }
    fputs(at, stdout);
    return 0;
}

const struct verb verb_completion = {
    .name = "completion",
    .run = run,
    .data = true,
    .words = {1, 1},
};
