/* The translations that a stage `score` left, with their references: what other metrics, of this
 * program or of others, score.
 *
 * Nothing is believed: hypotheses have the digests that the stage recorded, and references go by
 * theirs, which signatures of scores name. */
#pragma once

#include "core/base/arena.h"

struct scored_text {
    const char *problem; /* NULL; or in one line why there is none, and then nothing else counts */
    const char *split;
    int sets, references, count;          /* count: sentences */
    const char *const *const *hypothesis; /* [sets][count] */
    const char *const *hypothesis_file;   /* [sets] */
    const char *hypotheses; /* "hypotheses.txt", or of several sets "hypotheses.*.txt" */
    const char *const *const *reference; /* [references][count] */
    const char *const *reference_file;   /* [references] */
    const char *digest;                  /* of the references: 8 digits of each, with + between */
};
/* Of the folders of a score and of the corpus that it scored. The references must be those of the
 * signature, "..|refs:DIGEST|..", where it is not NULL. */
struct scored_text scored_text_read(struct arena *arena, const char *corpus, const char *score,
                                    const char *signature);
