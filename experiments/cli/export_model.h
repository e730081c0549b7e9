/* sanlab export model TRAIN: writes a model to one file, for use without its run folder or
 * sanlab. */
#pragma once

#include "experiments/cli/verb.h"

/* Writes the train or relate stage that the second word selects, at --checkpoint, to --out FILE.
 * Writes vocabularies and merges of a train stage next to FILE (core/model/checkpoint.h has the
 * names and the format). Returns the exit status. */
int export_model(struct verb_call *call);
