/* Calls the row functions of a term. Each function has a switch on t->term->kind, with a case for
 * each file of attention/term/. A compiler can inline these calls. A call through a function
 * pointer would need a stack in each thread of a device.
 *
 * Each kernel file with terms includes this file once, after it has defined the operations of
 * attention/lane.h. */
#pragma once

#define TERM_TILE
#include "attention/term.h"
/* Includes the row functions of every file of attention/term/; TERM_TILES lists their names. */
#include "term_tile.def"
#undef TERM_TILE

enum term_kind {
#define TERM(name) TERM_KIND_##name,
#include "term.def"
#undef TERM
    TERM_KINDS
};

#define TERM_CASE(name, function, ...)                                                             \
    case TERM_KIND_##name:                                                                         \
        if (name##_tile.function) name##_tile.function(__VA_ARGS__);                               \
        break;
#define TERM_CALL(function, ...)                                                                   \
    switch (t->term->kind) {                                                                       \
        TERM_TILES(TERM_CASE, function, __VA_ARGS__)                                               \
    }

TERM_FN void term_energy(const struct term_row *t, real *energy)
{
    TERM_CALL(energy, t, energy);
}

TERM_FN void term_slope(const struct term_row *t, const real *slope)
{
    TERM_CALL(slope, t, slope);
}

TERM_FN void term_collect(const struct term_row *t, const real *weight, real *sum)
{
    TERM_CALL(collect, t, weight, sum);
}

TERM_FN void term_spread(const struct term_row *t, const real *sum_gradient, real *slope)
{
    TERM_CALL(spread, t, sum_gradient, slope);
}

TERM_FN void term_cut(const struct term_row *t, real *far)
{
    TERM_CALL(cut, t, far);
}

TERM_FN bool term_cuts(const struct attention_term *term, int h)
{
    return term->cuts && h < term->heads;
}
