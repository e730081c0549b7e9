/* Finds a protocol of probing by its name. */
#pragma once

#include <string.h>

#include "probes/protocol.h"

/* Returns the protocol with that name; NULL if there is none. */
static inline const struct protocol *protocol_find(const char *name)
{
    for (int i = 0; i < protocol_count; i++)
        if (!strcmp(protocols[i].name, name)) return &protocols[i];
    return NULL;
}
