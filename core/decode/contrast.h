/* Contrastive evaluation (Sennrich 2017): compares the probabilities of a right translation and of
 * a translation with a single error. Both targets are given, so there is no search. */
#pragma once

#include "core/model/frozen.h"

enum contrast_target { CONTRAST_RIGHT, CONTRAST_WRONG, CONTRAST_TARGETS };

/* The pairs of a file, one per line. The columns, separated by tabs, are source, right target,
 * wrong target, and any number of tags up to 64. All lines have the same number of tags. If the
 * first three columns of line 1 are "source", "right" and "wrong", line 1 is a header with the
 * names of the tags. A byte order mark is skipped. Dies at the first invalid line. */
struct contrast_pairs {
    const char *path;
    int count, tags;
    int *line;                             /* [count] line numbers in the file */
    const char **source;                   /* [count] */
    const char **target[CONTRAST_TARGETS]; /* [count] right and wrong targets */
    const char **tag_name;                 /* [tags] */
    const char ***tag;                     /* [tags][count] */
};
struct contrast_pairs contrast_read(struct arena *arena, const char *path);

struct contrast {
    /* log-probability of each target, summed over its pieces and <eos> */
    double log_p[CONTRAST_TARGETS];
    int pieces[CONTRAST_TARGETS]; /* number of pieces of each target, <eos> included */
};
/* True if the right target is more probable, in total or per piece. False for a tie. */
bool contrast_prefers(const struct contrast *contrast, bool per_piece);
/* Returns p(right) / (p(right) + p(wrong)). */
double contrast_share(const struct contrast *contrast);

/* Scores every pair with the loaded set of parameters. Returns an array [count] in the arena. Dies
 * if a sentence has more than CORPUS_LINE_PIECES pieces, because a truncated sentence would be a
 * different sentence. */
struct contrast *contrast_judge(const struct frozen *frozen, const struct contrast_pairs *pairs,
                                struct arena *arena);
