/* Reads the text of a probing task in SentEval's format. A line has a split, a label and tokens,
 * separated by tabs. Fields between label and tokens are ignored.
 *
 *     tr<TAB>PAST<TAB>He saw it .
 *
 * Details: a line ends at LF, CR or both. Trailing white space is removed before the line is split,
 * so an empty last field is absent. If a line has only two fields, its label is also its sentence
 * (bare). Tokens are separated by Unicode white space. Classes are the labels of tr, sorted by
 * bytes, as in Python. Lines on which SentEval would fail are refused with their number:
 *   - a split other than tr, va and te
 *   - fewer than two fields
 *   - a label that tr does not have
 *   - bytes that are not UTF-8
 * A task is also refused if a split has no line, or if there is only one class. */
#pragma once

#include "core/base/arena.h"

enum task_split { TASK_TR, TASK_VA, TASK_TE, TASK_SPLITS };
extern const char *const task_split_names[TASK_SPLITS + 1]; /* tr, va, te, NULL */

struct task_item {
    const char *text; /* tokens, separated by single blanks */
    int tokens;       /* 1 or more */
    int label;        /* index into task_data.name */
    enum task_split split;
};
struct task_data {
    const char *path;
    int items, labels;
    int count[TASK_SPLITS]; /* items of each split; 1 or more */
    int bare;               /* items whose sentence is their label */
    struct task_item *item; /* [items] item i is line i + 1 of the file */
    const char **name;      /* [labels], terminated by NULL; 2 or more */
};
/* Reads a task. All memory is in the arena. */
struct task_data task_data_read(struct arena *arena, const char *path);
