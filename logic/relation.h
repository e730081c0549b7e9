/* How two statements are related: the seven relations of MacCartney and Manning 2009 over the sets
 * A and B of valuations that make them true. Each says which of four sets are empty:
 *
 *     relation               A and B   A without B   B without A   neither
 *     =  equivalence         .         empty         empty         .
 *     <  forward entailment  .         empty         .             .
 *     >  reverse entailment  .         .             empty         .
 *     ^  negation            empty     .             .             empty
 *     |  alternation         empty     .             .             .
 *     v  cover               .         .             .             empty
 *     #  independence        .         .             .             .
 *
 * A statement that every valuation makes true, or none, has no relation to any. */
#pragma once

#include "core/base/base.h"

/* Their numbers are the classes of a model: they stay. */
enum logic_relation {
    RELATION_EQUIVALENCE,
    RELATION_FORWARD,
    RELATION_REVERSE,
    RELATION_NEGATION,
    RELATION_ALTERNATION,
    RELATION_COVER,
    RELATION_INDEPENDENCE,
    RELATIONS,
    RELATION_NONE = RELATIONS
};
extern const char *const relation_symbols[RELATIONS + 1]; /* = < > ^ | v #, NULL */
extern const char *const relation_names[RELATIONS + 1];   /* equivalence, .., NULL */

/* Of sets of valuations, a bit each (formula.h); RELATION_NONE when one of them is empty or has all
 * 64. */
enum logic_relation relation_of(uint64_t a, uint64_t b);
