/* lease_try for tests: dies on an error. */
#pragma once

#include "core/base/lease.h"

static inline struct lease *lease_take(const char *folder)
{
    char *fault;
    struct lease *lease = lease_try(folder, &fault);
    if (fault) die("%s", fault);
    return lease;
}
