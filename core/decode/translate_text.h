/* Translation of a split or of lines with a trained model, by beam search (beam.h). */
#pragma once

#include "core/corpus/batch.h"
#include "core/decode/beam.h"
#include "core/model/frozen.h"

/* Translates a split with every set of parameters. Returns [sets][sentences] in the arena: one
 * hypothesis per sentence, in file order, as text for the metric. The hypothesis of a blank source
 * is empty. *blank is the number of blank sources. */
const char ***translate_split(struct frozen *frozen, const struct beam_options *beam,
                              enum split_name which, int *blank, struct arena *arena);
/* The best hypotheses of a sentence, best first. */
struct nbest {
    int count; /* number of hypotheses, 1 to `most`; see struct translation */
    const char **text;
    double *score; /* log-probability divided by the length penalty (beam.h) */
};
/* Translates lines of text with the loaded set of parameters. Returns [count] in the arena, with at
 * most `most` hypotheses per line. A line with only Unicode white space has one empty hypothesis
 * with score 0. */
struct nbest *translate_lines_nbest(const struct frozen *frozen, const struct beam_options *beam,
                                    const char *const *line, int count, int most,
                                    struct arena *arena);

/* Translates every sentence of the split with a given model; writes text[i]. If `frozen` is not
 * NULL, reports progress (frozen_progress). Validation passes NULL: then there is no progress, and
 * at most crew_bytes of CREW_FRUGAL are allocated. */
void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct frozen *frozen);
