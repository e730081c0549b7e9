/* The text of a corpus, read as pairs of sentences that are kept. */
#ifndef CORE_TEXT_CORPUS_PAIRS_H
#define CORE_TEXT_CORPUS_PAIRS_H

#include "core/text/prepare.h"

struct pairs {
    int count;
    const char **words[SIDES];                  /* [count] words between single blanks */
    const char **reference;                     /* [count] the target as the metric wants it */
    int capacity;                               /* of these arrays, which are on the heap */
    int lines;                                  /* sentences of each side that were read */
    int markup;                                 /* lines of markup beside them, of both sides */
    int held_out;                               /* pairs of train that went to dev */
    int empty, invalid, words_over, ratio_over; /* pairs left out, see prepare.h */
};

/* Reads every split. Dies when the two sides of a part do not correspond and, unless told to drop
 * them, on sentences that are not UTF-8 or hold a NUL. Texts live in the arena. */
void pairs_read(struct arena *arena, const struct corpus_options *options,
                const struct corpus_sources *sources, struct pairs pairs[SPLITS]);
void pairs_free(struct pairs *pairs);

#endif
