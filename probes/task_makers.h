/* Makers of the probing tasks of Conneau et al. 2018. A maker adds candidates to a draft
 * (task_draft.h), or records why there are no candidates. docs/probing.md compares each task with
 * the original. */
#pragma once

#include "probes/task_draft.h"
#include "probes/task_lines.h"
#include "probes/task_trees.h"

struct task_material {
    const struct task_lines *lines;
    const struct task_tree *tree; /* [lines->lines]; NULL without a treebank */
};

typedef void task_maker(struct task_draft *draft, const struct task_material *from);

task_maker make_length, make_content, make_shift;                       /* makers that need lines
                                                                         * only */
task_maker make_tense, make_subject, make_object, make_depth, make_odd; /* makers that need trees */

/* Adds a sentence. With probability 1/2 it is sentence `index` with the label O. Otherwise it is
 * the variant `word` of the same length, with `label` and `group`. Returns false if the draft
 * already has the text, or if the variant is a sentence of the text. */
bool make_either(struct task_draft *draft, const struct task_lines *lines, int index, uint32_t step,
                 const int32_t *word, const char *label, const char *group);

static inline const struct task_tree *task_material_tree(const struct task_material *from,
                                                         const struct task_sentence *sentence)
{
    return &from->tree[sentence->line];
}
