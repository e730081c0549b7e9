/* sanlab corpus get: data sets that others publish (core/corpus/data_get.h), and their list. */
#ifndef EXPERIMENTS_CLI_CORPUS_GET_H
#define EXPERIMENTS_CLI_CORPUS_GET_H

#include "experiments/cli/verb.h"

verb_action corpus_get;

#endif
