/* Declares the verbs of sanlab-dev. Each verb has a separate file. */
#pragma once

#include "experiments/cli/verb.h"

extern const struct verb verb_bench_parts;
