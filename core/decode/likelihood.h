/* Likelihood of given targets under a model (teacher forcing): each target token is predicted from
 * the source and the preceding true tokens. There is no search and no label smoothing. */
#pragma once

#include "core/model/frozen.h"

struct likelihood {
    double nats; /* sum of -log p over the target's tokens, <eos> included */
    int tokens;  /* number of tokens, <eos> included */
};

/* Computes the likelihood of every sentence of a split with the loaded set of parameters. Returns
 * an array [sentences] in the arena. Reports progress (frozen_progress). Each sum adds the tokens
 * of one sentence in order, so it does not depend on other sentences of the batch. */
struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena);

/* Like likelihood_split, for several passes over the same split, without progress. The caller may
 * change the list between two passes (overwrite.h):
 *
 *   struct likelihood_list *list = likelihood_open(frozen, split);
 *   while (..) likelihood_measure(list, result);
 *   likelihood_close(list); */
struct likelihood_list {
    struct pass pass; /* the pass over the split; pass.graph is the list */

    struct arena arena; /* private */
};
struct likelihood_list *likelihood_open(const struct frozen *frozen, const struct split *split);
void likelihood_measure(struct likelihood_list *list, struct likelihood *result); /* [sentences] */
void likelihood_close(struct likelihood_list *list);
