/* The half of core/simt/watch.c that counts. */
#ifndef CORE_SIMT_WATCH_COUNT_H
#define CORE_SIMT_WATCH_COUNT_H

#include "core/base/base.h"

void count_begin(void);
void count_block(void);                        /* a block begins */
void count_met(unsigned warp, unsigned lanes); /* lanes of a warp have met */
void count_opened(void);                       /* a barrier has opened */
void count_access(uintptr_t at, size_t bytes, bool write, const void *place);

#endif
