/* Tests whether a stage's folder can be read. */
#include "results/store/stage_folder.h"

#include <stdlib.h>

#include "core/base/base.h"
#include "core/base/journal.h"
#include "core/base/path.h"

bool stage_folder_denied(const char *folder)
{
    static const char *const file[] = {STAGE_RECORD, STAGE_ENVIRONMENT, STAGE_DONE, JOURNAL_METRICS,
                                       JOURNAL_EVENTS};
    bool denied = path_is_denied(folder);
    for (size_t i = 0; i < COUNT_OF(file) && !denied; i++) {
        char *path = heap_print("%s/%s", folder, file[i]);
        denied = path_is_denied(path);
        free(path);
    }
    return denied;
}
