/* Contrastive evaluation (Sennrich 2017): compares the probabilities of a right translation and of
 * a translation with a single error. Targets are forced; there is no search. */
#pragma once

#include "core/model/frozen.h"

enum contrast_target { CONTRAST_RIGHT, CONTRAST_WRONG, CONTRAST_TARGETS };

/* Pairs from a file, one per line, with tab-separated columns: source, right target, wrong target,
 * and any number of tags, equal in all lines. If the first line begins with source, right, wrong,
 * it is a header with the names of the tags. A byte order mark is skipped. Dies at the first
 * invalid line. */
struct contrast_pairs {
    const char *path;
    int count, tags;
    int *line;                             /* [count] line numbers in the file */
    const char **source;                   /* [count] */
    const char **target[CONTRAST_TARGETS]; /* [count] each */
    const char **tag_name;                 /* [tags] */
    const char ***tag;                     /* [tags][count] */
};
struct contrast_pairs contrast_read(struct arena *arena, const char *path);

struct contrast {
    double log_p[CONTRAST_TARGETS]; /* sum over the target's pieces and <eos> */
    int pieces[CONTRAST_TARGETS];   /* <eos> included */
};
/* True if the right target is more probable, in total or per piece. False for a tie. */
bool contrast_prefers(const struct contrast *contrast, bool per_piece);
/* Returns p(right) / (p(right) + p(wrong)). */
double contrast_share(const struct contrast *contrast);

/* Scores every pair with the loaded set; returns [count] in the arena. Dies if a sentence has more
 * than CORPUS_LINE_PIECES pieces, because a truncated sentence would be a different sentence. */
struct contrast *contrast_judge(const struct frozen *frozen, const struct contrast_pairs *pairs,
                                struct arena *arena);
