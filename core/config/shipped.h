/* Files that come along (presets, rules): they lie in experiments/FOLDER beside the executable and
 * are found by their names, without folder and ending; a name that has the ending is a path. */
#pragma once

#include "core/base/arena.h"
#include "core/config/place.h"

/* A kind of such files. */
struct shipped {
    const char *folder; /* "models" */
    const char *ending; /* ".yaml" */
    const char *none;   /* "there is no preset" */
    const char *also;   /* a word that its readers take beside them, which refusals name; or NULL */
};

/* The file that `name` means, which is written at `place` as the value of `what`; `from` is the
 * file that a path is relative to. Dies at the place, for a name with the nearest one. */
const char *shipped_file(struct arena *arena, const struct shipped *kind, const char *name,
                         const char *from, struct place place, const char *what);

/* Whether `name` is a path of that ending, or of a file that comes along. */
bool shipped_means(const struct shipped *kind, const char *name);

/* A path in a file is relative to that file. The second function also remembers it, for
 * shipped_found. */
const char *shipped_relative(struct arena *arena, const char *file, const char *path);
const char *shipped_beside(struct arena *arena, const char *file, const char *path);
/* The files that shipped_beside was asked for by this process and that are there, each once: what
 * readers of a grid need with it (sanlab archive). */
int shipped_found(const char *const **path);
bool shipped_ends(const char *name, const char *ending); /* not the ending alone */
/* The rest of a message about a path that does not exist: "; nearest is NAME", a name in its folder
 * with its ending (with any ending if the path has none); "" if no name is near. */
const char *shipped_near(struct arena *arena, const char *path);
/* Names of the files in a folder that end so, without the ending: sorted, NULL-terminated. */
const char *const *shipped_names(struct arena *arena, const char *folder, const char *ending);
