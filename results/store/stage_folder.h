/* Where a stage stands: RUNS/stages/KIND-<first 12 digits of its id>; and what its files are called
 * (collect.h), but for its journal (core/base/journal.h). */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

#define STAGE_DIGITS "12"
#define STAGE_FOLDER "%s-%." STAGE_DIGITS "s" /* a format of the kind and the id */

#define STAGE_RECORD "stage.json"
#define STAGE_ENVIRONMENT "environment.json"
#define STAGE_DONE "done.json"
#define STAGE_LOG "log.txt"
/* Keys of done.json. In the first format, which had no number, values and texts were both in
 * "summary", and metrics.jsonl had some of these values, too. */
#define STAGE_FORMAT 2
#define STAGE_SUMMARY_DIGEST "summary_digest" /* of the first format; older programs wrote none */
/* A metric of a training that is a mean since its last row: it depends on train.log_every, and is
 * nothing that the training comes to. */
#define STAGE_TRAINING_LOSS "loss"

/* Its done.json, to be freed. NULL: it is not there, or *problem says what is wrong with it, as
 * that a newer program wrote it. */
json_t *stage_folder_done(struct arena *arena, const char *folder, const char **problem);
/* That a newer program wrote a done.json; NULL: none did. */
const char *stage_folder_newer(struct arena *arena, const char *path, const json_t *done);
/* The texts in it, as "signature". */
const json_t *stage_folder_texts(const json_t *done);
/* What a stage of a kind has come to, texts and values, to be freed. A value is the line of
 * metrics.jsonl without step, layer, head, set and class; a training's also the last one of its
 * validations. One without a fraction is an integer. */
json_t *stage_folder_summary(const char *folder, const char *kind, const json_t *done);

/* True if this user may not read the folder, or a file in it that every reader of a stage needs. */
bool stage_folder_denied(const char *folder);
