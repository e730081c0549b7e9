/* The file of a lease (lease.h): one line that names its owner, read and written. */
#pragma once

#include <time.h>

#include "core/base/base.h"

enum { LEASE_NONCE = 17 };

struct lease_owner {
    char host[65];
    int pid;
    char boot[40];            /* of the host */
    unsigned long long start; /* of the process: clock ticks since boot, from /proc/PID/stat */
    char space[40];           /* its pid namespace */
    char nonce[LEASE_NONCE];  /* of this lock alone */
    int attempt;              /* 1, and one more for every lock that was taken over */
    double seconds;           /* that it holds after a heartbeat */
    bool near;                /* our host, boot and namespace */
    double left;              /* seconds until it runs out, unless renewed; by our clock */
};

/* A lock as somebody saw it. */
struct lock_sight {
    struct lease_owner owner; /* `near` and `left` are not set */
    struct timespec modified;
};
enum lock_look {
    LOCK_ABSENT,
    LOCK_SEEN, /* one that cannot be understood has no name ("?"), and our lease */
    LOCK_FAULT /* there may be one; errno says why it cannot be read */
};
/* Never waits, and follows no link. */
enum lock_look lock_look(const char *path, struct lock_sight *sight);

/* This process, with a new nonce; dies when SANLAB_LEASE makes no sense. */
struct lease_owner lock_self(void);

enum { LOCK_START_UNKNOWN = 1 };
/* The start time of a process; 0 when there is none, LOCK_START_UNKNOWN when it cannot be asked. */
unsigned long long lock_start_of(int pid);

/* A new lock of that name, and when it was made by the folder's clock; its file, or -1 (errno). */
int lock_write(const char *path, const struct lease_owner *self, double *now);

static inline double lock_seconds(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
