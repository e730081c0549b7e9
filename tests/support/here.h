/* What tests of readers share: a folder, new for every test. */
#pragma once

#include "core/base/arena.h"

extern const char *here; /* the folder */

/* A file in the folder, in the place of one of that name; its path. */
const char *here_put_bytes(const char *name, const char *bytes, size_t count);
const char *here_put(const char *name, const char *text);

void here_open(void);
