/* How many bits the labels of train cost somebody who has the vectors: the online code of Voita and
 * Titov 2020, "Information-Theoretic Probing with Minimum Description Length". Shares of train are
 * sent one after the other, the first one with a uniform code, every later one with the
 * probabilities of a classifier that has learned from all before it. How soon it learns counts, and
 * not only how well in the end.
 *
 * Shares are those of the paper, of a permutation of train by the seed: 0.1, 0.2, 0.4, 0.8, 1.6,
 * 3.2, 6.25, 12.5, 25, 50 and 100%. The classifier of every share has the setting that was chosen
 * with all of train, and stops by dev, which the code does not pay for. */
#pragma once

#include "probes/classifier.h"

enum { ONLINE_CODE_SHARES = 11 };
#define ONLINE_CODE_TEXT /* for captions */                                                        \
    "the setting is that chosen with all of tr; stopped by dev, which the code does not pay for"

struct online_code {
    double bits;    /* of all labels of train */
    double uniform; /* what they cost without looking at the vectors: count * log2(classes) */
    int shares;     /* less than 11 where train is so small that some are alike */
    struct online_share {
        int items;       /* of train, */
        double accuracy; /* per cent of test, of the classifier that learned from them */
    } share[ONLINE_CODE_SHARES];
};

/* `full` is the job with all of train, of which `chosen` came; its call `scored` is told. */
struct online_code online_code_measure(const struct probe_job *full,
                                       const struct probe_trained *chosen);
