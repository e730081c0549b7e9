/* Files that a stage left and whose digests were recorded: nobody believes one that has changed. */
#pragma once

#include "results/store/store.h"

/* The path of a stage's file, whose digest is the one that the stage wrote down when it was done.
 * NULL when it is not, and *problem says why in one line. */
const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena);
/* What is wrong with a file of that digest, as words behind its name: "is gone". NULL: nothing. */
const char *kept_fault(struct arena *arena, const char *path, const char *digest);
/* The bytes of a file whose digest begins with `digest` (NULL: none was recorded), as file_read.
 * NULL when it is not that file, and *problem says why in one line. */
char *kept_read(struct arena *arena, const char *path, const char *digest, size_t *bytes,
                const char **problem);
