/* What a stage `probe` says of its classifiers: accuracy of all, by class and by seed; items.tsv,
 * predictions.tsv, of several trainings trainings.tsv; what they chose and what a guess reaches;
 * the online code; how the value was computed. */
#ifndef EXPERIMENTS_STAGE_PROBE_REPORT_H
#define EXPERIMENTS_STAGE_PROBE_REPORT_H

#include "experiments/stage/stage_work.h"
#include "probes/probing.h"

void probe_report(struct stage_work *work, const struct probing_job *job,
                  const struct probing *probing);

#endif
