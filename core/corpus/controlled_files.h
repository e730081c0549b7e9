/* Files of the controlled language (controlled.h), for `sanlab corpus controlled`:
 *
 *   train.en, train.de, dev.*, test.*   parallel text with tokens between blanks; no sentence is in
 *                                       two splits
 *   test.en.conllu, test.de.conllu      the test sentences as treebanks; only English has tags
 *   probing/TASK.txt                    the ten probing tasks of SentEval, in its format
 *   description.json                    the options; this file is written last
 *
 * The same options yield the same bytes. */
#pragma once

#include "core/base/base.h"

struct controlled_options {
    const char *out; /* output folder; made if absent */
    uint32_t seed;
    int train, dev, test; /* number of pairs of each split */
    /* approximate number of lines of tr in each task. va and te each have a fifth of it. All labels
     * of a task are equally frequent */
    int items;
};

void controlled_write(const struct controlled_options *options);
