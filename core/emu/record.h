/* Checks on the host the rules of a GPU that records steps (struct ops: run, reserve, forget).
 * Nothing is replayed.
 *   - Equal keys issue equal operations. With SANLAB_EMU_STRICT, which tests set, the arguments
 *     must also be equal byte by byte: a replay would use the old arguments.
 *   - The host does not read or write device memory within a step.
 *   - Scratch is allocated before a step is recorded and does not move within a step. It may move
 *     between steps; then all recordings are discarded.
 * A violation ends the program with a message that names the operation. */
#pragma once

#include "core/simt/simt.h"
#include "core/tensor/ops.h"

void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: all lists */

/* Called by kernels, products and other operations of a step before they run. Returns false if the
 * operation is only planned and must not run. */
bool record_issued(const char *name, const void *arguments, size_t bytes);
/* Called when the host reads or writes device memory, or scratch moves: fails within a step. */
void record_interrupts(const char *what);
/* In a fork, keeps the call and a copy of its arguments for later. Returns false if no fork is
 * open. */
bool record_keeps(void (*run)(void *arguments), const void *arguments, size_t bytes);
/* True if a fork is open. *waits is true if operations are kept. */
bool record_forks(bool *waits);
/* struct ops: fork, fork_end, join. */
void record_fork(void);
void record_fork_end(void);
void record_join(int late);
/* The step that was issued last: number of its kernels, products and clears, and length of the
 * longest chain that must run in sequence. Also the number of keys of recorded steps. */
struct record_steps {
    int launches, path, keys;
};
struct record_steps record_steps(void);
