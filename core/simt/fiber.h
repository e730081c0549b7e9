/* A stack of its own for a function, and going from one to another: what glibc's contexts do,
 * without their system calls. x86-64 as the System V ABI has it. */
#pragma once

#include "core/base/base.h"

struct fiber {
    void *sp;
    unsigned char *stack; /* its lowest byte */
    size_t bytes;
};

enum { FIBER_STACK = 256 << 10 };

/* begin() calls fiber_begun() first, and never returns. Its stack ends at a page that cannot be
 * touched. */
void fiber_new(struct fiber *fiber, void (*begin)(void));
void fiber_begun(void);
/* What runs already, so that one can come back to it. */
void fiber_here(struct fiber *fiber);
/* Leaves `from`, which goes on here when somebody switches back to it. */
void fiber_switch(struct fiber *from, const struct fiber *to);
