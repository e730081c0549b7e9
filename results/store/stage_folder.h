/* Where a stage stands: RUNS/stages/KIND-<first 12 digits of its id>; and what its files are called
 * (collect.h), but for its journal (core/base/journal.h). */
#pragma once

#include <stdbool.h>

#define STAGE_DIGITS "12"
#define STAGE_FOLDER "%s-%." STAGE_DIGITS "s" /* a format of the kind and the id */

#define STAGE_RECORD "stage.json"
#define STAGE_ENVIRONMENT "environment.json"
#define STAGE_DONE "done.json"
#define STAGE_LOG "log.txt"
#define STAGE_SUMMARY_DIGEST "summary_digest" /* key of done.json; older programs wrote none */

/* True if this user may not read the folder, or a file in it that every reader of a stage needs. */
bool stage_folder_denied(const char *folder);
