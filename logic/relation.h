/* The seven relations of two statements (MacCartney and Manning 2009). A and B are the sets of
 * valuations that make the two statements true. The relation depends on which of four sets are
 * empty; a dot means "not empty":
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
 * A statement that is always or never true has no relation to any statement. */
#pragma once

#include "core/base/base.h"

/* The numbers are the classes of a model and must not change. */
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

/* Returns the relation of two sets of valuations. Each bit is one valuation (formula.h). Returns
 * RELATION_NONE if a set is empty or has all 64 valuations. */
enum logic_relation relation_of(uint64_t a, uint64_t b);
