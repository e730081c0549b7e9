/* Fibers: functions with their own stacks, and switches between them. Like glibc's contexts, but
 * without system calls. For x86-64 with the System V ABI. */
#pragma once

#include "core/base/base.h"

struct fiber {
    void *sp;
    unsigned char *stack; /* lowest address */
    size_t bytes;
};

enum { FIBER_STACK = 256 << 10 };

/* Creates a fiber that runs begin(). begin() must call fiber_begun() first and must not return. The
 * stack ends at a guard page. */
void fiber_new(struct fiber *fiber, void (*begin)(void));
void fiber_begun(void);
/* Makes a fiber of the running stack, so that it can be switched to. */
void fiber_here(struct fiber *fiber);
/* Suspends `from` and resumes `to`. Returns when another fiber switches back to `from`. */
void fiber_switch(struct fiber *from, const struct fiber *to);
