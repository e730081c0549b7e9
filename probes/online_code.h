/* Measures the online codelength of the labels of train given the vectors (Voita and Titov 2020,
 * "Information-Theoretic Probing with Minimum Description Length"). The labels of train are encoded
 * in shares, one after another. The first share has a uniform code. Every later share is encoded
 * with the probabilities of a classifier that is trained on all shares before it. So the measure
 * includes the speed of learning, not only the final accuracy.
 *
 * The shares end at 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50 and 100% of train, as in the
 * paper. The seed determines the order of train. Every classifier has the setting that was chosen
 * with all of train. Its training stops by accuracy on dev. The codelength does not include the
 * labels of dev. */
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
        int items;       /* number of train items in this and all earlier shares */
        double accuracy; /* per cent of test, of the classifier trained on these items */
    } share[ONLINE_CODE_SHARES];
};

/* Train in the order in which it is encoded, and the ends of its shares. */
struct online_order {
    const int32_t *item; /* [end[shares - 1]] */
    int shares, end[ONLINE_CODE_SHARES];
};
/* Writes the ascending end indices of the shares of `count` items. Returns the number of shares. */
int online_code_ends(int count, int end[ONLINE_CODE_SHARES]);
/* Measures the codelength of the items in this order. The other arguments are those of
 * online_code_measure. */
struct online_code online_code_of(const struct probe_job *full, const struct probe_trained *chosen,
                                  const struct online_order *order);

/* Measures the codelength in random order. `full` is the job with all of train. `chosen` is the
 * setting that this job chose. Only the callback `scored` of the job is called. */
struct online_code online_code_measure(const struct probe_job *full,
                                       const struct probe_trained *chosen);
