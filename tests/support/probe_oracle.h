/* A probing classifier as its definition says it (probes/classifier.h), in double and without a
 * derivative: gradients are central differences of the loss. For small data. */
#pragma once

#include "probes/classifier_job.h"

/* Trains a setting of the job as SentEval does; its results are put into `trained`, but for what is
 * counted from predictions. Arrays are those of `trained`. */
void probe_oracle(const struct probe_job *job, const struct probe_setting *setting,
                  struct probe_trained *trained);
