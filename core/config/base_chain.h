/* The chain of `base` files. Each file names the next file as its base. */
#pragma once

#include "core/config/location.h"

/* A file that is being read, and the files above it in the chain. */
struct base_chain {
    const struct base_chain
        *above; /* the file that names this file as its base; NULL for the first file */
    const char *path;
};

/* Returns the chain with one more file, the base `path` that the file `above` names at `location`.
 * Dies at `location` if the base does not exist or is already in the chain, or if the chain has 8
 * files. */
struct base_chain base_chain_on(const struct base_chain *above, const char *path,
                                struct location location);
