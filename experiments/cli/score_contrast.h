/* The other half of `sanlab score`: a model on contrastive pairs (core/decode/contrast.h). */
#ifndef EXPERIMENTS_CLI_SCORE_CONTRAST_H
#define EXPERIMENTS_CLI_SCORE_CONTRAST_H

#include "experiments/cli/verb.h"

int score_contrast(struct verb_call *call); /* returns the exit status */

#endif
