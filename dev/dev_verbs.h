/* The verbs of sanlab-dev, one file each. */
#pragma once

#include "experiments/cli/verb.h"

extern const struct verb verb_bench_parts, verb_check_double;
