/* Makes the new links in a temporary folder next to the old links, and exchanges the two
 * folders. */
#include "results/table/links.h"

#include <errno.h>
#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "results/sheet/escape.h"
#include "results/store/stage_folder.h"

/* Makes all links of the grid below `folder`; false, with errno, on failure. */
static bool write_below(const char *folder, const struct grid *grid, struct arena *arena)
{
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct grid_stage *stage = grid_stage_at(grid, &at);
        const struct grid_row *row = &grid->row[at.row];
        char name[DIGEST_NAME];
        digest_name(row->name, name);
        const char *seed =
            arena_print(arena, "%s/%s/%lld", folder, name, (long long)row->seed[at.seed].seed);
        if (!at.stage) file_make_folder(seed);
        const char *path = arena_print(arena, "%s/%s", seed, grid_stage_title(stage, arena));
        if (!path_symlink(
                arena_print(arena, "../../../../stages/" STAGE_FOLDER, stage->kind, stage->id),
                path) &&
            errno != EEXIST)
            return false;
    }
    return true;
}

void links_write(const char *runs, const struct grid *grid)
{
    struct arena arena = {0};
    const char *names = arena_print(&arena, "%s/names", runs);
    const char *there = arena_print(&arena, "%s/%s", names, grid->name);
    char *made = file_temporary_name(arena_print(&arena, "%s/.%s", names, grid->name));
    file_make_folder(made);
    bool good = write_below(made, grid, &arena);
    if (good && !path_rename(made, there, RENAME_EXCHANGE)) {
        /* There are no old links, or the file system cannot exchange folders. */
        if (errno != ENOENT) file_remove_tree(there);
        /* Another runner of the grid may have been faster; its links are normally the same. */
        good = file_move(made, there) || errno == ENOTEMPTY || errno == EEXIST;
    }
    if (!good) warn("%s: cannot make readable names for stages: %s", there, file_why(errno));
    file_remove_tree(made);
    free(made);
    arena_free(&arena);
}
