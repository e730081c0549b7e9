/* Pairs as a model reads them (core/corpus/labeled.h): words are symbols, classes are relations,
 * groups are bins, valid is dev. */
#pragma once

#include "core/corpus/labeled.h"
#include "logic/generate.h"

/* Split by split, bin by bin, in the order of the lines. LOGIC_TRAN puts all lines of a bin
 * together, train before valid before test, and splits them anew; LOGIC_BOWMAN keeps the splits of
 * the files. */
struct labeled logic_labeled(struct arena *arena, const struct logic_pairs *pairs,
                             enum logic_protocol protocol);
