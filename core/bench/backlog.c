/* The work is to clear memory again and again: it asks for nothing but memory's speed. */
#include "core/bench/backlog.h"

#include <math.h>

static const size_t BYTES = (size_t)128 << 20;
static const double MOST = 10e-3; /* seconds */

struct backlog backlog_open(const struct ops *ops)
{
    struct backlog backlog = {.ops = ops, .memory = ops->alloc(BYTES)};
    ops->clear(backlog.memory, BYTES); /* warms up */
    ops->mark(0);
    ops->clear(backlog.memory, BYTES);
    ops->mark(1);
    backlog.each = fmax(ops->elapsed(0, 1), 1e-6);
    return backlog;
}

void backlog_issue(const struct backlog *backlog, double seconds)
{
    const int times = (int)ceil(fmin(seconds, MOST) / backlog->each);
    for (int i = 0; i < times; i++) backlog->ops->clear(backlog->memory, BYTES);
}

void backlog_close(struct backlog *backlog)
{
    backlog->ops->release(backlog->memory, BYTES);
}
