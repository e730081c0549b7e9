/* What lies in the folder of a checkpoint. Its MANIFEST has a line for each file: digest, bytes and
 * name. A thinned one still names the optimizer that it lacks. */
#pragma once

#include "core/base/arena.h"
#include "core/base/digest.h"

enum { FILE_MODEL, FILE_M, FILE_V, FILE_STATE, FILE_COUNT };
extern const char *const manifest_names[FILE_COUNT];

struct manifest {
    struct {
        char digest[DIGEST_TEXT];
        int64_t bytes;
    } file[FILE_COUNT];
};
/* That of a folder; whether its files are so is not looked at. Returns what is wrong, or NULL. */
const char *manifest_read(struct arena *arena, const char *folder, struct manifest *manifest);
void manifest_write(const char *folder, const struct manifest *manifest);
/* The file as it lies in the folder. */
void manifest_take(struct manifest *manifest, int file, const char *folder);
