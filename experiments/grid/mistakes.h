/* Several mistakes of one grid are told in one run. */
#ifndef EXPERIMENTS_GRID_MISTAKES_H
#define EXPERIMENTS_GRID_MISTAKES_H

#include "core/base/arena.h"

enum { MISTAKES_MOST = 10 }; /* that are told */

struct mistakes {
    struct arena *arena;
    int count; /* different ones */
    const char **text;
};

/* Does something that may refuse; says whether it did not. A mistake that many rows share is kept
 * once. */
bool mistakes_try(struct mistakes *mistakes, void (*act)(void *context), void *context);
/* Dies when there are any: a line for each, and one that says how many are left. */
void mistakes_end(const struct mistakes *mistakes);

#endif
