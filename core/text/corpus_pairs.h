/* One split's two files, read as pairs of sentences that are kept. */
#ifndef CORE_TEXT_CORPUS_PAIRS_H
#define CORE_TEXT_CORPUS_PAIRS_H

#include "core/text/prepare.h"

struct pairs {
    int count;
    const char **words[SIDES];      /* [count] words between single blanks */
    const char **reference;         /* [count] the target as the metric wants it */
    int lines;                      /* of each file */
    int empty, invalid, words_over; /* pairs left out, see prepare.h */
};

/* Dies on unequal line counts and, unless told to drop them, on lines that are not UTF-8 or hold a
 * NUL. Only '\n' ends a line; the last one may lack it. A byte order mark is not text. */
struct pairs pairs_read(struct arena *arena, const struct corpus_options *options,
                        enum split_name split, const char *const file[SIDES]);

#endif
