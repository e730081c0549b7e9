/* By which code a training was computed from its first step on: a program may go on from what
 * another one has saved, or from its shorter training. An attempt's event "started" says by which
 * code it works; "mixed_code", by which the training was computed that it goes on from, where that
 * is other code. What was never saved does not count. */
#pragma once

#include "experiments/stage/stage.h"

/* The text of such events: "train 4427979f5419530f, term.gauss .., backend.cpu 70a8f685f1f175d6".
 * Where a stage's end has no code, as older programs wrote none, it says "train unknown". */
const char *code_used_text(const struct stage *stage, const struct stage_end *end,
                           struct arena *arena);
/* Whether a part of such a text is of other code than this program's. Of a backend that this
 * program lacks nothing is known. */
bool code_used_is_older(const struct stage *stage, const char *text);
/* All that the events in the stage's folder say of the checkpoints that it has, each part once, the
 * oldest first; "" where nothing was begun. */
const char *code_used_before(const struct stage *stage, struct arena *arena);
/* Fills code and backend code of an end from that, and from those of the program that ends it. */
void code_used_join(const struct stage *stage, struct stage_end *end, struct arena *arena);

/* By which code a stage is computed: digests of the sources of its kind, and of the terms and
 * fusions of attention that its model has (scripts/code_digest). */

/* "train 4427979f5419530f, term.gauss ..": the code of done.json. */
const char *stage_code(const struct stage *stage, struct arena *arena);
