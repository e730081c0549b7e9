/* sanlab completion: what bash completes, from the rows that help and parser follow. */
#include <string.h>

#include "core/base/shell.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/settings.h"

static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};

static bool takes_grid(const struct verb *verb)
{
    return !strncmp(verb->usage, "GRID", 4);
}

/* What a verb's options take, where that is one of some words. */
static void print_values(const struct verb *verb)
{
    const struct verb_option *option;
    for (int i = 0; (option = verb_option_at(verb, i)); i++) {
        if (!option->value || !strchr(option->value, '|') || strchr(option->value, ' ')) continue;
        printf("            %s) words='", option->name);
        for (const char *at = option->value; *at; at++) putchar(*at == '|' ? ' ' : *at);
        puts("' ;;");
    }
}

static void print_words(const struct verb *verb, struct arena *arena)
{
    const struct verb_option *option;
    for (int i = 0; (option = verb_option_at(verb, i)); i++) printf(" %s", option->name);
    for (int i = 0; verb->section && i < verb->section->count; i++)
        printf(" %s", option_word(arena, &verb->section->option[i]));
    for (int i = 0; i < VERB_ROWS && verb->action[i].name; i++) printf(" %s", verb->action[i].name);
    if (takes_grid(verb)) fputs(" $options", stdout);
}

/* The cases of all verbs. */
static void print_cases(struct arena *arena)
{
    for (int i = 0; verbs[i]; i++) {
        if (verbs[i]->hidden) continue;
        printf("    %s)\n        case $before in\n", verbs[i]->name);
        print_values(verbs[i]);
        fputs("            *) words=\"", stdout);
        print_words(verbs[i], arena);
        printf("\"%s ;;\n        esac ;;\n",
               takes_grid(verbs[i]) ? " files=(\"${grids[@]}\")" : "");
    }
}

/* What stands in the place of {{name}}. A user's grids are those of the folder in which the shell
 * is. */
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
    else if (!strcmp(name, "topics"))
        for (const struct topic *topic = topics; topic->name; topic++) printf(" %s", topic->name);
    else
        print_cases(arena);
}

static int run(struct verb_call *call)
{
    static const char *const shells[] = {"bash", NULL};
    struct arena *arena = &call->arena;
    verb_word(call, "SHELL", call->word[0], shells);
    const char *at = verb_text("completion");
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        printf("%.*s", (int)(mark - at), at);
        print_list(arena_text_range(arena, mark + 2, strcspn(mark + 2, "}")), arena);
    }
    fputs(at, stdout);
    return 0;
}

const struct verb verb_completion = {
    .name = "completion",
    .usage = "bash",
    .help = "a script by which the shell completes verbs, options, grids",
    .run = run,
    .data = true,
    .words = {1, 1},
};
