/* A folder for tests of readers of files, new for every test. */
#pragma once

#include "core/base/arena.h"

extern const char *here; /* the folder */

/* Writes a file in the folder, replacing an older one. Returns its path. */
const char *here_put_bytes(const char *name, const char *bytes, size_t count);
const char *here_put(const char *name, const char *text);

void here_open(void);
