/* The name of a stage's folder, RUNS/stages/KIND-<first 12 digits of its id>, and the names of
 * files in the folder (collector.h). The names of the journal's files are in
 * core/base/journal.h. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

#define STAGE_DIGITS "12"
#define STAGE_FOLDER "%s-%." STAGE_DIGITS "s" /* printf format; arguments: kind and id */

/* A file of a runs folder that is an unpacked archive. It lists the files that the archive omits,
 * one "stages/KIND-ID/FILE" per line. */
#define ARCHIVE_LEFT_OUT "left-out.txt"

#define STAGE_RECORD "stage.json"
#define STAGE_ENVIRONMENT "environment.json"
#define STAGE_DONE "done.json"
#define STAGE_LOG "log.txt"
/* The value of "format" in done.json. The first format has no key "format". It has both values and
 * texts under "summary", and metrics.jsonl repeats some of the values. */
#define STAGE_FORMAT 2
#define STAGE_SUMMARY_DIGEST "summary_digest" /* first format; absent in the oldest files */
/* Text of done.json: the reason why a stage with the checkpoint before(..) or after(..) is done
 * without values. */
#define STAGE_UNREACHED "not_reached"
/* A metric of a training. Each row is a mean over the steps since the previous row, so it depends
 * on train.log_every. Therefore it is not a value of the training as a whole. */
#define STAGE_TRAINING_LOSS "loss"

/* Returns the stage's done.json, which the caller frees. Returns NULL if the file does not exist.
 * If the file is invalid, or written by a newer program, returns NULL and sets *problem. */
json_t *stage_folder_done(struct arena *arena, const char *folder, const char **problem);
/* If a newer program wrote the file done.json, returns a message about it; else NULL. */
const char *stage_folder_newer(struct arena *arena, const char *path, const json_t *done);
/* Returns the texts of done.json, for example "signature". */
const json_t *stage_folder_texts(const json_t *done);
/* Returns the texts and values of a stage as a whole; the caller frees them. Values are the lines
 * of metrics.jsonl without step, layer, head, set and class. For a training, lines with a step also
 * count, except STAGE_TRAINING_LOSS; the last line of a name is its value. A value without a
 * fraction is an integer. */
json_t *stage_folder_summary(const char *folder, const char *kind, const json_t *done);

/* True if this user has no permission to read the folder, its records or its journal. */
bool stage_folder_denied(const char *folder);
