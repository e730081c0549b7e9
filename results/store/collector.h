/* The collector: the only writer of run folders' contents into the database.
 *
 * A stage's folder RUNS/stages/<kind>-<first 12 digits of its id>/ holds
 *   stage.json        by the runner, once, before the worker starts. Nested options become dotted
 *                     names.
 *                     {"id": 64 hex digits, "kind": "train", "canonical": text,
 *                      "options": {"train": {"epochs": 12}, "seed": 1},
 *                      "inputs": [ids], "names": ["xu2019-table1/Transformer/1"]}
 *   metrics.jsonl, events.jsonl                                    core/base/journal.h
 *                     "tag":"2" of a metric in older files is "set":2.
 *   environment.json  by the worker. A stage without "products" was computed by OpenBLAS: its
 *                     "products" are then its "blas" with its "blas_core".
 *                     {"host": .., "commit": .., "device": "cpu", "threads": 2, ..}
 *   done.json         by the worker, last, atomically:
 *                     {"format": 2, "status": "done" or "diverged",
 *                      "texts": {"signature": text},
 *                      "outputs": {"hypotheses.txt": SHA-256}}
 * The first format of done.json has no "format", and instead of "texts" it has
 *     "summary": {"parameters": 3681280, "bleu": 36.12, "signature": text},
 *     "summary_digest": SHA-256
 * RUNS/grids/<grid>/<name>.json is a grid's record (experiments/grid/grid_record.h writes it).
 *
 * Journals are read from the location where the last collect ended; a truncated journal is read
 * again from its start. Collecting twice changes nothing. Invalid lines and files are never dropped
 * silently: they are counted, and the first ones are named.
 *
 * The status of a stage follows from its folder (status.h). */
#pragma once

#include "results/store/ingest.h"

/* Updates the database for a reader, and keeps that state (store_keep_state). Warns of invalid
 * records. If another program keeps the database locked, the store becomes a copy in memory. */
struct collect_report collect_runs(struct store *store);
/* Updates the database without keeping a state for reading. Returns false if new records are left
 * to the next collect, because the database is locked or the store is a copy. */
bool collect_try(struct store *store, struct collect_report *report);
/* Builds the database anew from the folders. Sets `locked`, with a warning, if another process
 * keeps the database open. */
struct collect_report collect_rebuild(const char *runs);
