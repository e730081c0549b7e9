/* Assigns all items of a task to folds, for cross-validation instead of the splits in its file.
 * Each fold has about equally many items of each class, as in SentEval's stratified folds. Items
 * with the same sentence are in the same fold, so that no test sentence is seen in training. */
#pragma once

#include "probes/task_data.h"

/* Returns the fold of each item [items], from 0. The result depends only on the data and on
 * `folds`. No fold is empty. Dies if there are fewer different sentences than folds. */
const int *folds_of(const struct task_data *data, int folds, struct arena *arena);
/* Returns the data for testing on fold `tested`. te is this fold, va is the next fold, and tr has
 * all other folds. `fold` is the result of folds_of. */
struct task_data folds_part(const struct task_data *data, const int *fold, int folds, int tested,
                            struct arena *arena);
