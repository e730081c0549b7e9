/* Score stages for tests, with the hypotheses and references that observations.h wants, and stages
 * with items. */
#pragma once

#include "tests/support/runs.h"

/* RUNS/stages/corpus-... with test.reference, and RUNS/stages/score-... that is done: it read that
 * corpus and the stage `train`. Texts are lines; the score of the words (tokenizer none) is the
 * mean over the sets. `name` makes the ids. */
struct run scored_new(const char *runs, const char *name, const char *train, const char *reference,
                      int sets, const char *const *hypothesis);

/* done.json of a stage whose folder has the items of so many sets (results/store/items.h): with
 * their digests. `summary` is JSON. */
void scored_items(const struct run *run, const char *summary, int sets);

/* So many lines that differ in number and words. In the arena. */
const char *scored_lines(int count);
/* The lines of a text that is disturbed: of every `every`-th line, counted from `first`, the last
 * word is another one. In the arena. */
const char *scored_worse(const char *text, int first, int every);
