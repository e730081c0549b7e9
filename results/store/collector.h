/* Copies the contents of run folders into the database. No other code writes these contents into
 * the database.
 *
 * A stage's folder RUNS/stages/<kind>-<first 12 digits of its id>/ holds
 *   stage.json        written by the runner, once, before the worker starts. In the database,
 *                     nested options become dotted names.
 *                     {"id": 64 hex digits, "kind": "train", "canonical": text,
 *                      "options": {"train": {"epochs": 12}, "seed": 1},
 *                      "inputs": [ids], "names": ["xu2019-table1/Transformer/1"]}
 *   metrics.jsonl, events.jsonl                                    core/base/journal.h
 *                     In older files, a metric has "tag":"2" instead of "set":2.
 *   environment.json  written by the worker. A file without "products" is from a stage with
 *                     OpenBLAS. In the database, its "products" consists of "blas" and "blas_core".
 *                     {"host": .., "commit": .., "device": "cpu", "threads": 2, ..}
 *   done.json         written by the worker, atomically, as the last file
 *                     {"format": 2, "status": "done" or "diverged",
 *                      "texts": {"signature": text},
 *                      "outputs": {"hypotheses.txt": SHA-256}}
 * The first format of done.json has no "format", and instead of "texts" it has
 *     "summary": {"parameters": 3681280, "bleu": 36.12, "signature": text},
 *     "summary_digest": SHA-256
 * RUNS/grids/<grid>/<name>.json is a grid's record (experiments/grid/grid_record.h writes it).
 *
 * A journal is read from the position where the last collect ended. A truncated journal is read
 * again from its start. Collecting again without new content changes nothing. Invalid lines and
 * files are counted, and warnings name the first five of them.
 *
 * The status of a stage follows from its folder (status.h). */
#pragma once

#include "results/store/ingest.h"

/* Updates the database for a reader, and then locks the state for reading (store_keep_state). Warns
 * about invalid records. If another program keeps the database locked, the store becomes a copy in
 * memory. */
struct collect_report collect_runs(struct store *store);
/* Updates the database, without store_keep_state. Returns false if the database file was not
 * updated, because it is locked or the store is a database in memory. */
bool collect_try(struct store *store, struct collect_report *report);
/* Builds a new database from the folders. If another process keeps the database open, warns, sets
 * `locked`, and keeps the old database. */
struct collect_report collect_rebuild(const char *runs);
