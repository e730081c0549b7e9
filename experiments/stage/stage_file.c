#include "experiments/stage/stage_file.h"

#include <stdlib.h>

#include "core/corpus/corpus_sources.h"
#include "experiments/stage/stage_digest.h"

void stage_find_file(struct stage *stage, const char *name, const char *path, struct arena *arena)
{
    const char *file = corpus_find_file(arena, path), *data = getenv("SANLAB_DATA");
    char digest[DIGEST_TEXT];
    if (file) stage_digest(file, digest);
    stage->files = 1;
    stage->file = ARENA_NEW(arena, struct stage_file);
    *stage->file = (struct stage_file){name, path, file ? arena_text(arena, digest) : NULL};
    stage->missing = file ? NULL
                          : arena_print(arena, "%s, looked for under $SANLAB_DATA (%s%s) and data/",
                                        path, data ? "now " : "not set", data ? data : "");
}

const char *stage_file_path(const struct stage *stage, struct arena *arena)
{
    const char *path = stage->file->path, *file = corpus_find_file(arena, path);
    if (!file) die("%s: the file is gone", path);
    return file;
}
