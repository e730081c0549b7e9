/* Finds shipped files. A name is searched in one folder only, so that its meaning does not depend
 * on the current folder. */
#include "core/config/shipped.h"

#include <string.h>

#include "core/base/file.h"
#include "core/config/word.h"

/* Result of shipped_found. */
static const char **found;
static int found_count;

static void remember(const char *path)
{
    for (int i = 0; i < found_count; i++)
        if (!strcmp(found[i], path)) return;
    if (!file_exists(path)) return;
    HEAP_ADD(found, found_count, heap_print("%s", path));
}

int shipped_found(const char *const **path)
{
    *path = found;
    return found_count;
}

const char *shipped_beside(struct arena *arena, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (slash && path[0] != '/')
        path = arena_print(arena, "%.*s/%s", (int)(slash - file), file, path);
    remember(path);
    return path;
}

bool shipped_ends(const char *name, const char *ending)
{
    const size_t length = strlen(name), end = strlen(ending);
    return length > end && !strcmp(name + length - end, ending);
}

const char *const *shipped_names(struct arena *arena, const char *folder, const char *ending)
{
    int files, names = 0;
    const char **file = file_folder_names(arena, folder, &files);
    const char **name = ARENA_ARRAY(arena, const char *, files + 1);
    for (int i = 0; i < files; i++)
        if (shipped_ends(file[i], ending))
            name[names++] = arena_text_range(arena, file[i], strlen(file[i]) - strlen(ending));
    return name;
}

const char *shipped_near(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *ending = strrchr(name, '.');
    const char *folder = slash ? arena_text_range(arena, path, (size_t)(slash - path)) : ".";
    if (!ending) ending = name + strlen(name);
    if (ending == name || slash == path || !file_is_folder(folder)) return "";
    const char *near = word_nearest(arena_text_range(arena, name, (size_t)(ending - name)),
                                    shipped_names(arena, folder, ending));
    return near ? arena_print(arena, "; nearest is %s%s", near, ending) : "";
}

static const char *folder_of(struct arena *arena, const struct shipped *kind)
{
    return arena_print(arena, "%s/experiments/%s", file_program_folder(), kind->folder);
}

bool shipped_means(const struct shipped *kind, const char *name)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *folder = folder_of(&arena, kind);
    return shipped_ends(name, kind->ending) ||
           (!strchr(name, '/') &&
            file_exists(arena_print(&arena, "%s/%s%s", folder, name, kind->ending)));
}

/* Returns the names of the shipped files and the word `also`. */
static const char *const *words_of(struct arena *arena, const struct shipped *kind,
                                   const char *folder)
{
    const char *const *names = shipped_names(arena, folder, kind->ending);
    if (!kind->also) return names;
    int count = 0;
    while (names[count]) count++;
    const char **words = ARENA_ARRAY(arena, const char *, count + 2);
    memcpy(words, names, (size_t)count * sizeof *names);
    words[count] = kind->also;
    return words;
}

const char *shipped_file(struct arena *arena, const struct shipped *kind, const char *name,
                         const char *from, struct location location, const char *what)
{
    if (shipped_ends(name, kind->ending)) {
        const char *path = shipped_beside(arena, from, name);
        if (!file_exists(path))
            die_at(location, "%s: there is no file %s%s", what, path, shipped_near(arena, path));
        return path;
    }
    const char *folder = folder_of(arena, kind);
    if (!shipped_means(kind, name))
        word_refuse(location, what, kind->none, name, words_of(arena, kind, folder));
    return arena_print(arena, "%s/%s%s", folder, name, kind->ending);
}
