/* Is what lies in a run folder still what was computed? Every stage is read again:
 *
 *   identity     stage.json's canonical text gives its id; its options, with this version, too;
 *                every folder with a done.json has a stage.json, also if `stage` lacks it
 *   outputs      the digests in done.json, also of metrics.jsonl, which an older program did not
 *                write; a corpus whole; every checkpoint by its MANIFEST
 *   summary      done.json's numbers have their digest, which an older program did not write, and
 *                are those of metrics.jsonl (verify_summary.h)
 *   database     as many rows as its journals have lines; the pages of the database itself
 *   results      values that stand on observations, of a stage and of its classes, computed again
 *                from these, are what is recorded, but for a relative 1e-9 (observations_check)
 *
 * In an unpacked archive a check is not made if it needs a file that the archive leaves out
 * (archive.h).
 *
 * Changes nothing but the database, which it brings up to date. A stage that is not done yet makes
 * no problem, nor one that somebody works on (lease.h); what changes while it is read is looked at
 * again. */
#pragma once

#include "results/query/query.h"

struct verify_report {
    int stages, problems;
    int working;          /* that somebody works on, so that nothing was said of them */
    int unchecked;        /* done, but without a digest of metrics.jsonl */
    int left_out;         /* checks that need what an archive leaves out */
    int recomputed;       /* whose values were computed again from their observations */
    int64_t files, bytes; /* whose digests were computed */
};

/* One line per problem on `out`: the stage's folder and what is wrong. */
struct verify_report verify_stages(struct store *store, const struct found_stage *stage, int count,
                                   FILE *out);
