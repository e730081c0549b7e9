/* The tagged words of a stage `gates`: reads the words, and adds their sources to the stage's
 * id. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/gates.h"

/* For struct stage_kind. lacks: an encoder without gates. check: dies at contradictory options and
 * at invalid files. files: finds treebank, tags, rules, and the files that a command names. */
const char *gates_text_lacks(const struct settings *settings);
void gates_text_check(struct kind_check *check);
void gates_text_files(struct stage *stage, const struct stage *planned, struct arena *arena);
/* Dies at the location of a tag that has no class. */
void gates_text_check_tags(const struct treebank *treebank, struct tag_reading reading,
                           struct arena *arena);
/* Returns the estimated pieces of a treebank; 0 if missing. */
double gates_text_pieces(const char *path);
/* Returns the tagged words; NULL if the options request none. The output of a command is kept in
 * the stage's folder as tags.txt. */
const struct tagged_text *gates_text_read(struct stage_work *work, const struct corpus *corpus);
/* Returns the sources of the text and its tags, for signatures. */
const char *gates_text_signature(const struct stage *stage, struct arena *arena);
