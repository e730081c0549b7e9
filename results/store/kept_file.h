/* Finds and reads output files of stages, after a check of their recorded digests. A file that has
 * changed is refused. */
#pragma once

#include "results/store/store.h"

/* Returns the path of an output file of a stage if the digest of the file equals the digest in
 * done.json. Otherwise returns NULL, and *problem is the reason in one line. */
const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena);
/* Returns NULL if a file exists and its digest begins with `digest`. Otherwise returns the reason
 * as the end of a sentence, such as "is gone". */
const char *kept_fault(struct arena *arena, const char *path, const char *digest);
/* Returns the bytes of a file, as file_read does. The digest of the file must begin with `digest`
 * (NULL: not checked). If it does not, or there is no file, returns NULL, and *problem is the
 * reason in one line. */
char *kept_read(struct arena *arena, const char *path, const char *digest, size_t *bytes,
                const char **problem);
