/* Verifies that a runs folder still has what was computed. Reads the files of every stage, and
 * checks:
 *
 *   identity     The digest of the canonical text in stage.json is the id of the stage. With the
 *                options in stage.json, this program computes the same id. Every folder with a
 *                done.json has a stage.json
 *   outputs      The output files, metrics.jsonl included, have the digests in done.json. (Older
 *                programs did not write the digest of metrics.jsonl.) A corpus is complete.
 *                Checkpoints match their MANIFEST
 *   status       done.json has the status "done" or "diverged"
 *   database     Its pages are intact
 *   results      Values are recomputed from observations, for the whole stage and for each class.
 *                They equal the recorded values up to a relative 1e-9 (observations_read). In the
 *                first format of done.json, values equal their copies in metrics.jsonl. Stages with
 *                another problem are skipped
 *
 * In an unpacked archive, checks are skipped if they need files that the archive omits
 * (archive_pack.h).
 *
 * The verification brings the database up to date, and changes nothing else. A stage that is not
 * done is no problem. A stage whose lease a worker holds (lease.h) is not read. */
#pragma once

#include "results/query/query.h"

struct verify_report {
    int stages, problems;
    int working;          /* number of stages in progress, which were not verified */
    int unchecked;        /* number of done stages without a digest of metrics.jsonl */
    int left_out;         /* number of checks that need files which an archive omits */
    int recomputed;       /* number of stages with values that were recomputed from observations */
    int64_t files, bytes; /* number and bytes of the files whose digests were computed */
};

/* Verifies `count` stages. Prints one line per problem to `out`: the folder of the stage, and the
 * problem. */
struct verify_report verify_stages(struct store *store, const struct found_stage *stage, int count,
                                   FILE *out);
