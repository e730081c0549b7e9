/* The verbs of sanlab-dev, one file each. */
#ifndef DEV_VERBS_H
#define DEV_VERBS_H

#include "experiments/cli/verb.h"

extern const struct verb verb_bench_parts, verb_check_double;

#endif
