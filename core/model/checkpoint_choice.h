/* Checkpoints as a user names them: last, best, average(N), mean_of_best(N), start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum checkpoint_choice {
    CHECKPOINT_LAST,
    CHECKPOINT_BEST,
    CHECKPOINT_AVERAGE,      /* parameters of the N newest validated ones are averaged: one model */
    CHECKPOINT_MEAN_OF_BEST, /* the N best are scored one by one, their scores averaged */
    CHECKPOINT_START         /* none: the model as the seed starts it */
};
/* Dies at the place when the words are none of these, and with `one` when they mean several models.
 * *count is N (1 for last and best, 0 for start). */
enum checkpoint_choice checkpoint_parse(const char *words, const char *what, bool one, int *count);
/* The steps that the words mean in this folder, from the lists "best" and "recent" in the newest
 * state (core/train/state.h); none for start. Dies when there are too few. */
int checkpoint_select(const char *folder, const char *words, int64_t step[], int limit);
