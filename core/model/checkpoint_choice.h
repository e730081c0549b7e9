/* Choices of checkpoints by the user: last, best, average(N), mean_of_best(N), start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum checkpoint_choice {
    CHECKPOINT_LAST,
    CHECKPOINT_BEST,
    /* One model: the mean of the parameters of the N newest validated checkpoints. */
    CHECKPOINT_AVERAGE,
    /* the N best checkpoints are scored one by one, and the scores are averaged */
    CHECKPOINT_MEAN_OF_BEST,
    /* No checkpoint: the initial model, as a control for analyses. For example, all gates begin
     * near one half. The model is a function of its training's seed, so it is computed and not
     * saved. Every option for a checkpoint accepts `start`. */
    CHECKPOINT_START
};
/* Parses a choice. Dies with the name `what` if the choice is invalid or, with `one`, if it means
 * several models. *count is N (1 for last and best, 0 for start). */
enum checkpoint_choice checkpoint_parse(const char *words, const char *what, bool one, int *count);
/* Writes the steps that a choice means in this folder, from the lists "best" and "recent" of the
 * newest state (core/train/state.h). Returns their number; 0 for start. Dies if there are too
 * few. */
int checkpoint_select(const char *folder, const char *words, int64_t step[], int limit);
