/* Makes a draft of a probing task: chooses the lines of tr, va and te from labeled candidates.
 *
 * Candidates of a group stay together in a split. Groups are taken in random order. A group goes to
 * te if no label then has more than a twelfth of its candidates in te. Otherwise va is tried in the
 * same way. All other groups go to tr. Then each split keeps the same number of lines of every
 * label. It is the number of the rarest label in this split, but at most the requested number. */
#pragma once

#include "core/base/random.h"
#include "core/base/hash_table.h"
#include "probes/task_data.h"

/* Minimum lines of tr for each label; half of the requested lines if that is less. The minimum for
 * va and te is a tenth of this number. */
enum { TASK_DRAFT_LEAST = 100 };

struct task_candidate {
    const char *text; /* tokens between single blanks */
    int label;
    int split;           /* enum task_split; -1: left out */
    uint64_t group, own; /* random numbers that depend on the group, and on the text */
};

struct task_draft {
    const char *name;      /* for messages */
    struct random_key key; /* key of the task for random numbers */
    int items;             /* maximum lines of tr; va and te have a tenth */
    int least;             /* minimum lines of tr for each label; 10 or more */
    struct arena *arena;
    int labels;
    const char **label; /* [labels] */
    struct hash_table *label_index, *text_index;
    int candidates;
    struct task_candidate *candidate; /* [candidates] */

    const char *problem;   /* the reason why the task cannot be made; else NULL */
    const char *left;      /* part of a message: "; left out: ..", or "" */
    const char *about;     /* how classes were chosen: "the words of rank 21 to 30", or NULL */
    int each[TASK_SPLITS]; /* lines of each label in each split */
};

/* Returns an empty draft. `items`: 20 or more. All memory is in the arena. */
struct task_draft task_draft_new(struct arena *arena, const char *name, uint32_t seed, int items);
/* Adds a candidate. `group` is the name of its group; NULL: the candidate alone is a group. `label`
 * and `text` must outlive the draft. Returns false if there is already a candidate with that
 * text. */
bool task_draft_add(struct task_draft *draft, const char *label, const char *group,
                    const char *text);
/* Records that `count` sentences are left out, and why. Does nothing if `count` is 0. */
void task_draft_leave(struct task_draft *draft, int count, const char *why, ...) PRINTF(3, 4);
/* Records the reason why the task cannot be made. Only the first reason is kept. */
void task_draft_fail(struct task_draft *draft, const char *why, ...) PRINTF(2, 3);
/* Returns a random number below `bound` for sentence `index`. Different steps give independent
 * numbers. */
int task_draft_random(const struct task_draft *draft, int index, uint32_t step, int bound);
/* Returns the minimum number of candidates of a label, for tr, va and te together. */
int task_draft_need(const struct task_draft *draft);

/* Chooses the lines of each split, or records a problem. */
void task_draft_split(struct task_draft *draft);
/* Writes the lines: tr, va and te, each in random order. */
void task_draft_write(const struct task_draft *draft, FILE *out);
/* Prints one line: the number of lines of each split, the labels, and what was left out. */
void task_draft_print(const struct task_draft *draft, FILE *out);
