/* sanlab export model TRAIN: a model as one file, for who has neither its run folder nor sanlab. */
#pragma once

#include "experiments/cli/verb.h"

/* Writes --out FILE, the checkpoint of --checkpoint of the train stage that the second word means,
 * and beside it its vocabularies and merges (core/model/checkpoint.h has the names and the format).
 * Returns the exit status. */
int export_model(struct verb_call *call);
