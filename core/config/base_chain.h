/* Files on top of each other: each names the one beneath it as its base. */
#pragma once

#include "core/config/place.h"

/* The files that are being read, each the base of the one above it. */
struct base_chain {
    const struct base_chain *above; /* NULL: the file that was asked for */
    const char *path;
};

/* The base `path`, which is written at `place` in the last file of `above`. Dies at the place when
 * there is no such file, it is in the chain already, or the chain has 8. */
struct base_chain base_chain_on(const struct base_chain *above, const char *path,
                                struct place place);
