/* Which part of speech a tag means, as a class that means are taken of.
 *
 * Universal classes are the twelve of Xu et al. 2019, figure 4: Petrov's universal tags with SYM in
 * the place of their dot. Tags of Universal Dependencies become
 *
 *     NOUN, PROPN -> NOUN     VERB, AUX -> VERB     CCONJ -> CONJ     PART -> PRT
 *     PUNCT, SYM -> SYM       INTJ, X -> X          SCONJ -> ADP (as Petrov's map of IN has it) or
 *     ADJ, ADV, PRON, DET, ADP, NUM -> themselves   CONJ, by option
 *
 * and the twelve are themselves. Or every tag is a class of its own, as it stands. */
#pragma once

#include "core/base/table.h"
#include "core/config/place.h"

struct tag_reading {
    int own;   /* the tags as they stand; else the universal classes */
    int sconj; /* SCONJ is CONJ; else ADP */
};

enum { TAGS_MOST = 200 }; /* different tags, of those that stand as they are */

/* The classes of a text. Universal ones are all there from the beginning, in the paper's order;
 * others come as they are found. */
struct tags {
    struct tag_reading reading;
    struct arena *arena;
    int count;
    const char **name; /* [count] */
    struct table *index;
};
struct tags tags_new(struct tag_reading reading, struct arena *arena);
/* The class of a tag, from 0. Dies at the place of one that is none, with the nearest one. */
int tags_class(struct tags *tags, const char *tag, struct place place);
