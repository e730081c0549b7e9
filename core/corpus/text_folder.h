/* An output folder for text, outside of stages. Existing files may belong to the user and are never
 * overwritten: the folder must be new, empty, or written by the same command before, even if that
 * was interrupted. */
#pragma once

/* Makes the folder, with parents. `description` is the JSON file in it that is written last. It
 * identifies text of the same command: it has this key, with the text `value` unless that is NULL.
 * An existing description is removed, because it must not describe new files. Dies if the folder
 * has other files. */
void text_folder_open(const char *folder, const char *description, const char *key,
                      const char *value);
/* Call it when all files are complete. */
void text_folder_close(const char *folder);
