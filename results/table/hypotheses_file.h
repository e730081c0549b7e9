/* A file that a row names with `hyp:` or `ref:`: one sentence per line. */
#pragma once

#include "core/base/arena.h"

/* Returns the reason why a file cannot be scored, with its path; NULL if it can. *lines is then the
 * number of its lines. */
const char *hypotheses_file_problem(const char *path, int *lines, struct arena *arena);
