/* How long a training is: train.epochs and train.steps, as its canonical text has them. */
#ifndef EXPERIMENTS_STAGE_CONTINUE_LENGTH_H
#define EXPERIMENTS_STAGE_CONTINUE_LENGTH_H

#include "core/base/digest.h"

/* The digest of a canonical text without the lines of its length: equal for trainings that differ
 * in nothing else. */
void continue_key(const char *canonical, char key[DIGEST_TEXT]);
/* Of two such texts, whether the options alone say that the first one's training is the shorter. */
bool continue_is_shorter(const char *canonical, const char *than);
/* The default of an option of `train` that is a number. */
int64_t continue_default(const char *key);

#endif
