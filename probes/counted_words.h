/* What a task's words alone tell: a classifier that counts them, without any encoder. Where it
 * comes near a probe, that probe shows words and not structure.
 *
 * Multinomial naive Bayes over lower-cased tokens. A sentence gets the class with the largest
 *     log P(class) + sum over its tokens w of log((n(w, class) + 1/2) / (n(class) + V/2))
 * with numbers of lines and tokens of tr, V different ones in all. A token that stands twice counts
 * twice; one that tr does not have counts for nothing; of equal classes the first is taken. */
#pragma once

#include "probes/task_data.h"

/* How many items of te it gets right. */
int counted_words_right(const struct task_data *data);
