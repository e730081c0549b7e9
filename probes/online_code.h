/* Online codelength of the labels of train given the vectors (Voita and Titov 2020,
 * "Information-Theoretic Probing with Minimum Description Length"). Shares of train are sent one
 * after the other. The first share has a uniform code. Every later share has the probabilities of a
 * classifier trained on all shares before it. So the measure includes the speed of learning, not
 * only the final accuracy.
 *
 * The shares are those of the paper: 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50 and 100%.
 * They are taken from a permutation of train by the seed. Every classifier has the setting that was
 * chosen with all of train, and stops by dev. The code does not pay for dev. */
#pragma once

#include "probes/classifier.h"

enum { ONLINE_CODE_SHARES = 11 };
#define ONLINE_CODE_TEXT /* for captions */                                                        \
    "the setting is that chosen with all of tr; stopped by dev, which the code does not pay for"

struct online_code {
    double bits;    /* codelength of all labels of train */
    double uniform; /* codelength without the vectors: count * log2(classes) */
    int shares;     /* less than 11 if train is so small that some shares are equal */
    struct online_share {
        int items;       /* number of train items */
        double accuracy; /* per cent of test, of the classifier trained on these items */
    } share[ONLINE_CODE_SHARES];
};

/* Measures the codelength. `full`: the job with all of train. `chosen`: the setting chosen by that
 * job. Of the job's callbacks, only `scored` is called. */
struct online_code online_code_measure(const struct probe_job *full,
                                       const struct probe_trained *chosen);
