#include "results/links.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/file.h"

void links_name(const char *row, char name[LINKS_NAME])
{
    enum { MOST = 120, DIGITS = 8 };
    static const char good[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._=,+-";
    size_t length = 0;
    bool changed = !*row;
    for (const char *at = row; *at && length < MOST; at++) {
        bool stays = strchr(good, *at) && (length || (*at != '.' && *at != '-'));
        if (stays)
            name[length++] = *at;
        else if (!length || name[length - 1] != '_')
            name[length++] = '_';
        changed |= !stays || (length == MOST && at[1]);
    }
    if (!length) name[length++] = '_';
    name[length] = 0;
    if (!changed) return;
    char digest[DIGEST_TEXT];
    digest_bytes(row, strlen(row), digest);
    snprintf(name + length, LINKS_NAME - length, "-%.*s", DIGITS, digest);
}

/* All links of the grid below `folder`; false, with errno, when one cannot be made. */
static bool write_below(const char *folder, const struct summary_grid *grid, struct arena *arena)
{
    for (int r = 0; r < grid->rows; r++) {
        const struct summary_row *row = &grid->row[r];
        char name[LINKS_NAME];
        links_name(row->name, name);
        for (int s = 0; s < row->count; s++) {
            const char *seed =
                arena_print(arena, "%s/%s/%lld", folder, name, (long long)row->seed[s].seed);
            file_make_folder(seed);
            for (int k = 0; k < row->seed[s].count; k++) {
                const struct summary_stage *stage = &row->seed[s].stage[k];
                const char *target =
                    arena_print(arena, "../../../../stages/%s-%.12s", stage->kind, stage->id);
                const char *link = arena_print(arena, "%s/%s", seed, stage->kind);
                if (symlink(target, link) != 0 && errno != EEXIST) return false;
            }
        }
    }
    return true;
}

void links_write(const char *runs, const struct summary_grid *grid)
{
    struct arena arena = {0};
    const char *names = arena_print(&arena, "%s/names", runs);
    const char *there = arena_print(&arena, "%s/%s", names, grid->grid);
    const char *made = arena_print(&arena, "%s/.%s.tmp-%d", names, grid->grid, (int)getpid());
    file_remove_tree(made);
    file_make_folder(made);
    bool good = write_below(made, grid, &arena);
    if (good && renameat2(AT_FDCWD, made, AT_FDCWD, there, RENAME_EXCHANGE) != 0) {
        /* Nothing is there yet, or the file system cannot exchange. */
        if (errno != ENOENT) file_remove_tree(there);
        good = rename(made, there) == 0;
    }
    if (!good) warn("%s: no readable names for stages: %s", there, strerror(errno));
    file_remove_tree(made);
    arena_free(&arena);
}
