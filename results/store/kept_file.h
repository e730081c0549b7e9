/* Output files of stages, checked against their recorded digests: a changed file is refused. */
#pragma once

#include "results/store/store.h"

/* Returns the path of a stage's file, whose digest equals that in done.json. Otherwise NULL, and
 * *problem is the reason in one line. */
const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena);
/* Returns the fault of a file with that digest, to follow its name: "is gone". NULL: no fault. */
const char *kept_fault(struct arena *arena, const char *path, const char *digest);
/* Returns the bytes of a file whose digest begins with `digest` (NULL: none recorded), as file_read
 * does. Otherwise NULL, and *problem is the reason in one line. */
char *kept_read(struct arena *arena, const char *path, const char *digest, size_t *bytes,
                const char **problem);
