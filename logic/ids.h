/* Converts logic pairs to the input of a model (core/corpus/labeled.h). The words are the symbols,
 * the classes are the relations, the groups are the bins, and dev is the split valid. */
#pragma once

#include "core/corpus/labeled.h"
#include "logic/generate.h"

/* Returns the pairs sorted by split, then by bin, then by line. LOGIC_TRAN joins all lines of a bin
 * (train, valid, test) and splits them anew. LOGIC_BOWMAN keeps the splits of the files. */
struct labeled logic_labeled(struct arena *arena, const struct logic_pairs *pairs,
                             enum logic_protocol protocol);
