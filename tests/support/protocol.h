/* Protocols of probing by name. */
#pragma once

#include <string.h>

#include "probes/protocol.h"

/* The row of that name; NULL where there is none. */
static inline const struct protocol *protocol_find(const char *name)
{
    for (int i = 0; i < protocol_count; i++)
        if (!strcmp(protocols[i].name, name)) return &protocols[i];
    return NULL;
}
