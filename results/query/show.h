/* The parts of `show` (query.h). */
#ifndef RESULTS_QUERY_SHOW_H
#define RESULTS_QUERY_SHOW_H

#include "results/query/query.h"

struct show {
    struct store *store;
    struct arena arena;
    FILE *out;
    int64_t stage; /* its number */
};

/* The learning curve: a line of blocks for each series, and a table of some steps. */
void show_curve(struct show *show);
/* Last values of what has a layer, a head, a set or a class. */
void show_values(struct show *show);

/* value [count] in at most `width` characters of eight heights; what is not finite is a blank. */
const char *show_blocks(struct arena *arena, const double *value, int count, int width);

#endif
