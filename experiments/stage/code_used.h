/* Finds the code that computed a training, from its first step on. There may be several versions,
 * because a program can resume from a checkpoint of another program, or continue a shorter
 * training. The event "started" has the code of the attempt. If other code computed the shorter
 * training, the event "mixed_code" has the other code. The code of an attempt that saved no
 * checkpoint is left out. */
#pragma once

#include "experiments/stage/stage.h"

/* Returns the code in `end` as a text: "train 4427979f5419530f, term.gauss .., backend.cpu
 * 70a8f685f1f175d6". A done.json of an older program may have no code. Then the text is "train
 * unknown". */
const char *code_used_text(const struct stage *stage, const struct stage_end *end,
                           struct arena *arena);
/* True if a part of the text (code_used_text) differs from the code of this program. Backends that
 * this program lacks are not compared. */
bool code_used_is_older(const struct stage *stage, const char *text);
/* Returns the code that computed the stage's checkpoints, according to the events in its folder.
 * Each part occurs once, the oldest first. Returns "" if no training has begun. */
const char *code_used_before(const struct stage *stage, struct arena *arena);
/* Replaces code and backend_code of `end`, which are those of this program. The new texts have
 * first the parts of code_used_before, then the parts of this program. */
void code_used_join(const struct stage *stage, struct stage_end *end, struct arena *arena);

/* The code of a stage consists of digests (scripts/generate/code_digest). One digest is of the
 * sources of its kind. The others are of the attention terms and fusions that its model uses. */

/* Returns the code for done.json: "train 4427979f5419530f, term.gauss ..". */
const char *stage_code(const struct stage *stage, struct arena *arena);
