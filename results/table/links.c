/* Makes the new links in a temporary folder next to the old links, and exchanges the two
 * folders. */
#include "results/table/links.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "results/sheet/escape.h"
#include "results/store/stage_folder.h"

/* A link: the folder that contains it, its path and its target. */
struct link {
    const char *folder, *path, *target;
};

static struct link link_at(const char *folder, const struct grid *grid,
                           const struct grid_cursor *at, struct arena *arena)
{
    const struct grid_stage *stage = grid_stage_at(grid, at);
    const struct grid_row *row = &grid->row[at->row];
    char name[DIGEST_NAME];
    digest_name(row->name, name);
    const char *seed =
        arena_print(arena, "%s/%s/%lld", folder, name, (long long)row->seed[at->seed].seed);
    return (struct link){
        seed, arena_print(arena, "%s/%s", seed, grid_stage_title(stage, arena)),
        arena_print(arena, "../../../../stages/" STAGE_FOLDER, stage->kind, stage->id)};
}

/* Makes all links of the grid below `folder`; false, with errno, on failure. */
static bool write_below(const char *folder, const struct grid *grid, struct arena *arena)
{
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct link link = link_at(folder, grid, &at, arena);
        if (!at.stage) file_make_folder(link.folder);
        if (!path_symlink(link.target, link.path) && errno != EEXIST) return false;
    }
    return true;
}

/* Returns the number of entries below a folder that are not folders. */
static int count_below(DIR *folder)
{
    int count = 0;
    for (const char *name; (name = file_next(folder));) {
        DIR *below = file_list_at(dirfd(folder), name);
        count += below ? count_below(below) : 1;
    }
    return count;
}

/* True if the folder has exactly the links of the grid. Checking is much cheaper than writing. */
static bool is_same(const char *folder, const struct grid *grid, struct arena *arena)
{
    int count = 0;
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++, count++) {
        const struct link link = link_at(folder, grid, &at, arena);
        char target[PATH_MAX];
        const ssize_t length = path_read_link(link.path, target, sizeof target);
        if (length != (ssize_t)strlen(link.target) ||
            memcmp(target, link.target, (size_t)length) != 0)
            return false;
    }
    return count == count_below(file_list(folder));
}

void links_write(const char *runs, const struct grid *grid)
{
    struct arena arena = {0};
    const char *names = arena_print(&arena, "%s/names", runs);
    const char *there = arena_print(&arena, "%s/%s", names, grid->name);
    if (is_same(there, grid, &arena)) {
        arena_free(&arena);
        return;
    }
    char *made = file_temporary_name(arena_print(&arena, "%s/.%s", names, grid->name));
    file_make_folder(made);
    bool good = write_below(made, grid, &arena);
    if (good && !path_rename(made, there, RENAME_EXCHANGE)) {
        /* There are no old links, or the file system cannot exchange folders. */
        if (errno != ENOENT) file_remove_tree(there);
        /* Another runner of the grid may have been faster; its links are normally the same. */
        good = file_move(made, there) ||
               ((errno == ENOTEMPTY || errno == EEXIST) && is_same(there, grid, &arena));
    }
    if (!good) warn("%s: cannot make readable names for stages: %s", there, file_why(errno));
    file_remove_tree(made);
    free(made);
    arena_free(&arena);
}
