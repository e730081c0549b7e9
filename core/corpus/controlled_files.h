/* Files of the controlled language (controlled.h), for `sanlab corpus controlled`:
 *
 *   train.en, train.de, dev.*, test.*   parallel text, tokens between blanks; no sentence is in two
 *   test.en.conllu, test.de.conllu      the test sentences as treebanks, the English one with tags
 *   probing/TASK.txt                     the ten tasks of SentEval, in its form and by its names
 *   description.json                    written last: what was asked for
 *
 * The same options give the same bytes. */
#pragma once

#include "core/base/base.h"

struct controlled_options {
    const char *out; /* folder; made if absent */
    uint32_t seed;
    int train, dev, test; /* pairs */
    int items;            /* of tr of each task, about: labels are equally frequent; va and te have
                             a fifth of that each */
};

void controlled_write(const struct controlled_options *options);
