/* How long a stage takes here: its predicted work (operations; for a kind that counts none, its own
 * guess in seconds) over a rate, which comes from the first of
 *
 *   a finished run of the same options on this host, whatever its seed
 *   a calibration of this model on this host (plan --calibrate), kept in RUNS/rates
 *   the finished run on this host, of the same kind, whose options differ least: scaled by work,
 *   unless it was less than a twentieth of it
 *   sgemm's rate, of which real work reaches a part: measured (seconds), or a usual one, which is
 *   good enough to say what is longer than what
 *
 * What a run took is the time that its attempts were at work, whoever else used the machine, times
 * its threads. Nothing here changes the database: it knows what was collected (any run does so). */
#pragma once

#include "experiments/stage/stage.h"

struct rates;

/* What is known of this host and device, in the arena; `measure`: sgemm's rate is measured when it
 * is needed. */
struct rates *rates_open(struct arena *arena, const char *runs, bool measure);
/* A machine of which only the rate of a core is known, in operations per second. */
struct rates *rates_assume(struct arena *arena, double sgemm);
/* Fills seconds, low, high, source and from of a stage's estimate, whose work is there. */
void rates_apply(struct rates *rates, const struct stage *stage, struct estimate *estimate);

/* A calibration, for now and in RUNS/rates. `rate`: operations per second of one thread. */
void rates_keep(struct rates *rates, const struct stage *train, double rate);
/* Whether there is none yet for this model (the one of a train stage) on this host. */
bool rates_lack(const struct rates *rates, const struct stage *train);
