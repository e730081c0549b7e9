/* Reads the translations of a stage of kind score and their references. They are the input of other
 * metrics, in this program or in other programs.
 *
 * All files are checked. Hypotheses must have the digests that the stage recorded. References must
 * have the digests in the signature of the score. */
#pragma once

#include "core/base/arena.h"

struct scored_text {
    const char *problem; /* reason in one line why the text is unavailable; or NULL. With a problem
                            the other fields are invalid. If there is a reference_file, only the
                            references are unavailable */
    const char *split;
    int sets, references, count;          /* numbers of hypothesis files, of reference files and of
                                             sentences */
    const char *const *const *hypothesis; /* [sets][count] */
    const char *const *hypothesis_file;   /* [sets] */
    const char *hypotheses;               /* name of the hypothesis file, or with several sets the
                                             pattern "hypotheses.*.txt" */
    const char *const *const *reference;  /* [references][count] */
    const char *const *reference_file;    /* [references] */
    const char *digest;                   /* first 8 digits of each reference's digest, joined by
                                             + */
};
/* Reads the text from the folders of the corpus and of its score. The references must match the
 * signature, "..|refs:DIGEST|..", unless it is NULL. */
struct scored_text scored_text_read(struct arena *arena, const char *corpus, const char *score,
                                    const char *signature);
