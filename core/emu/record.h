/* What a GPU that records steps asks of the program (struct ops: run, reserve, forget), asked of it
 * on the host, where nothing is replayed:
 *
 * - under an equal key the same is issued, and with SANLAB_EMU_STRICT, which tests set, with the
 *   same arguments byte by byte: a replay would use the old ones, whatever was decided since;
 * - nothing is read or written by the host in between;
 * - scratch is there before a step is recorded, and does not move within one; between steps it may,
 *   and then all that was recorded is forgotten.
 *
 * Ends the program where that does not hold, with what was issued. */
#pragma once

#include "core/simt/simt.h"
#include "core/tensor/ops.h"

void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: all lists */

/* Kernels, products and what else is part of a step say so before they do it; false: it is only
 * planned, and not to be done. */
bool record_issued(const char *name, const void *arguments, size_t bytes);
/* The host reads or writes device memory, or scratch moves: not within a step. */
void record_interrupts(const char *what);
/* In a fork the call is kept for later, with a copy of its arguments; false: there is no fork. */
bool record_keeps(void (*run)(void *arguments), const void *arguments, size_t bytes);
/* Whether there is a fork; *waits: something is kept. */
bool record_forks(bool *waits);
/* struct ops: fork, fork_end, join. */
void record_fork(void);
void record_fork_end(void);
void record_join(int late);
/* Under how many keys steps are recorded. */
int record_keys(void);
/* Of the step that was issued last: its kernels, products and clears, and how many of them at most
 * have to wait for one another. */
struct record_steps {
    int launches, path;
};
struct record_steps record_steps(void);
