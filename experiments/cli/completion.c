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

static int run(struct verb_call *call)
{
    static const char *const shells[] = {"bash", NULL};
    struct arena *arena = &call->arena;
    verb_word(call, "SHELL", call->word[0], shells);
    puts("# bash completion for sanlab: sanlab completion bash > FILE; source FILE");
    puts("_sanlab() {");
    fputs("    local verbs='help", stdout);
    for (int i = 0; verbs[i]; i++)
        if (!verbs[i]->hidden) printf(" %s", verbs[i]->name);
    fputs("'\n    local grids=(", stdout);
    for (const char *const *name = grid_shipped_names(arena); *name; name++) {
        shell_put(*name, stdout);
        putchar(' ');
    }
    fputs(")\n    local options='seeds=", stdout);
    for (const char *const *name = settings_names(arena); *name; name++) printf(" %s=", *name);
    puts("'\n    local files=() words= name= word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} "
         "before=${COMP_WORDS[COMP_CWORD-1]}");
    /* A user's grids are those of the folder in which the shell is. */
    fputs("    for name in", stdout);
    for (const char *const *folder = grid_folders; *folder; folder++) printf(" %s/*.yaml", *folder);
    fputs("; do\n"
          "        [ -e \"$name\" ] || continue\n"
          "        name=${name##*/} name=${name%.yaml}\n"
          "        [[ \" ${grids[*]} \" = *\" $name \"* ]] || grids+=(\"$name\")\n"
          "    done\n"
          "    [ \"$COMP_CWORD\" -gt 1 ] || verb=help\n"
          "    case $verb in\n"
          "    help)\n        case $before in\n            options) words='",
          stdout);
    for (const struct topic *topic = topics; topic->name; topic++) printf(" %s", topic->name);
    puts("' ;;\n            *) words=\"$verbs options\" ;;\n        esac ;;");
    for (int i = 0; verbs[i]; i++) {
        if (verbs[i]->hidden) continue;
        printf("    %s)\n        case $before in\n", verbs[i]->name);
        print_values(verbs[i]);
        fputs("            *) words=\"", stdout);
        print_words(verbs[i], arena);
        printf("\"%s ;;\n        esac ;;\n",
               takes_grid(verbs[i]) ? " files=(\"${grids[@]}\")" : "");
    }
    puts("    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "    for name in \"${files[@]}\"; do\n"
         "        printf -v name %q \"$name\"\n"
         "        case $name in \"$word\"*) COMPREPLY+=(\"$name\") ;; esac\n"
         "    done\n"
         "    case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac\n"
         "}\n"
         "complete -o default -F _sanlab sanlab ./sanlab");
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
