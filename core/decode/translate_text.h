/* Translation of a split or of lines with a trained model, by beam search (beam.h). */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"
#include "core/model/frozen.h"

/* Translates a split with every set. Returns [sets][sentences] in the arena: one hypothesis per
 * sentence, in file order, as text for the metric. A blank source has a blank hypothesis; *blank is
 * the number of blank sources. */
const char ***translate_split(struct frozen *frozen, const struct beam_options *beam,
                              enum split_name which, int *blank, struct arena *arena);
/* The best hypotheses of a sentence, best first. */
struct nbest {
    int count; /* number of finished hypotheses, at least 1 and at most the requested number */
    const char **text;
    double *score; /* log-probability divided by the length penalty (beam.h) */
};
/* Translates lines of text with the loaded set. Returns [count] in the arena. A line of only white
 * space (Unicode) has one empty hypothesis with score 0. */
struct nbest *translate_lines_nbest(const struct frozen *frozen, const struct beam_options *beam,
                                    const char *const *line, int count, int most,
                                    struct arena *arena);

/* Translates every sentence of the split with a given model; writes text[i]. frozen, if not NULL,
 * receives the progress. NULL is for validation: no progress, and at most crew_bytes of CREW_FRUGAL
 * are allocated. */
void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct frozen *frozen);
