/* The path of a stage, RUNS/stages/KIND-<first 12 digits of its id>, and the names of its files
 * (collector.h), except its journal (core/base/journal.h). */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

#define STAGE_DIGITS "12"
#define STAGE_FOLDER "%s-%." STAGE_DIGITS "s" /* format of the kind and the id */

#define STAGE_RECORD "stage.json"
#define STAGE_ENVIRONMENT "environment.json"
#define STAGE_DONE "done.json"
#define STAGE_LOG "log.txt"
/* Keys of done.json. The first format had no number. Its values and texts were both in "summary",
 * and metrics.jsonl repeated some of the values. */
#define STAGE_FORMAT 2
#define STAGE_SUMMARY_DIGEST "summary_digest" /* first format; absent in older files */
/* A metric of a training that is a mean since its last row. It depends on train.log_every, so it is
 * no value of the training as a whole. */
#define STAGE_TRAINING_LOSS "loss"

/* Returns the stage's done.json, which the caller frees. Returns NULL if the file does not exist.
 * If it is invalid or of a newer program, returns NULL and sets *problem. */
json_t *stage_folder_done(struct arena *arena, const char *folder, const char **problem);
/* Returns the message that a newer program wrote a done.json; NULL if not. */
const char *stage_folder_newer(struct arena *arena, const char *path, const json_t *done);
/* Returns the texts of done.json, for example "signature". */
const json_t *stage_folder_texts(const json_t *done);
/* Returns the texts and values of a stage as a whole, which the caller frees. A value is the line
 * of metrics.jsonl without step, layer, head, set and class. Values of a training are also the last
 * line of its validations. A value without a fraction is an integer. */
json_t *stage_folder_summary(const char *folder, const char *kind, const json_t *done);

/* True if this user may not read the folder, or a file in it that every reader of a stage needs. */
bool stage_folder_denied(const char *folder);
