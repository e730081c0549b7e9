/* The key `halving` of tune: the worse trials of a search stop early (synchronous successive halving,
 * Jamieson and Talwalkar 2016).
 *
 *   halving: {from: 8 epochs, keep: 1/3}
 *
 * The first rung is `from` epochs or steps. The length of each later rung is the length before
 * times 1 / keep, rounded, as long as it is below that of a trial. All trials run to the first rung.
 * When a rung is complete, the best trials go on to the next one, or to the end: `keep` of all
 * trials after the first rung, keep^2 after the second, and so on, rounded up. One trial in four
 * also goes on, whatever its metric is: the first, fifth, ninth, .. of the trials that differ. Over
 * these, the rank correlation between rung and end shows how well the rung predicts the end.
 *
 * A trial at a rung is a training of this length. So the training to the next rung continues it
 * (experiments/stage/continue.h). */
#pragma once

#include "experiments/grid/tune.h"

enum { HALVING_WHOLE = 4 }; /* one trial in this many runs to the end */

/* Reads tune->halved. Sets tune->halving. */
void halving_read(struct tune *tune, struct arena *arena);
/* Sets the rungs of a row, whose trials have been made. Dies if a trial cannot be continued, or is
 * not longer than the first rung. */
void halving_find_rungs(struct tuned *tuned, struct arena *arena);
/* Returns the number of best trials of a search that go on after a rung. */
int halving_kept(const struct tuned *tuned, int rung);
/* Returns "8 epochs". */
const char *halving_length(const struct tune *tune, int length, struct arena *arena);
/* Returns the longest warm-up in steps that can be drawn; 0: the schedules have none. */
int halving_warmup(const struct tuned *tuned, struct arena *arena);
/* Dies at `location` if a row is halved: `what` is about trials that all run to the end. */
void halving_refuse(const struct grid *grid, struct location location, const char *what);
