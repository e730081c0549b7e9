/* sanlab export model TRAIN: writes a model to one file, for use without its run folder or
 * sanlab. */
#pragma once

#include "experiments/cli/verb.h"

/* Writes a model to --out FILE: the checkpoint of --checkpoint of the train stage that the second
 * word selects. Its vocabularies and merges are written next to FILE (core/model/checkpoint.h has
 * the names and the format). Returns the exit status. */
int export_model(struct verb_call *call);
