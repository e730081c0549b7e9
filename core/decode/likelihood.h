/* How probable a model finds given targets (teacher forcing): each target token behind its source
 * and the true tokens before it. Nothing is searched, no label is smoothed. */
#pragma once

#include "core/model/frozen.h"

struct likelihood {
    double nats; /* the sum of -log p over the target's tokens, <eos> among them */
    int tokens;  /* with <eos> */
};

/* Of every sentence of a split, [sentences] in the arena, by the loaded set, whose progress is
 * reported (frozen_progress). Sums are over a sentence's own tokens, in their order: its neighbors
 * in a batch change nothing. */
struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena);

/* The same again and again, by one list, which may be changed between its passes (overwrite.h):
 *
 *   struct likelihood_list *list = likelihood_open(frozen, split, true);
 *   while (..) likelihood_measure(list, result);
 *   likelihood_close(list); */
struct likelihood_list {
    struct pass pass; /* and with it the list */

    /* Its own. */
    real *nll;
    struct arena arena;
};
/* progress: that of each pass is reported. */
struct likelihood_list *likelihood_open(const struct frozen *frozen, const struct split *split,
                                        bool progress);
void likelihood_measure(struct likelihood_list *list, struct likelihood *result); /* [sentences] */
void likelihood_close(struct likelihood_list *list);
