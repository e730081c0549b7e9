/* Maps part-of-speech tags to classes. Means are computed per class.
 *
 * Universal classes are the twelve of Xu et al. 2019, figure 4: Petrov's universal tags, with SYM
 * instead of Petrov's tag ".". Tags of Universal Dependencies are mapped to
 *
 *     NOUN, PROPN -> NOUN     VERB, AUX -> VERB     CCONJ -> CONJ     PART -> PRT
 *     PUNCT, SYM -> SYM       INTJ, X -> X          SCONJ -> ADP (as in Petrov's map of IN) or
 *     ADJ, ADV, PRON, DET, ADP, NUM -> unchanged    CONJ, by option
 *
 * The twelve classes are mapped to themselves. With the option `own`, every tag is a separate
 * class. */
#pragma once

#include "core/base/hash_table.h"
#include "core/config/location.h"

struct tag_reading {
    int own;   /* true: each tag is a class; false: universal classes */
    int sconj; /* true: SCONJ is CONJ; false: ADP */
};

enum { TAGS_MOST = 200 }; /* maximum number of different tags with `own` */

/* The classes of a text. Universal classes are all present from the start, in the paper's order;
 * with `own`, classes are added on first use. */
struct tags {
    struct tag_reading reading;
    struct arena *arena;
    int count;
    const char **name; /* [count] */
    struct hash_table *index;
};
struct tags tags_new(struct tag_reading reading, struct arena *arena);
/* Returns the class of a tag, from 0. At an unknown tag, dies with the location and the nearest
 * tag. */
int tags_class(struct tags *tags, const char *tag, struct location location);
