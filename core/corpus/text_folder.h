/* A folder of the user's that text is written to, outside of stages. Files that are there may be
 * somebody's own, and are kept: it must be new, empty, or have been written so before, also when
 * that was interrupted. */
#pragma once

/* Makes the folder, with parents. `description` is the JSON file in it that is written last, by
 * which text of the same command is known: it has this key, with that text unless `value` is NULL.
 * One that is there goes, for it must not describe new files. Dies where other files stand. */
void text_folder_open(const char *folder, const char *description, const char *key,
                      const char *value);
/* All files are there. */
void text_folder_close(const char *folder);
