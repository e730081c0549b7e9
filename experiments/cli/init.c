/* sanlab init: makes a folder for a user's grids, text and results. */
#include <errno.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/shell.h"
#include "experiments/cli/verbs.h"

/* Dies if the folder cannot be filled, or already has grids. */
static void check(struct arena *arena, const char *folder)
{
    const char *slash = strrchr(folder, '/');
    const char *above = !slash ? "."
                        : slash == folder
                            ? "/"
                            : arena_text_range(arena, folder, (size_t)(slash - folder));
    if (!file_is_folder(file_named(arena, above)))
        die("init: %s: there is no folder %s", folder, above);
    if (file_is_no_folder(folder)) die("init: %s: this is a file; expected a folder", folder);
    if (file_is_folder(arena_print(arena, "%s/grids", folder)))
        die("init: %s/grids already exists; expected a folder without grids", folder);
}

/* Makes the folder and its parts. A .gitignore of the user stays. */
static void make(struct arena *arena, const char *folder)
{
    static const char *const part[] = {"data", "runs", "grids"};
    static const char ignored[] = "/data\n/runs\n";
    const char *ignore = arena_print(arena, "%s/.gitignore", folder);
    for (size_t i = 0; i < COUNT_OF(part); i++)
        file_make_folder(arena_print(arena, "%s/%s", folder, part[i]));
    if (!file_exists(ignore)) file_write(ignore, ignored, sizeof ignored - 1);
    file_copy(arena_print(arena, "%s/experiments/init/first.yaml", file_program_folder()),
              arena_print(arena, "%s/grids/first.yaml", folder));
}

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    char *folder = arena_text(arena, call->word[0]);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/';)
        folder[--length] = 0;
    check(arena, folder);
    make(arena, folder);
    /* The commands below have the program's name as typed. A name with a slash becomes the full
     * path, because the user changes to another folder. */
    const char *program = program_invocation_name;
    if (strchr(program, '/')) program = file_by_program(arena, program_invocation_short_name);
    program = shell_word(arena, program);
    printf("%s: grids/first.yaml is a grid to change, data/ is for text, runs/ for results\n"
           "next:\n",
           folder);
    if (strcmp(folder, ".") != 0) printf("  cd %s\n", shell_word(arena, folder));
    printf("  %s corpus get multi30k     # its text: image captions, 4 MB\n"
           "  %s plan first\n"
           "  %s run first\n"
           "  %s table first\n",
           program, program, program, program);
    return 0;
}

const struct verb verb_init = {.name = "init", .run = run, .words = {1, 1}};
