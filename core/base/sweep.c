/* The name of a temporary file belongs to nobody once its writer is gone. */
#include "core/base/sweep.h"

#include "core/base/file.h"

/* Whether there are any; with `clean` they go. */
static bool sweep(DIR *folder, bool inner, bool clean)
{
    bool found = false;
    for (const char *name; (name = file_next(folder));) {
        if (!file_is_temporary(name)) {
            found |= !inner && sweep(file_list_at(dirfd(folder), name), true, clean);
            continue;
        }
        found = true;
        if (clean) file_remove_at(dirfd(folder), name);
    }
    return found;
}

bool sweep_temporaries(const char *folder, bool clean)
{
    return sweep(file_list(folder), false, clean);
}
