/* The text of a probing task, as SentEval reads it: a line is split, label and tokens between tabs,
 * and what stands between label and tokens is passed over.
 *
 *     tr<TAB>PAST<TAB>He saw it .
 *
 * To the letter: a line ends at LF, CR or both; white space at its end goes before it is split,
 * so that an empty last field is none and a line of two fields has its label as its sentence
 * (bare); tokens are between white space, which is Unicode's. Classes are the labels of tr,
 * sorted by bytes, as Python sorts them. What SentEval would stumble over is refused with its
 * line: other splits, fewer than two fields, a label that tr does not have, bytes that are not
 * UTF-8; also a split without a line and a task of one class. */
#pragma once

#include "core/base/arena.h"

enum task_split { TASK_TR, TASK_VA, TASK_TE, TASK_SPLITS };
extern const char *const task_split_names[TASK_SPLITS + 1]; /* tr, va, te, NULL */

struct task_item {
    const char *text; /* its tokens, a blank between two */
    int tokens;       /* from 1 */
    int label;        /* of task_data.name */
    enum task_split split;
};
struct task_data {
    const char *path;
    int items, labels;
    int count[TASK_SPLITS]; /* items of each split; from 1 */
    int bare;               /* items whose sentence is their label */
    struct task_item *item; /* [items] item i is line i + 1 of the file */
    const char **name;      /* [labels], and a NULL; from 2 */
};
/* Everything lives in the arena. */
struct task_data task_data_read(struct arena *arena, const char *path);

/* Leaves one blank between the tokens of a text, in place. Returns the number of tokens. */
int task_data_squeeze(char *text);
