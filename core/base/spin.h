/* How long a thread of OpenMP that waits for work spins before it sleeps.
 *
 * libgomp's own choices are bad here: endless spinning takes the core of the thread that is waited
 * for where other programs run, and sleeping at once costs a small model most of its time. So this
 * program spins for a bounded count, unless the user sets GOMP_SPINCOUNT or OMP_WAIT_POLICY.
 * libgomp alone has this count; another runtime ignores it. */
#pragma once

/* Gives the environment back the entry that the count replaced while libgomp started. Call it
 * first in main. */
void spin_restore(void);
