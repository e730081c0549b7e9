/* Reads the text of a corpus as pairs of sentences, and filters them. */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/text_audit.h"

/* The fate of a pair. The values after PAIR_HELD_OUT are reasons to drop it (prepare.h). */
enum pair_fate {
    PAIR_KEPT,
    PAIR_HELD_OUT, /* moved from train to dev */
    PAIR_EMPTY,
    PAIR_INVALID,
    PAIR_WORDS_OVER,
    PAIR_RATIO_OVER,
    PAIR_FATES
};

/* Returns the fate of a pair, for code that makes a corpus or predicts its size. `words` is the
 * number of words per side, -1 for a sentence that is not valid text. `before` is the number of
 * pairs of this split that were already kept or held out. */
enum pair_fate pair_judge(const struct corpus_options *options, enum split_name split,
                          const int64_t words[SIDES], int64_t before);
/* Returns the offset of the first byte that is not UTF-8, or is a NUL; -1 if the sentence is valid
 * text. */
int64_t sentence_check(const struct sentence *sentence);

struct pairs {
    int count;
    const char **words[SIDES]; /* [count] words between single blanks */
    const char **reference;    /* [count] the target, in the form for the metric */
    int references;            /* number of further references per sentence; 0 except in the test */
    const char ***more;        /* [references][count] */
    int lines;                 /* number of sentences read, per side */
    int markup;                /* number of skipped lines of markup, both sides together */
    int fate[PAIR_FATES];      /* number of pairs of this split's text by fate */
};

/* Reads every split. Dies if the two sides of a part do not correspond. Dies at a sentence that is
 * not UTF-8 or contains a NUL, unless the options drop these sentences. The lists are in the arena.
 * If `audit` is not NULL, the pairs that are kept are added to it. */
void pairs_read(struct arena *arena, const struct corpus_options *options,
                const struct corpus_sources *sources, struct pairs pairs[SPLITS],
                struct text_audit *audit);
