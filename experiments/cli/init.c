/* sanlab init: makes a folder for a user's grids, text and results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/shell.h"
#include "core/base/unfinished.h"
#include "experiments/cli/verbs.h"

/* Contents of the folder. `grids` comes last, so a folder with grids is complete. */
static const char *const part[] = {"data", "runs", ".gitignore", "grids"};

/* Dies if the folder would be inside a folder that has all parts. The folder of the program is an
 * exception, because a command of the README makes the first folder there. */
static void check_above(struct arena *arena, const char *folder, const char *above)
{
    SCOPED(heap_free) char *path = realpath(above, NULL);
    for (char *slash; path && (slash = strrchr(path, '/')) != path; *slash = 0) {
        size_t parts = 0;
        for (size_t i = 0; i < COUNT_OF(part); i++)
            parts += file_bytes(arena_print(arena, "%s/%s", path, part[i])) >= 0;
        if (parts == COUNT_OF(part) && strcmp(path, file_program_folder()) != 0)
            die("init: %s: is inside %s, which has grids, data and runs; expected a folder "
                "elsewhere",
                folder, path);
    }
}

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
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        const char *path = arena_print(arena, "%s/%s", folder, part[i]);
        const bool wants_file = *part[i] == '.';
        if (!strcmp(part[i], "grids") && file_is_folder(path))
            die("init: %s already exists; expected a folder without grids", path);
        if (wants_file ? file_is_folder(path) : file_is_no_folder(path))
            die("init: %s: expected a %s", path, wants_file ? "file" : "folder");
    }
    check_above(arena, folder, above);
}

/* Writes all parts to a temporary folder. */
static void fill(struct arena *arena, const char *folder)
{
    static const char ignored[] = "/data\n/runs\n";
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        const char *path = arena_print(arena, "%s/%s", folder, part[i]);
        if (*part[i] == '.')
            file_write(path, ignored, sizeof ignored - 1);
        else
            file_make_folder(path);
    }
    file_copy(arena_print(arena, "%s/experiments/init/first.yaml", file_program_folder()),
              arena_print(arena, "%s/grids/first.yaml", folder));
}

static void move(const char *from, const char *to)
{
    unfinished_pass();
    if (!file_move(from, to)) die("init: %s: %s", to, file_why(errno));
}

/* Makes the folder. Fills a temporary folder first, so that a full disk leaves nothing. */
static void make(struct arena *arena, const char *folder)
{
    const bool fresh = !file_is_folder(folder);
    SCOPED(heap_free)
    char *temporary = file_temporary_name(fresh ? folder : arena_print(arena, "%s/init", folder));
    unfinished_begin(temporary);
    if (!path_make_folder(temporary)) die("init: %s: %s", folder, file_why(errno));
    fill(arena, temporary);
    if (fresh) move(temporary, folder);
    for (size_t i = 0; !fresh && i < COUNT_OF(part); i++) {
        const char *path = arena_print(arena, "%s/%s", folder, part[i]);
        if (file_exists(path))
            printf("%s is unchanged; it should have the lines /data and /runs\n", path);
        else if (!file_is_folder(path))
            move(arena_print(arena, "%s/%s", temporary, part[i]), path);
    }
    unfinished_end();
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
