/* The pairs of statements of a stage: read from the files that its options name, or generated. Only
 * the options of the section that choose pairs are used. */
#ifndef EXPERIMENTS_STAGE_LOGIC_FILES_H
#define EXPERIMENTS_STAGE_LOGIC_FILES_H

#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage.h"
#include "logic/generate.h"

/* For struct stage_kind, of a section whose fields begin with a logic_section: finds the files;
 * dies where one that is needed is empty, or the names of variables are invalid. */
void logic_files_find(struct stage *stage, const struct stage *planned, struct arena *arena);
void logic_files_check(struct kind_check *check);
/* Returns the names of the section's variables. */
struct formula_names logic_files_names(const struct logic_section *logic);
/* Appends all pairs of the stage to `pairs` (logic/pairs.h). */
void logic_files_read(const struct stage *stage, const struct logic_section *logic,
                      struct logic_pairs *pairs, struct arena *arena);
/* Returns the protocol by which logic_labeled splits the pairs. */
enum logic_protocol logic_files_protocol(const struct logic_section *logic);
/* Returns the bytes of the text of all pairs. */
double logic_files_bytes(const struct stage *stage, const struct logic_section *logic);

#endif
