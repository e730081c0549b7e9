/* The collector: the one way from run folders into the database.
 *
 * A stage's folder RUNS/stages/<kind>-<first 12 digits of its id>/ holds
 *   stage.json        by the runner, once, before the worker starts:
 *                     {"id": 64 hex digits, "kind": "train", "canonical": text,
 *                      "options": {"train": {"epochs": 12}, "seed": 1},
 *                      "inputs": [ids], "names": ["xu2019-table1/Transformer/1"]}
 *                     Nested options become dotted names.
 *   metrics.jsonl, events.jsonl                                    core/base/journal.h
 *                     "tag":"2" of a metric in older files is "set":2.
 *   environment.json  by the worker: {"host": .., "commit": .., "device": "cpu", "threads": 2, ..}
 *                     A stage without "products" was computed by OpenBLAS: its "blas" with its
 *                     "blas_core" are then its products.
 *   done.json         by the worker, last, atomically:
 *                     {"format": 2, "status": "done" or "diverged",
 *                      "texts": {"signature": text},
 *                      "outputs": {"hypotheses.txt": SHA-256}}
 *                     Without "format", in place of "texts":
 *                      "summary": {"parameters": 3681280, "bleu": 36.12, "signature": text},
 *                      "summary_digest": SHA-256
 * and RUNS/grids/<grid>/<name>.json what a grid asked for (experiments/grid/record.h writes it).
 *
 * Journals are read on from where they were read to; a journal that was cut since is read anew.
 * Collecting twice changes nothing, and what has vanished from disk vanishes here. Nothing is
 * dropped silently: lines and files that are no records are counted, and the first ones named.
 *
 * What such a folder says of its stage is its status (status.h). */
#pragma once

#include "results/store/ingest.h"

/* Brings the database up to date, for a reader, and keeps that state (store_keep_state). Warns of
 * bad records. Where another program keeps the database locked, the store becomes a copy in memory.
 */
struct collect_report collect_runs(struct store *store);
/* The same for a process that only keeps the database up to date. False if what is new is left to
 * the next collect: the database is locked, or the store is a copy. */
bool collect_try(struct store *store, struct collect_report *report);
/* Builds the database anew from the folders. `locked`, with a warning, if another process keeps it
 * open. */
struct collect_report collect_rebuild(const char *runs);
