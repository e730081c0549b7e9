/* The probing tasks that can be made from text, after Conneau et al. 2018. A maker adds candidates
 * to a draft (task_draft.h), or notes why there are none; docs/probing.md compares each task with
 * the original. */
#pragma once

#include "probes/task_draft.h"
#include "probes/task_lines.h"
#include "probes/task_trees.h"

/* What tasks are made from. */
struct task_material {
    const struct task_lines *lines;
    const struct task_tree *tree; /* [lines->lines]; NULL: there is no treebank */
};

typedef void task_maker(struct task_draft *draft, const struct task_material *from);

task_maker make_length, make_content, make_shift;                       /* of lines */
task_maker make_tense, make_subject, make_object, make_depth, make_odd; /* of trees */

/* Adds sentence `index`: as it is, with the label O, or by chance with other words, of as many, and
 * the label and group of these. False: the draft has it, or the text has that other sentence. */
bool make_either(struct task_draft *draft, const struct task_lines *lines, int index, uint32_t step,
                 const int32_t *word, const char *label, const char *group);

/* The tree of a sentence. */
static inline const struct task_tree *task_material_tree(const struct task_material *from,
                                                         const struct task_sentence *sentence)
{
    return &from->tree[sentence->line];
}
