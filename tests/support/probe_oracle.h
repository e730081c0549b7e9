/* Probing classifier by its definition (probes/classifier.h), in double and without derivatives:
 * gradients are central differences of the loss. For small data. */
#pragma once

#include "probes/classifier_job.h"

/* Trains a setting of the job like SentEval. Writes the results to `trained`, whose arrays the
 * caller provides, except for counts of predictions. */
void probe_oracle(const struct probe_job *job, const struct probe_setting *setting,
                  struct probe_trained *trained);
