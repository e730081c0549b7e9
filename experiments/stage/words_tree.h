/* The task `tree` of the stage `words`: structural probes (probes/structural.h). Accuracy is UUAS.
 * The files are items.tsv, with one item for each document of test, and the chosen maps. The maps
 * are distance.npy and depth.npy, with one row for each number of a vector. */
#pragma once

#include "experiments/stage/words_report.h"
#include "probes/structural.h"

/* Dies if the option `ranks` at `location` is invalid. */
void words_tree_check(const struct texts *ranks, struct location location);
/* Returns the line of struct stage_kind, power. */
const char *words_tree_power(const struct words *words, struct arena *arena);
/* Trains and tests the probes, and writes all results. */
void words_tree(struct stage_work *work, const struct words *words,
                const struct word_vectors *vectors);
