/* The tagged words of a stage `gates`: where they come from, for its identity, and reading them. */
#ifndef EXPERIMENTS_STAGE_GATES_TEXT_H
#define EXPERIMENTS_STAGE_GATES_TEXT_H

#include "experiments/stage/stage_work.h"
#include "probes/gates.h"

/* Whether options ask for text with tags: a treebank, or tags of the split. */
bool gates_text_asked(const struct gates_options *options);
/* Dies at the place of options that contradict each other, and of files that cannot be what they
 * should. `point` is the options of a point of a grid, with these and `corpus`. */
void gates_text_check(const struct gates_options *options, const struct corpus_options *corpus,
                      const struct tree *point);
/* The files: treebank, tags, rules, and those that the words of a command name. */
void gates_text_files(struct stage *stage, const struct gates_options *options,
                      struct arena *arena);
/* About how many pieces it has; 0: nothing is known. */
double gates_text_pieces(const struct gates_options *options);
/* NULL: none are asked for. What a command printed is kept in the stage's folder: tags.txt. */
const struct tagged_text *gates_text_read(struct stage_work *work,
                                          const struct gates_options *options,
                                          const struct corpus *corpus);
/* What the numbers depend on beside the model: for signatures. */
const char *gates_text_signature(const struct stage *stage, const struct gates_options *options,
                                 struct arena *arena);

#endif
