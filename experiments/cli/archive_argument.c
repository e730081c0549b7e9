/* Unpacks archives of a grid with the system's tar. Their members are checked first. */
#include "experiments/cli/archive_argument.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/child.h"
#include "core/base/path.h"
#include "core/base/unfinished.h"
#include "core/config/shipped.h"
#include "experiments/grid/grid.h"
#include "experiments/keep/archive_pack.h"

/* Returns the name of the archive's only folder, without assignments. Dies if a member is not a
 * file or folder in this folder, or if SHA256SUMS is missing. */
static const char *check_members(struct verb_call *call, const char *path)
{
    const char *const word[] = {"tar", "-tvP", "--numeric-owner", "--force-local", "-f",
                                path,  NULL};
    enum { FIELDS = 5 }; /* mode, owner, bytes, date and time precede the name */
    struct arena *arena = &call->arena;
    const struct child_said said = child_try(call->verb->name, word, CHILD_OUTPUT, arena);
    const char *root = NULL;
    bool summed = false;
    for (const char *line = said.text; *line && !said.end; line += strcspn(line, "\n") + 1) {
        const char *at = line;
        for (int i = 0; i < FIELDS; i++) at += strcspn(at, " \n"), at += strspn(at, " ");
        const char *name = arena_text_range(arena, at, strcspn(at, "\n"));
        const int length = (int)strcspn(name, "/");
        if (!root) root = arena_print(arena, "%.*s/", length, name);
        if ((*line != '-' && *line != 'd') || strncmp(name, root, strlen(root)) || !length ||
            !strcmp(root, "../") || strstr(name, "/../"))
            die("%s: %s: \"%s\" is not a file or folder in one folder", call->verb->name, path,
                name);
        summed |= !strcmp(name + strlen(root), ARCHIVE_SUMS);
    }
    if (said.end || !summed)
        die("%s: %s: is not an archive of `sanlab archive`", call->verb->name, path);
    return arena_text_range(arena, root, strcspn(root, "+/"));
}

/* Unpacks an archive of the grid `name` (NULL: of any grid), and returns the name of its grid. */
static const char *unpack(struct verb_call *call, const char *path, const char *name,
                          const char *runs)
{
    const char *const word[] = {
        "tar", "-xo", "--strip-components=1", "--skip-old-files", "--force-local", "-C", runs, "-f",
        path,  NULL};
    const char *its = check_members(call, path);
    if (name && strcmp(name, its) != 0)
        die("%s: %s: is of the grid %s, not %s", call->verb->name, path, its, name);
    const struct child_said said = child_try(call->verb->name, word, CHILD_OUTPUT, &call->arena);
    if (said.end) die("%s: %s: tar %s", call->verb->name, path, said.end);
    unfinished_pass();
    return its;
}

/* Returns the path of the grid's file. */
static const char *grid_of(struct verb_call *call, const char *runs, const char *name)
{
    const char *own = arena_print(&call->arena, "%s/grid.yaml", runs),
               *shipped = arena_print(&call->arena, "%s/experiments/evidence/%s.yaml",
                                      file_program_folder(), name);
    return file_exists(own) ? own : file_exists(shipped) ? shipped : grid_find(&call->arena, name);
}

bool archive_argument(struct verb_call *call, int index)
{
    struct arena *arena = &call->arena;
    const char *word = index < call->words ? call->word[index] : "", *name = NULL;
    const bool folder = file_is_folder(word) && !grid_find_try(arena, word); /* a name is a grid */
    int names = 1, archives = 0;
    const char **file = folder ? file_folder_names(arena, word, &names) : &word;
    for (int i = 0; i < names; i++)
        if (archive_has_ending(file[i])) file[archives++] = file[i];
    if (!archives) return false;
    if (!folder && !file_exists(word))
        die("%s: %s: there is no such file%s", call->verb->name, word, shipped_near(arena, word));
    SCOPED(heap_free) char *temporary = file_temporary_folder(NULL);
    const char *runs = arena_text(arena, temporary);
    unfinished_begin(runs);
    path_guard(runs);
    for (int i = 0; i < archives; i++)
        name = unpack(call, folder ? arena_print(arena, "%s/%s", word, file[i]) : word, name, runs);
    ARENA_ADD(arena, call->option, call->given, (struct verb_given){"--runs", runs});
    call->word[index] = grid_of(call, runs, name);
    return true;
}
