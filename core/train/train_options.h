/* Training options: the section `train` of a grid. */
#pragma once

#include "core/config/option.h"
#include "core/model/checkpoint_at.h"

enum select_by { SELECT_LOSS, SELECT_BLEU };
enum rate_schedule { SCHEDULE_RSQRT, SCHEDULE_CONSTANT, SCHEDULE_COSINE, SCHEDULE_LINEAR };
enum decayed { DECAYED_ALL, DECAYED_WEIGHTS };
enum loss_over_rows { LOSS_MEAN, LOSS_SUM };

/* Crossings whose two checkpoints are kept (train.keep_at). */
enum { KEEP_AT_MOST = 100 };
struct keep_at {
    int count;
    const struct checkpoint_at *at; /* [count] */
};

struct train_options {
    int epochs; /* 0: only `steps` limits training; else the earlier end counts */
    int steps;
    int batch_tokens; /* tokens of the larger side per optimizer step */
    int batch_pairs;  /* sentence pairs per optimizer step (relating.h) */
    int accumulate;   /* number of micro-batches per step */
    double rate, beta1, beta2, epsilon;
    int warmup, schedule; /* schedule: enum rate_schedule */
    double floor;         /* of cosine and linear: share of `rate` at the last step */
    int loss;             /* enum loss_over_rows */
    double label_smoothing, l2, clip;
    double weight_decay;
    int decayed;            /* enum decayed */
    int validate_every;     /* in steps; 0: once per epoch */
    int validate_sentences; /* sentences of dev for BLEU by greedy search; 0: loss only */
    int patience;           /* validations without improvement until training stops; 0: never */
    int select;             /* enum select_by */
    int precision;          /* enum precision */
    int keep_last, keep_best, keep_average;
    struct keep_at keep_at;
    /* Steps between additional checkpoints, which only serve to resume; 0: none. Has no effect on
     * results. */
    int save_every;
    /* Steps between rows of the training loss. It is not part of an id, because it changes neither
     * the training nor the results of the stage. */
    int log_every;
};
extern const struct section train_section;
/* True if the learning rate of a step depends on the length of the training. Then a longer training
 * cannot continue a shorter one. */
bool train_ends_low(const struct train_options *options);
