/* Input and results of classifiers of words (word_probe.h, word_heads.h). */
#pragma once

#include "probes/classifier_job.h"
#include "probes/words.h"

enum { WORD_SIZES = PROTOCOL_GRID };

struct word_probe_job {
    const struct ops *ops;
    const struct words *words;
    const struct word_labels *labels, *control;
    const float *vector; /* [words][columns] */
    int columns;
    bool code;
    struct probe_calls calls; /* only `scored` is called */
};

/* Predictions of a classifier, and its scores on dev. */
struct word_trained {
    int32_t *predicted; /* [words]; not set for train */
    double dev;         /* accuracy, per cent */
    bool undertrained;  /* classifier.h */
};
