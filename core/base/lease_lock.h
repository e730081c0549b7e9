/* The lock file of a lease (lease.h): reads and writes the line that names its owner. */
#pragma once

#include <time.h>

#include "core/base/base.h"

enum { LEASE_NONCE = 17 };

struct lease_owner {
    char host[65];
    int pid;
    char boot[40];            /* boot id of the host */
    unsigned long long start; /* clock ticks from boot to the process's start (/proc/PID/stat) */
    char space[40];           /* pid namespace of the process */
    char nonce[LEASE_NONCE];  /* unique to this lock */
    int attempt;              /* 1, plus one for every takeover */
    double seconds;           /* validity after a heartbeat */
    bool near;                /* same host, boot and namespace as this process */
    double left;              /* seconds until the end, unless renewed; by this host's clock */
};

/* A lock as read from its file. */
struct lock_sight {
    struct lease_owner owner; /* `near` and `left` are not set */
    struct timespec modified;
};
enum lock_look {
    LOCK_ABSENT,
    LOCK_SEEN, /* an unparsable lock has the host "?" and the lease time of this process */
    LOCK_FAULT /* the lock may exist but cannot be read; errno is the reason */
};
/* Reads a lock. Never blocks, follows no link. */
enum lock_look lock_look(const char *path, struct lock_sight *sight);

/* Returns this process as an owner, with a new nonce; dies if SANLAB_LEASE is invalid. */
struct lease_owner lock_self(void);

enum { LOCK_START_UNKNOWN = 1 };
/* Returns the start time of a process; 0 if there is none, LOCK_START_UNKNOWN if /proc does not
 * show it. */
unsigned long long lock_start_of(int pid);

/* Writes a new lock to `path`. *now is its time by the folder's clock. Returns the open file of the
 * lock, or -1 with errno. */
int lock_write(const char *path, const struct lease_owner *self, double *now);

static inline double lock_seconds(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
