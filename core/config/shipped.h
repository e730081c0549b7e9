/* Finds files that are shipped with the program, such as presets and rules. They are in
 * experiments/FOLDER next to the executable. A name without folder and extension is the name of a
 * shipped file. A name with the extension is the path of any file. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

/* A kind of shipped files. */
struct shipped {
    const char *folder; /* "models" */
    const char *ending; /* ".yaml" */
    const char *none;   /* "there is no preset" */
    const char *also;   /* another valid word, for messages; or NULL */
};

/* Returns the path of the file that `name` denotes. `name` is the value of the option `what` at
 * `location`. A relative path begins in the folder of the file `from`. Dies at `location` if there
 * is no such file; the message has the nearest name. */
const char *shipped_file(struct arena *arena, const struct shipped *kind, const char *name,
                         const char *from, struct location location, const char *what);

/* True if `name` is a path with the extension, or the name of a shipped file. */
bool shipped_means(const struct shipped *kind, const char *name);

/* Resolves `path`, which is written in `file`: a relative path begins in the folder of `file`.
 * Returns the resolved path, and records it for shipped_found. */
const char *shipped_beside(struct arena *arena, const char *file, const char *path);
/* Returns the number of existing files that shipped_beside has returned in this process, and sets
 * *path to their paths, each once. An archive of a grid contains these files (sanlab archive). */
int shipped_found(const char *const **path);
bool shipped_ends(const char *name, const char *ending); /* false for the extension alone */
/* Returns the end of a message about a path that does not exist: "; nearest is NAME", or "" if no
 * name is near. NAME is a name in the same folder with the same extension (any extension if the
 * path has none). */
const char *shipped_near(struct arena *arena, const char *path);
/* Returns the names of the files with this extension in a folder: sorted, without the extension,
 * and NULL-terminated. */
const char *const *shipped_names(struct arena *arena, const char *folder, const char *ending);
