/* The text of a corpus, read as pairs of sentences that are kept. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/text_audit.h"

/* What becomes of a pair; behind PAIR_HELD_OUT are the reasons to leave it out (prepare.h). */
enum pair_fate {
    PAIR_KEPT,
    PAIR_HELD_OUT, /* of train: it goes to dev */
    PAIR_EMPTY,
    PAIR_INVALID,
    PAIR_WORDS_OVER,
    PAIR_RATIO_OVER,
    PAIR_FATES
};

/* The rule of which pairs a corpus keeps, for code that makes one or foresees its size. `words` has
 * each side's words, or -1 of a sentence that is not text; `before` counts the pairs of this split
 * that were kept or held out already. */
enum pair_fate pair_judge(const struct corpus_options *options, enum split_name split,
                          const int64_t words[SIDES], int64_t before);
/* Offset of the first byte that is not UTF-8, or is a NUL; -1: the sentence is text. */
int64_t sentence_check(const struct sentence *sentence);

struct pairs {
    int count;
    const char **words[SIDES]; /* [count] words between single blanks; on the heap */
    const char **reference;    /* [count] the target as the metric wants it; on the heap */
    int references;            /* more of them, of the test */
    const char ***more;        /* [references][count]; on the heap */
    int lines;                 /* sentences of each side that were read */
    int markup;                /* lines of markup beside them, of both sides */
    int fate[PAIR_FATES];      /* what became of the pairs of this split's text */
};

/* Reads every split. Dies when the two sides of a part do not correspond and, unless told to drop
 * them, on sentences that are not UTF-8 or hold a NUL. Texts live in the arena. `audit` gets the
 * pairs that are kept, or is NULL. */
void pairs_read(struct arena *arena, const struct corpus_options *options,
                const struct corpus_sources *sources, struct pairs pairs[SPLITS],
                struct text_audit *audit);
void pairs_free(struct pairs *pairs);
