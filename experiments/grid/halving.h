/* The key `halving` of tune: the worse trials of a search stop early. This is synchronous
 * successive halving (Jamieson and Talwalkar 2016).
 *
 *   halving: {from: 8 epochs, keep: 1/3}
 *
 * The first rung is `from` epochs or steps. A later rung is `from` times a power of 1 / keep,
 * rounded, and below the length of a trial. All trials run to the first rung. When a rung is
 * complete, the best trials go on to the next rung, or to the end. Of all trials, the share `keep`
 * goes on after the first rung, and keep^2 after the second. These numbers are rounded up.
 *
 * One trial in four always goes on: the first, fifth, ninth, .. of the trials that differ. Over
 * these, the rank correlation of a rung with the end shows how well the rung predicts the end.
 *
 * A trial at a rung is a training of this length. So the training to the next rung continues it
 * (experiments/stage/continue.h). */
#pragma once

#include "core/base/arena.h"
#include "core/config/tree.h"

struct halving {
    int from;   /* length of a trial at the first rung; 0: no halving */
    bool steps; /* lengths are in steps, else in epochs */
    double keep;
    struct location location; /* of `from` */
};

enum { HALVING_WHOLE = 4 }; /* one trial in this many runs to the end */

/* Reads the key. Dies with the location of an error. */
struct halving halving_read(const struct tree *map, struct arena *arena);
/* Computes the lengths of a trial at the rungs, ascending, below the length `end`. Returns how
 * many. */
int halving_rungs(const struct halving *halving, int end, const int **rung, struct arena *arena);
/* Returns the number of best trials, of `trials` of a search, that go on after a rung (from 0). */
int halving_kept(const struct halving *halving, int trials, int rung);
/* Returns "8 epochs". */
const char *halving_length(const struct halving *halving, int length, struct arena *arena);
