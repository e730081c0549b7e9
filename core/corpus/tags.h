/* Maps part-of-speech tags to classes, over which means are taken.
 *
 * Universal classes are the twelve of Xu et al. 2019, figure 4: Petrov's universal tags with SYM
 * instead of their dot. Tags of Universal Dependencies are mapped to
 *
 *     NOUN, PROPN -> NOUN     VERB, AUX -> VERB     CCONJ -> CONJ     PART -> PRT
 *     PUNCT, SYM -> SYM       INTJ, X -> X          SCONJ -> ADP (as in Petrov's map of IN) or
 *     ADJ, ADV, PRON, DET, ADP, NUM -> unchanged    CONJ, by option
 *
 * and the twelve to themselves. With the option `own` every tag is a class of its own. */
#pragma once

#include "core/base/table.h"
#include "core/config/location.h"

struct tag_reading {
    int own;   /* each tag is a class; else the universal classes */
    int sconj; /* SCONJ is CONJ; else ADP */
};

enum { TAGS_MOST = 200 }; /* maximum number of different tags with `own` */

/* The classes of a text. Universal classes are all present from the start, in the paper's order;
 * other classes are added on first use. */
struct tags {
    struct tag_reading reading;
    struct arena *arena;
    int count;
    const char **name; /* [count] */
    struct table *index;
};
struct tags tags_new(struct tag_reading reading, struct arena *arena);
/* Returns the class of a tag, from 0. Dies with the location of an unknown tag, and the nearest
 * one. */
int tags_class(struct tags *tags, const char *tag, struct location location);
