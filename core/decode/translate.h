/* Translation of a split or of lines with a saved model, by beam search (beam.h). */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"
#include "core/model/frozen.h"

/* One hypothesis per sentence of the split, in file order, as text for the metric; of every set:
 * [sets][sentences] in the arena. A blank source has a blank one; *blank: how many there are. */
const char ***translate_split(struct frozen *frozen, const struct beam_options *beam,
                              enum split_name which, int *blank, struct arena *arena);
/* The best hypotheses of a sentence, the best one first. */
struct nbest {
    int count; /* as many as were finished, at most those asked for; one at least */
    const char **text;
    double *score; /* log-probability over the length penalty (beam.h) */
};
/* Those of lines of text, by the loaded set: [count] in the arena. A line that has only white space
 * (Unicode) has one empty hypothesis with score 0. */
struct nbest *translate_lines_nbest(const struct frozen *frozen, const struct beam_options *beam,
                                    const char *const *line, int count, int most,
                                    struct arena *arena);

/* With a model at hand: text[i] for every sentence of the split. frozen: whose progress is
 * reported; NULL: none is, and it takes no more than crew_bytes of CREW_FRUGAL (validation). */
void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct frozen *frozen);
