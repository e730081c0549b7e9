/* The chain of `base` files: each file names the next one as its base. */
#pragma once

#include "core/config/location.h"

/* A file that is being read, and the files above it in the chain. */
struct base_chain {
    const struct base_chain
        *above; /* the file that names this file as its base; NULL for the first file */
    const char *path;
};

/* Appends the base `path`, which the last file of `above` names at `location`. Dies there if the
 * file does not exist, is already in the chain, or if the chain has 8 files. */
struct base_chain base_chain_on(const struct base_chain *above, const char *path,
                                struct location location);
