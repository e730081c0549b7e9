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
    double seconds;           /* seconds for which a heartbeat is valid (LEASE) */
    bool near;                /* has the host, boot and pid namespace of this process */
    double left;              /* seconds until the lease ends if it is not renewed */
};

/* A lock, read from its file. */
struct lock_sight {
    struct lease_owner owner; /* `near` and `left` are not set */
    struct timespec modified;
};
enum lock_look {
    LOCK_ABSENT,
    LOCK_SEEN, /* an unparsable lock has the host "?" and the lease time of this process */
    LOCK_FAULT /* the lock may exist but cannot be read; errno is the reason */
};
/* Reads the lock `path`. Never blocks, and follows no link. */
enum lock_look lock_look(const char *path, struct lock_sight *sight);

/* Returns this process as an owner, with a new nonce; dies if SANLAB_LEASE is invalid. */
struct lease_owner lock_self(void);

enum { LOCK_START_UNKNOWN = 1 };
/* Returns the start time of a process; 0 if there is no such process, LOCK_START_UNKNOWN if /proc
 * does not show the time. */
unsigned long long lock_start_of(int pid);

/* Writes a new lock to `path`. *now is its modification time, by the clock that stamps files in its
 * folder. Returns the open file of the lock, or -1 with errno. */
int lock_write(const char *path, const struct lease_owner *self, double *now);

static inline double lock_seconds(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
