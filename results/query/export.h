/* What the store knows, for other programs.
 *
 * Wide, one line per stage:
 *   csv    id, kind, folder, status, names, tags, attempts, wall, started, finished, then a column
 *          for each key that any of the stages has: option.KEY, result.NAME, last.NAME (the last
 *          value of a metric), environment.KEY
 *   jsonl  the same as an object: {"id": .., "options": {..}, "results": {..}, "last": {..}, ..}
 * Long, one line per value of a metric:
 *   id, kind, name, seed, metric, step, layer, head, set, class, n, value
 * seed is that of the training that a stage is, or reads; of several it is empty.
 *
 * A value that is not finite is empty in CSV, null in JSON. No text of a CSV begins a formula. */
#ifndef RESULTS_QUERY_EXPORT_H
#define RESULTS_QUERY_EXPORT_H

#include "results/query/query.h"

enum export_format { EXPORT_CSV, EXPORT_JSONL };

void export_wide(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out);
void export_long(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out);

/* Event files for TensorBoard: FOLDER/NAME-ID/events.out.tfevents.sanlab, one for each stage that
 * has metrics by step; NAME is what escape_folder (escape.h) makes of the stage's name. A journal
 * has no times: an event's is taken from the stage's start and its share of the steps. Returns how
 * many files were written. */
int export_tensorboard(struct store *store, const struct query_stage *stage, int count,
                       const char *folder);

/* CRC-32C (Castagnoli), as records of TensorBoard have it behind a mask. */
uint32_t export_crc(const void *bytes, size_t count);

#endif
