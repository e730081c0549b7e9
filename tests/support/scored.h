/* Score stages for tests, with the hypotheses and references that observations.h reads, and
 * stages with items. */
#pragma once

#include "tests/support/runs.h"

/* Makes RUNS/stages/corpus-... with test.reference, and a finished RUNS/stages/score-... whose
 * inputs are this corpus and the stage `train`. Texts are lines. The score (words, tokenizer
 * none) is the mean over the sets. The ids depend on `name`. */
struct run scored_new(const char *runs, const char *name, const char *train, const char *reference,
                      int sets, const char *const *hypothesis);

/* Writes done.json of a stage whose folder has the items of `sets` sets (results/store/items.h),
 * with their digests. `summary` is JSON. */
void scored_items(const struct run *run, const char *summary, int sets);

/* Returns `count` lines that differ in length and words, in the arena. */
const char *scored_lines(int count);
/* Returns the text with another last word in every `every`-th line, counted from `first`. In the
 * arena. */
const char *scored_worse(const char *text, int first, int every);
