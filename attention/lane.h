/* The words that a term is written in where it acts on a tile (attention/term.h): all that differs
 * between backends. A term sees the keys of a row as vectors of LANES neighbors, a number for each
 * key: the host has a vector in a register, a device has one number of it in each thread of half a
 * warp. A backend defines all of this, then includes attention/dispatch.h.
 *
 *   TERM_FN                 begins every function of a term
 *   TERM_TABLE              begins its table, NAME_tile
 *   KEYS(j, t) { .. }       a loop over the keys [lo, hi) of t by vectors: j is the first key of
 *                           one; the last may reach past hi
 *   EACH(c, n) { .. }       a loop over c = 0 .. n-1, in any order: lanes share them. No vec_ and
 *                           no row_ inside
 *
 *   real                    a number of the row, the same in all lanes; so is every int
 *   vec, vec_mask           a number, a yes or no for each key of a vector. + - * / on vec, on vec
 *                           and real; & | ~ on masks; {0} begins a sum
 *   LANES                   keys of a vector
 *
 *   vec_load(p, LANES)      p[0] for the first key, p[1] for the next, ..
 *   vec_store(p, LANES, x)  and back
 *   vec_splat(x)            the real x for all keys
 *   vec_iota(j)             j, j + 1, ..
 *   vec_gather(p, at)       p[at], where each key has an `at` of its own: whole numbers, such as
 *                           come from vec_iota, that p has, for keys past hi as well
 *   vec_fma(a, b, c)        a * b + c, rounded once
 *   vec_max(a, b)           the larger one
 *   vec_greater(a, b)       the mask a > b
 *   vec_select(mask, a, b)  a where the mask says yes, else b
 *   vec_exp(x)              e^x
 *   vec_sum(x)              the real sum over the keys of the vector
 *
 *   row_sum(s, x, lo, hi)   the real s + x[lo] + .. + x[hi - 1]; s where hi <= lo
 *   row_put(p, x)           *p = x, a real */
#pragma once

#if !defined TERM_FN || !defined TERM_TABLE || !defined KEYS || !defined EACH
#error "a backend defines the words of attention/lane.h before it includes attention/dispatch.h"
#endif
