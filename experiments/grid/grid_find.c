/* Finds the file of a grid by its name, first in the folders of the user, then among the shipped
 * grids. */
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/config/shipped.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"

static const char yaml[] = ".yaml";

const char *const grid_folders[] = {"grids", "experiments", NULL};

static const char *shipped_folder(struct arena *arena)
{
    return arena_print(arena, "%s/grids", file_program_folder());
}

static const char *without_yaml(struct arena *arena, const char *word)
{
    return shipped_ends(word, yaml) ? arena_text_range(arena, word, strlen(word) - 5) : word;
}

/* Returns the path of a grid's file in a folder. `word` has no slash, and may end with .yaml. */
static const char *path_in(struct arena *arena, const char *folder, const char *word)
{
    return arena_print(arena, "%s/%s.yaml", folder, without_yaml(arena, word));
}

/* Returns the file with this name in the first of the user's folders that has it, else the shipped
 * file; NULL if there is none. */
static const char *find_name(struct arena *arena, const char *word)
{
    const char *shipped = path_in(arena, shipped_folder(arena), word);
    for (const char *const *folder = grid_folders; *folder; folder++) {
        const char *path = path_in(arena, *folder, word);
        if (file_exists(path) && !path_same(path, shipped)) return path;
    }
    return file_exists(shipped) ? shipped : NULL;
}

const char *grid_find_try(struct arena *arena, const char *word)
{
    if (file_exists(word)) return word;
    return strchr(word, '/') ? NULL : find_name(arena, word);
}

const char *grid_expected(struct arena *arena, const char *word)
{
    return strchr(word, '/') || shipped_ends(word, yaml)
               ? word
               : path_in(arena, shipped_folder(arena), word);
}

const char *const *grid_shipped_names(struct arena *arena)
{
    return shipped_names(arena, shipped_folder(arena), yaml);
}

/* Returns the message "no such grid" with the most similar name of all folders. */
static const char *none_text(struct arena *arena, const char *word)
{
    const char *near[COUNT_OF(grid_folders) + 1], *name = without_yaml(arena, word);
    size_t count = 0;
    for (const char *const *folder = grid_folders; *folder; folder++)
        if ((near[count] = word_nearest(name, shipped_names(arena, *folder, yaml)))) count++;
    if ((near[count] = word_nearest(name, grid_shipped_names(arena)))) count++;
    near[count] = NULL;
    return arena_print(arena, "no such grid%s%s (looked for in grids/, experiments/ and %s)",
                       count ? "; nearest is " : "", count ? word_nearest(name, near) : "",
                       shipped_folder(arena));
}

const char *grid_find(struct arena *arena, const char *word)
{
    const char *found = grid_find_try(arena, word);
    if (found) return found;
    if (strchr(word, '/')) die("%s: no such grid%s", word, shipped_near(arena, word));
    die("%s: %s", word, none_text(arena, word));
}

/* ---- base ---- */

/* folders in which find_name has found a base */
static char **base_folder;
static int base_folders;

const char *grid_base_beside(const char *path)
{
    const char *name = strrchr(path, '/');
    for (int i = 0; name && i < base_folders; i++) {
        SCOPED(heap_free) char *other = heap_print("%s%s", base_folder[i], name);
        if (path_same(path, other)) return name + 1;
    }
    return NULL;
}

const char *grid_base(struct arena *arena, const char *file, const char *key, const char *name,
                      struct location location)
{
    const char *path = shipped_beside(arena, file, name);
    if (strchr(name, '/') || shipped_ends(name, yaml) || file_exists(path)) return path;
    path = shipped_beside(arena, file, arena_print(arena, "%s.yaml", name));
    if (file_exists(path)) return path;
    path = find_name(arena, name);
    if (!path) die_at(location, "%s: \"%s\": %s", key, name, none_text(arena, name));
    HEAP_ADD(base_folder, base_folders, heap_print("%.*s", (int)(strrchr(path, '/') - path), path));
    return shipped_beside(arena, "", path);
}
