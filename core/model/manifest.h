/* MANIFEST of a checkpoint: a line for each file with digest, bytes and name. The manifest of a
 * thinned checkpoint still names the removed optimizer files. */
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
/* Reads the manifest of a folder without checking the files. Returns the reason why it is invalid,
 * or NULL. */
const char *manifest_read(struct arena *arena, const char *folder, struct manifest *manifest);
void manifest_write(const char *folder, const struct manifest *manifest);
/* Sets the digest and size of a file from the file in the folder. */
void manifest_take(struct manifest *manifest, int file, const char *folder);
