/* Removes temporary files. No process uses the name of a temporary file after its writer has
 * ended. */
#include "core/base/sweep.h"

#include "core/base/file.h"

/* True if the folder has temporary files. If `inner` is false, also looks into the folders in it.
 * If `clean` is true, removes the temporary files. Closes the folder. */
static bool sweep(DIR *folder, bool inner, bool clean)
{
    bool found = false;
    for (const struct dirent *entry; (entry = file_next_entry(folder));) {
        const char *name = entry->d_name;
        if (!file_is_temporary(name)) {
            const bool looks = !inner && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
            found |= looks && sweep(file_list_at(dirfd(folder), name), true, clean);
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
