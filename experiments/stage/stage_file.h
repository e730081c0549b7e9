/* The one file of text that a stage reads beside what other stages wrote. */
#ifndef EXPERIMENTS_STAGE_STAGE_FILE_H
#define EXPERIMENTS_STAGE_STAGE_FILE_H

#include "experiments/stage/stage.h"

/* For a kind's find_files: `path` as the options have it, relative to $SANLAB_DATA or data/,
 * becomes the stage's file `name`, with its digest; or the stage's `missing` says so. */
void stage_find_file(struct stage *stage, const char *name, const char *path, struct arena *arena);
/* Where it is; dies when it is nowhere. */
const char *stage_file_path(const struct stage *stage, struct arena *arena);

#endif
