/* Output files of stages, checked against their recorded digests. A changed file is refused. */
#pragma once

#include "results/store/store.h"

/* Returns the path of a stage's file if its digest equals that in done.json. Otherwise returns
 * NULL, and *problem is the reason in one line. */
const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena);
/* Returns what is wrong with a file that should have that digest, as the end of a sentence: "is
 * gone". NULL: nothing. */
const char *kept_fault(struct arena *arena, const char *path, const char *digest);
/* Returns the bytes of a file, as file_read does. Its digest must begin with `digest` (NULL: none
 * recorded). Otherwise returns NULL, and *problem is the reason in one line. */
char *kept_read(struct arena *arena, const char *path, const char *digest, size_t *bytes,
                const char **problem);
