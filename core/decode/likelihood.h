/* How probable a model finds given targets (teacher forcing): each target token behind its source
 * and the true tokens before it. Nothing is searched, no label is smoothed. */
#ifndef CORE_DECODE_LIKELIHOOD_H
#define CORE_DECODE_LIKELIHOOD_H

#include "core/model/frozen.h"

struct likelihood {
    double nats; /* the sum of -log p over the target's tokens, <eos> among them */
    int tokens;  /* with <eos> */
};

/* Of every sentence of a split, [sentences] in the arena, by the loaded set, which is told of the
 * progress. Sums are over a sentence's own tokens, in their order: its neighbors in a batch
 * change nothing. */
struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena);

#endif
