/* Files of the controlled language (controlled.h), for `sanlab corpus controlled`:
 *
 *   train.en, train.de, dev.*, test.*   parallel text, tokens between blanks; no sentence is in two
 *   test.en.conllu, test.de.conllu      the test sentences as treebanks, English with tags
 *   probing/TASK.txt                    the ten tasks of SentEval, with its format and names
 *   description.json                    written last: the options
 *
 * The same options yield the same bytes. */
#pragma once

#include "core/base/base.h"

struct controlled_options {
    const char *out; /* folder; made if absent */
    uint32_t seed;
    int train, dev, test; /* pairs */
    int items;            /* approximate items in tr of each task, with equally frequent labels;
                           * va and te have a fifth */
};

void controlled_write(const struct controlled_options *options);
