/* Audits the text of a probing task: sizes, baselines without an encoder, and sentences in more
 * than one split. A probe cannot be interpreted without these numbers. Baselines are learned from
 * tr. Their accuracies are measured on te, in per cent. */
#pragma once

#include "probes/task_data.h"

struct task_audit {
    int items[TASK_SPLITS];
    int classes[TASK_SPLITS]; /* number of labels in each split */
    int bare;                 /* items whose sentence is their label (task_data.h) */
    int shared;               /* number of different sentences that are in more than one split */
    double majority;          /* baseline: the most frequent label */
    /* Baseline: the most frequent label for the sentence's number of tokens. If tr lacks this
     * number, the nearest number is used (in a tie, the smaller one). */
    double length;
    double words; /* baseline: bag of words (task_audit.c) */
};
/* Audits a task. Ties are broken in favor of the label that comes first. */
struct task_audit task_audit(const struct task_data *data);
/* Like task_audit, by cross-validation (folds.h): each item is predicted once, from training data
 * in other folds. With 0 folds, the result is that of task_audit. */
struct task_audit task_audit_folds(const struct task_data *data, int folds);
