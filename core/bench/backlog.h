/* Work that a device has to do first, while the host issues what is timed: then kernels stand one
 * behind the other in its queue, and a mark between two of them tells how long they take. Without
 * it a kernel that is shorter than its launch takes as long as that. */
#ifndef CORE_BENCH_BACKLOG_H
#define CORE_BENCH_BACKLOG_H

#include "core/tensor/ops.h"

struct backlog {
    const struct ops *ops;
    void *memory;
    double each; /* seconds of one clearing of it */
};

/* Of a table that has marks. The first two of them are used. */
struct backlog backlog_open(const struct ops *ops);
/* Issues work of that many seconds, and of 10 ms at most: a queue has an end. */
void backlog_issue(const struct backlog *backlog, double seconds);
void backlog_close(struct backlog *backlog);

#endif
