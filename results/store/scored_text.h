/* The translations of a stage `score` with their references, as input of other metrics of this
 * program or of other programs.
 *
 * All files are checked: hypotheses against the digests that the stage recorded, references against
 * the digests in signatures of scores. */
#pragma once

#include "core/base/arena.h"

struct scored_text {
    const char *problem; /* reason in one line why the text is unavailable; or NULL. With a problem
                            the other fields are invalid */
    const char *split;
    int sets, references, count;          /* count: sentences */
    const char *const *const *hypothesis; /* [sets][count] */
    const char *const *hypothesis_file;   /* [sets] */
    const char *hypotheses;               /* "hypotheses.txt"; of several sets "hypotheses.*.txt" */
    const char *const *const *reference;  /* [references][count] */
    const char *const *reference_file;    /* [references] */
    const char *digest;                   /* of the references: 8 digits each, joined by + */
};
/* Reads the text from the folders of the corpus and of its score. The references must match the
 * signature, "..|refs:DIGEST|..", unless it is NULL. */
struct scored_text scored_text_read(struct arena *arena, const char *corpus, const char *score,
                                    const char *signature);
