/* The tagged words of a stage `gates`: where they come from, for its identity, and reading them. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/gates.h"

/* For struct stage_kind: an encoder lacks gates; dies at options that contradict each other, and at
 * files that cannot be what they should; finds treebank, tags, rules, and what the words of a
 * command name. */
const char *gates_text_lacks(const struct settings *settings);
void gates_text_check(struct kind_check *check);
void gates_text_files(struct stage *stage, const struct stage *planned, struct arena *arena);
/* Dies at the place of a tag that is no class. */
void gates_text_check_tags(const struct treebank *treebank, struct tag_reading reading,
                           struct arena *arena);
/* About how many pieces a treebank has; 0: it is not there. */
double gates_text_pieces(const char *path);
/* NULL: none are asked for. What a command printed is kept in the stage's folder: tags.txt. */
const struct tagged_text *gates_text_read(struct stage_work *work, const struct corpus *corpus);
/* What the numbers depend on beside the model: for signatures. */
const char *gates_text_signature(const struct stage *stage, struct arena *arena);
