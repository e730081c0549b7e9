/* Contrastive evaluation (Sennrich 2017): does a model give the right translation more probability
 * than one that is wrong in a single point? Targets are forced; nothing is searched. */
#pragma once

#include "core/model/frozen.h"

enum contrast_target { CONTRAST_RIGHT, CONTRAST_WRONG, CONTRAST_TARGETS };

/* Pairs from a file: a line each, columns between tabs: source, right target, wrong target, and any
 * number of tags, the same in every line. A first line that begins with source, right, wrong names
 * the tags' columns; a byte order mark is skipped. Dies at the line of what is wrong. */
struct contrast_pairs {
    const char *path;
    int count, tags;
    int *line;                             /* [count] in the file */
    const char **source;                   /* [count] */
    const char **target[CONTRAST_TARGETS]; /* [count] each */
    const char **tag_name;                 /* [tags] */
    const char ***tag;                     /* [tags][count] */
};
struct contrast_pairs contrast_read(struct arena *arena, const char *path);

struct contrast {
    double log_p[CONTRAST_TARGETS]; /* sum over the target's pieces and <eos> */
    int pieces[CONTRAST_TARGETS];   /* with <eos> */
};
/* Whether the right one is more probable, as a whole or per piece. Equal is not. */
bool contrast_prefers(const struct contrast *contrast, bool per_piece);
/* The right one's share of the two's probability. */
double contrast_share(const struct contrast *contrast);

/* Of every pair, [count] in the arena, by the loaded set. Dies when a sentence has more than
 * CORPUS_LINE_PIECES pieces: a cut one would be another one. */
struct contrast *contrast_judge(const struct frozen *frozen, const struct contrast_pairs *pairs,
                                struct arena *arena);
