/* What is to be known of a task's text before a probe of it means anything: how much there is, what
 * can be guessed without an encoder, whether the splits are apart. Accuracies are of te, in per
 * cent; nothing but tr is learned from. */
#pragma once

#include "probes/task_data.h"

struct task_audit {
    int items[TASK_SPLITS];
    int classes[TASK_SPLITS]; /* labels that occur there */
    int bare;                 /* items whose sentence is their label (task_data.h) */
    int shared;               /* sentences (tokens alike) that stand in two splits or three */
    double majority;          /* of the most frequent label */
    double length;            /* of the most frequent label of as many tokens, or of the nearest
                               * number that tr has, the smaller of two */
    double words;             /* of counted words (task_audit.c) */
};
/* Of labels that are equally frequent the first is taken. */
struct task_audit task_audit(const struct task_data *data);
/* The same, with accuracies of a cross-validation by folds.h: each item is guessed once, by what
 * training on other folds would see. 0 folds: task_audit. */
struct task_audit task_audit_folds(const struct task_data *data, int folds);
