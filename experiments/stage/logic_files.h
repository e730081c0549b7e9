/* Pairs of statements that a point names, or that are made up for it: for the stages that read
 * them. Of the section those options count that say which pairs there are. */
#ifndef EXPERIMENTS_STAGE_LOGIC_FILES_H
#define EXPERIMENTS_STAGE_LOGIC_FILES_H

#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage.h"
#include "logic/generate.h"

/* For struct stage_kind. */
void logic_files_find(struct stage *stage, const struct logic_section *logic, struct arena *arena);
/* Dies at the place of an option of the section where a file that is needed is empty, or where its
 * names are none. */
void logic_files_check(const struct tree *options, const char *section,
                       const struct logic_section *logic);
/* How the section's variables are called. */
struct formula_names logic_files_names(const struct logic_section *logic);
/* All pairs, behind those that `pairs` has (logic/pairs.h). */
void logic_files_read(const struct stage *stage, const struct logic_section *logic,
                      struct logic_pairs *pairs, struct arena *arena);
/* How logic_labeled is to split them. */
enum logic_protocol logic_files_protocol(const struct logic_section *logic);
double logic_files_bytes(const struct stage *stage, const struct logic_section *logic);

#endif
