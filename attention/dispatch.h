/* What the terms of attention/term/ do to a row, each function chosen by t->term->kind: a switch
 * that the build makes of the files' names. So a compiler knows what it calls, and builds it in; a
 * call by pointer would cost a device's thread a stack.
 *
 * Included once by each kernel that has terms, behind the words of attention/lane.h. */
#pragma once

#define TERM_TILE
#include "attention/term.h"
/* Every file of attention/term/, for what it does to a row; their names as TERM_TILES. */
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
