/* lease_try for tests: a fault dies. */
#ifndef TESTS_SUPPORT_LEASE_H
#define TESTS_SUPPORT_LEASE_H

#include "core/base/lease.h"

static inline struct lease *lease_take(const char *folder)
{
    char *fault;
    struct lease *lease = lease_try(folder, &fault);
    if (fault) die("%s", fault);
    return lease;
}

#endif
