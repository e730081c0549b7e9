/* Audit of a task's text: sizes, baselines without an encoder, and sentences shared by splits. A
 * probe cannot be interpreted without these numbers. Accuracies are of te, in per cent, learned
 * from tr only. */
#pragma once

#include "probes/task_data.h"

struct task_audit {
    int items[TASK_SPLITS];
    int classes[TASK_SPLITS]; /* number of labels in each split */
    int bare;                 /* items whose sentence is their label (task_data.h) */
    int shared;               /* different sentences (by tokens) that are in more than one split */
    double majority;          /* baseline: the most frequent label */
    double length;            /* baseline: the most frequent label for the sentence's number of
                               * tokens; if tr lacks that number, the nearest, of two the smaller */
    double words;             /* baseline: bag of words (task_audit.c) */
};
/* Audits a task. Ties are broken in favor of the label that comes first. */
struct task_audit task_audit(const struct task_data *data);
/* Like task_audit, by cross-validation (folds.h): each item is predicted once, from the training
 * data of the other folds. With 0 folds: task_audit. */
struct task_audit task_audit_folds(const struct task_data *data, int folds);
