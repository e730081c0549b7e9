/* Probes of single words (words.h): classifiers by size for a task and for its control task, and
 * their online codes.
 *
 * The sizes are 0 (linear), 10, 50 and 200 hidden units. Selectivity is the accuracy on the task
 * minus that on the control task, for the same size (Hewitt and Liang 2019). Two sizes are chosen
 * on dev: the one with the best accuracy, and the one with the highest selectivity. In a tie, the
 * smaller one is chosen.
 *
 * The online code (online_code.h) encodes documents in random order. A share ends at the end of a
 * document, at or after the end that the paper has. So the words of one document are never on both
 * sides of an end.
 *
 * Classifiers of heads choose a word of the sentence (word_heads.h). Their uniform code has log2 of
 * the sentence's length for each word, and their entropy is that of the signed distances to the
 * head. */
#pragma once

#include "probes/online_code.h"
#include "probes/word_job.h"

struct word_probe {
    int hidden[WORD_SIZES];
    struct word_trained task[WORD_SIZES], control[WORD_SIZES];
    int best, selective; /* indices of the chosen sizes */
    /* With `code`, for the best size. The codes are of train. */
    struct online_code code, control_code;
    double entropy, control_entropy; /* bits of train's labels, by their entropy */
};
/* Trains all classifiers. The result is in the arena. */
struct word_probe word_probe_run(const struct word_probe_job *job, struct arena *arena);
