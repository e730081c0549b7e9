/* Opens and closes an output folder for text that does not belong to a stage. Existing files may
 * belong to the user and are never overwritten. So the folder must be new, empty, or written by the
 * same command before, even if that command was interrupted. */
#pragma once

/* Makes the folder, with parents. `description` is the JSON file that is written last. It
 * identifies the command: it has the key `key`. If `value` is not NULL, the value of this key is
 * `value`. An existing description is removed, because it must not describe new files. Dies if the
 * folder has other files. */
void text_folder_open(const char *folder, const char *description, const char *key,
                      const char *value);
/* Marks the folder as complete. Call it when all files are complete. */
void text_folder_close(const char *folder);
