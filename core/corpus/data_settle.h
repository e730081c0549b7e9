/* Checks a fetched or made file of a data set, and renames it to its final path (data_get.h). */
#pragma once

#include "core/corpus/data_set.h"

/* Returns the reason why a file differs from the manifest: "expected blob .. of 3 bytes, got ..".
 * Returns NULL if the digest is right. Dies if the file cannot be read. */
const char *data_settle_differs(const struct data_file *file, const char *path,
                                struct arena *arena);
/* Makes the folder of a file below the data folder. Dies if the path leaves the data folder. */
void data_settle_folder(const struct data_set *set, const char *target);
/* Syncs `from` and renames it to `target` if its digest is right. If not, keeps the file as
 * TARGET.refused and dies. */
void data_settle(const struct data_set *set, const struct data_file *file, const char *from,
                 const char *target);
