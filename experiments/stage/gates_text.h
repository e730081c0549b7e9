/* Reads the words of a stage `gates` and their part-of-speech tags, and adds the files that provide
 * them to the stage's input files. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "probes/gates.h"

/* Members lacks, check and find_files of struct stage_kind. gates_text_lacks refuses an encoder
 * without gates. gates_text_check dies at contradictory options and at invalid files.
 * gates_text_files adds the treebank or the tags, the rules, and the files that a command names. */
const char *gates_text_lacks(const struct settings *settings);
void gates_text_check(struct kind_check *check);
void gates_text_files(struct stage *stage, const struct stage *planned, struct arena *arena);
/* Dies at the location of a tag that has no class. */
void gates_text_check_tags(const struct treebank *treebank, struct tag_reading reading,
                           struct arena *arena);
/* Returns the tagged words; NULL if the options request none. If a command provides the tags, its
 * output becomes the file tags.txt of the stage. */
const struct tagged_text *gates_text_read(struct stage_work *work, const struct corpus *corpus);
/* Returns a text for signatures that names the sources of the words and of their tags. */
const char *gates_text_signature(const struct stage *stage, struct arena *arena);
