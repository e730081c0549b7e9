/* Parses the user's choice of checkpoints: last, best, average(N), mean_of_best(N), start, or
 * at(..), before(..), after(..) a crossing (checkpoint_at.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum checkpoint_choice {
    CHECKPOINT_LAST,
    CHECKPOINT_BEST,
    /* One model: the mean of the parameters of the N newest validated checkpoints. */
    CHECKPOINT_AVERAGE,
    /* N models: the N best checkpoints. Each is scored, and the scores are averaged. */
    CHECKPOINT_MEAN_OF_BEST,
    /* No checkpoint: the initial model, as a control for analyses. For example, all gates begin
     * near one half. The initial model depends only on the seed and the options of the training, so
     * it is computed again and not saved. Every option for a checkpoint accepts `start`. */
    CHECKPOINT_START,
    /* One checkpoint next to a crossing: before(..) or after(..). */
    CHECKPOINT_SIDE,
    /* Both of these checkpoints. The plan makes two points of a row with this choice. */
    CHECKPOINT_AT
};
/* Parses a choice. Dies if the choice is invalid or, with `one`, if it means several models. The
 * message begins with `what`. *count is N (1 for last and best, 0 for start). */
enum checkpoint_choice checkpoint_parse(const char *words, const char *what, bool one, int *count);
/* Writes the steps that a choice means in this folder. Reads the lists "best" and "recent" of the
 * newest state (core/train/state.h). Returns the number of steps; 0 for start. Dies if a list has
 * fewer than N steps, or if the checkpoint next to a crossing does not exist. */
int checkpoint_select(const char *folder, const char *words, int64_t step[], int limit);
/* Finds the newest step before `step` that has optimizer files, and writes the steps in the lists
 * "best", "recent" and "other" of its state. Returns their number, at most `limit`; 0 if there is
 * no readable state. */
int checkpoint_named(const char *folder, int64_t step, int64_t named[], int limit);
