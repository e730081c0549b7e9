/* Logic pairs as input of a model (core/corpus/labeled.h). Words are symbols, classes are
 * relations, groups are bins, and valid is dev. */
#pragma once

#include "core/corpus/labeled.h"
#include "logic/generate.h"

/* Returns the pairs sorted by split, then by bin, then by line. LOGIC_TRAN joins all lines of a bin
 * (train, valid, test) and splits them anew. LOGIC_BOWMAN keeps the splits of the files. */
struct labeled logic_labeled(struct arena *arena, const struct logic_pairs *pairs,
                             enum logic_protocol protocol);
