/* Files that are shipped with the program (presets, rules) in experiments/FOLDER next to the
 * executable. They are found by name, without folder and extension. A name with the extension is a
 * path. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

/* A kind of shipped files. */
struct shipped {
    const char *folder; /* "models" */
    const char *ending; /* ".yaml" */
    const char *none;   /* "there is no preset" */
    const char *also;   /* a further valid word, for messages; or NULL */
};

/* Returns the file of `name`, which is written at `location` as the value of `what`. A path is
 * relative to the file `from`. Dies at `location` if there is no such file; the message has the
 * nearest name. */
const char *shipped_file(struct arena *arena, const struct shipped *kind, const char *name,
                         const char *from, struct location location, const char *what);

/* True if `name` is a path with the extension, or the name of a shipped file. */
bool shipped_means(const struct shipped *kind, const char *name);

/* Returns a path that a file contains, relative to that file. Records the path for
 * shipped_found. */
const char *shipped_beside(struct arena *arena, const char *file, const char *path);
/* Returns the existing files for which this process has called shipped_beside, each once. An
 * archive of a grid contains them (sanlab archive). */
int shipped_found(const char *const **path);
bool shipped_ends(const char *name, const char *ending); /* false for the extension alone */
/* Returns the end of a message about a path that does not exist: "; nearest is NAME", or "" if no
 * name is near. NAME is a name in the same folder with the same extension (any extension if the
 * path has none). */
const char *shipped_near(struct arena *arena, const char *path);
/* Returns the names of the files with this extension in a folder. The names lack the extension, are
 * sorted, and are NULL-terminated. */
const char *const *shipped_names(struct arena *arena, const char *folder, const char *ending);
