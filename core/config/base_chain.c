/* The chain of `base` files. Detects cycles by comparing files, because a file may have several
 * paths. */
#include "core/config/base_chain.h"

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/config/shipped.h"

enum { FILES_MOST = 8 };

struct base_chain base_chain_on(const struct base_chain *above, const char *path,
                                struct location location)
{
    if (!file_exists(path)) {
        struct arena arena = {0};
        die_at(location, "base: there is no file %s%s", path, shipped_near(&arena, path));
    }
    int files = 0;
    for (const struct base_chain *file = above; file; file = file->above, files++)
        if (path_same(file->path, path))
            die_at(location,
                   "base: %s is its own base, directly or through other files; expected no cycle",
                   path);
    if (files == FILES_MOST)
        die_at(location, "base: the chain of files is longer than %d", FILES_MOST);
    return (struct base_chain){above, path};
}
