/* Verifies that the contents of a run folder are still what was computed. Reads every stage again:
 *
 *   identity     the canonical text of stage.json gives its id. Its options with this version give
 *                the same id. Every folder with a done.json has a stage.json, even if it is not in
 *                the table `stage`
 *   outputs      files have the digests in done.json, including metrics.jsonl (older programs did
 *                not write its digest); a corpus is complete; checkpoints match their MANIFEST
 *   summary      numbers in done.json have their digest (older programs did not write it) and equal
 *                those of metrics.jsonl (verify_summary.h)
 *   database     the database has as many rows as the journals have lines; its pages are intact
 *   results      values recomputed from observations, of a stage and of its classes, equal the
 *                recorded ones up to a relative 1e-9 (observations_check)
 *
 * In an unpacked archive, checks are skipped if they need files that the archive omits
 * (archive_pack.h).
 *
 * Changes only the database, which it brings up to date. A stage that is not done, or that a worker
 * holds (lease.h), is no problem. A stage that changes while it is read is read again. */
#pragma once

#include "results/query/query.h"

struct verify_report {
    int stages, problems;
    int working;          /* stages in progress, which are not reported */
    int unchecked;        /* done stages without a digest of metrics.jsonl */
    int left_out;         /* checks that need files which an archive omits */
    int recomputed;       /* stages whose values were recomputed from their observations */
    int64_t files, bytes; /* number and bytes of the files whose digests were computed */
};

/* Verifies stages. Prints one line per problem to `out`: the stage's folder and the problem. */
struct verify_report verify_stages(struct store *store, const struct found_stage *stage, int count,
                                   FILE *out);
