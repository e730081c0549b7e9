/* The code that computed a training, from its first step on. A program may resume from a checkpoint
 * of another program, or continue a shorter training. The event "started" has the code of the
 * attempt. If other code computed the shorter training, the event "mixed_code" has that code. Code
 * whose steps were never saved does not count. */
#pragma once

#include "experiments/stage/stage.h"

/* Returns the text of the code of an end: "train 4427979f5419530f, term.gauss .., backend.cpu
 * 70a8f685f1f175d6". Ends of older programs may have no code: then the text is "train unknown". */
const char *code_used_text(const struct stage *stage, const struct stage_end *end,
                           struct arena *arena);
/* True if a part of a text differs from this program's code. A backend that this program lacks is
 * not compared. */
bool code_used_is_older(const struct stage *stage, const char *text);
/* Returns the code of the stage's checkpoints according to the events in its folder: each part
 * once, the oldest first; "" if nothing was begun. */
const char *code_used_before(const struct stage *stage, struct arena *arena);
/* Fills code and backend code of an end: first the parts of code_used_before, then the parts of
 * this program. */
void code_used_join(const struct stage *stage, struct stage_end *end, struct arena *arena);

/* The code of a stage: digests of the sources of its kind, and of the attention terms and fusions
 * that its model uses (scripts/generate/code_digest). */

/* Returns "train 4427979f5419530f, term.gauss ..": the code in done.json. */
const char *stage_code(const struct stage *stage, struct arena *arena);
