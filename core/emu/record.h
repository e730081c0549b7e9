/* Checks on the host that a GPU could record the operations of a step and replay them (struct ops:
 * run, reserve, forget). Nothing is replayed. These are the rules:
 *   - Steps with equal keys issue the same operations. With SANLAB_EMU_STRICT, which tests set,
 *     their arguments must also be equal byte by byte: a replay would use the old arguments.
 *   - The host does not read or write device memory within a step.
 *   - Scratch memory is allocated before a step is recorded and does not move within a step. If it
 *     moves between steps, all recordings are discarded, because they have its old address.
 * A violation ends the program with a message that names the operation. */
#pragma once

#include "core/simt/simt.h"
#include "core/tensor/ops.h"

void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
/* Discards the recordings of a list of nodes; NULL: of all lists. */
void record_forget(const void *list);

/* Called by kernels, products and other operations of a step before they run. Returns false if the
 * operation is only planned and must not run. */
bool record_issued(const char *name, const void *arguments, size_t bytes);
/* Must be called when the host reads or writes device memory, and when scratch memory moves. Ends
 * the program if this happens within a step. */
void record_interrupts(const char *what);
/* Within a fork, keeps `run` and a copy of its arguments until a join runs them. Returns false if
 * no fork is open. */
bool record_keeps(void (*run)(void *arguments), const void *arguments, size_t bytes);
/* True if a fork is open. *waits becomes true if kept operations have not run yet. */
bool record_forks(bool *waits);
/* Implement fork, fork_end and join of struct ops. */
void record_fork(void);
void record_fork_end(void);
void record_join(int late);
/* launches: number of kernels, products and clears of the step that was issued last. path: length
 * of the longest chain of these launches that must run in sequence. keys: number of all recorded
 * steps. */
struct record_steps {
    int launches, path, keys;
};
struct record_steps record_steps(void);
