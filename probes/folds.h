/* Folds of all items of a task, for cross-validation instead of the splits of its file: classes are
 * spread evenly, as by SentEval's stratified folds, and items of one sentence lie in one fold, so
 * that no classifier has seen a sentence that it is tested on. */
#pragma once

#include "probes/task_data.h"

/* The fold of each item [items], from 0; a function of the data and of `folds` alone. No fold is
 * empty: dies where there are fewer different sentences than folds. */
const int *folds_of(const struct task_data *data, int folds, struct arena *arena);
/* The data of the training that is tested on fold `tested`: te is that fold, va the next one, tr
 * all others. `fold` is what folds_of says. */
struct task_data folds_part(const struct task_data *data, const int *fold, int folds, int tested,
                            struct arena *arena);
