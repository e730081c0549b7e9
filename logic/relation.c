/* Looks up the relation of two sets in a table. The index has one bit for each of the four sets of
 * relation.h: 1 if the set is not empty. An index without an entry means that a side is empty or
 * has all valuations. */
#include "logic/relation.h"

const char *const relation_symbols[] = {"=", "<", ">", "^", "|", "v", "#", NULL};
const char *const relation_names[] = {"equivalence",        "forward entailment",
                                      "reverse entailment", "negation",
                                      "alternation",        "cover",
                                      "independence",       NULL};

enum logic_relation relation_of(uint64_t a, uint64_t b)
{
    enum { BOTH = 1, A = 2, B = 4, NEITHER = 8, SETS = 16 };
    static const unsigned char relation[SETS] = {
        [BOTH | NEITHER] = 1 + RELATION_EQUIVALENCE,
        [BOTH | B | NEITHER] = 1 + RELATION_FORWARD,
        [BOTH | A | NEITHER] = 1 + RELATION_REVERSE,
        [A | B] = 1 + RELATION_NEGATION,
        [A | B | NEITHER] = 1 + RELATION_ALTERNATION,
        [BOTH | A | B] = 1 + RELATION_COVER,
        [BOTH | A | B | NEITHER] = 1 + RELATION_INDEPENDENCE,
    };
    const int sets =
        (a & b ? BOTH : 0) | (a & ~b ? A : 0) | (~a & b ? B : 0) | (~a & ~b ? NEITHER : 0);
    return relation[sets] ? (enum logic_relation)(relation[sets] - 1) : RELATION_NONE;
}
