/* Options of the stage `words`, and its results. The files are items.tsv, with one item for each
 * document of test, sizes.tsv, with one line for each size of classifier, and predictions.tsv. The
 * last one has one line for each word of dev, test and the further set. */
#pragma once

#include "experiments/grid/sections.h"
#include "experiments/stage/stage_work.h"
#include "probes/word_probe.h"
#include "probes/word_vectors.h"

struct words_options {
    struct texts tasks, path, controls, ranks;
    const char *treebank, *further, *checkpoint, *rules, *vectors;
    int pieces;
    bool standardize, code, lowercase;
};
const struct words_options *words_options_at(const struct settings *settings);

/* Returns the description of the probes for captions of tables. */
const char *words_caption(const struct stage *stage, struct arena *arena);
void words_report(struct stage_work *work, const struct word_probe_job *job,
                  const struct word_probe *probe);
