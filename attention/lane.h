/* Vector operations for the tile functions of terms (attention/term.h). Each backend defines all of
 * them, and then includes attention/dispatch.h. A term processes the keys of a row as vectors of
 * LANES neighboring keys, with one number for each key. On the host a vector is a register. On a
 * device each thread of half a warp has one number of the vector.
 *
 *   TERM_FN                 prefix of every function of a term
 *   TERM_TABLE              prefix of its table, NAME_tile
 *   KEYS(j, t) { .. }       loop over the keys [lo, hi) of t by vectors: j is the first key of a
 *                           vector; the last vector may extend past hi
 *   EACH(c, n) { .. }       loop over c = 0 .. n-1, in any order, divided among the lanes. The body
 *                           must not call vec_ or row_ operations
 *
 *   real                    a number of the row. A real, like an int, is equal in all lanes
 *   vec, vec_mask           a number or a boolean for each key of a vector. + - * / take two
 *                           vec, or a vec and a real. & | ~ take masks. {0} initializes a sum
 *   LANES                   keys per vector
 *
 *   vec_load(p, LANES)      p[0] for the first key, p[1] for the next, ..
 *   vec_store(p, LANES, x)  inverse of vec_load
 *   vec_splat(x)            the real x for all keys
 *   vec_iota(j)             j, j + 1, ..
 *   vec_gather(p, at)       p[at] for each key. `at` is a vec of whole numbers, for example from
 *                           vec_iota. They must be valid indices of p, also for keys past hi
 *   vec_fma(a, b, c)        a * b + c, rounded once
 *   vec_max(a, b)           the maximum
 *   vec_greater(a, b)       the mask a > b
 *   vec_select(mask, a, b)  a where the mask is true, else b
 *   vec_exp(x)              e^x
 *   vec_sum(x)              the real sum over the keys of the vector
 *
 *   row_sum(s, x, lo, hi)   the real s + x[lo] + .. + x[hi - 1]; s if hi <= lo
 *   row_put(p, x)           *p = x, a real */
#pragma once

#if !defined TERM_FN || !defined TERM_TABLE || !defined KEYS || !defined EACH
#error "a backend defines the words of attention/lane.h before it includes attention/dispatch.h"
#endif
