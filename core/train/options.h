/* How a model is trained: the section `train` of a grid. */
#pragma once

#include "core/config/option.h"

enum select_by { SELECT_LOSS, SELECT_BLEU };
enum rate_schedule { SCHEDULE_RSQRT, SCHEDULE_CONSTANT };
enum loss_over_rows { LOSS_MEAN, LOSS_SUM };

struct train_options {
    int epochs; /* 0: steps decide; both: whichever ends first */
    int steps;
    int batch_tokens; /* real tokens of the larger side per optimizer step */
    int batch_pairs;  /* of statements, where these are learned (relating.h) */
    int accumulate;   /* micro-batches that a step is computed in */
    double rate, beta1, beta2, epsilon;
    int warmup, schedule; /* schedule: enum rate_schedule */
    int loss;             /* enum loss_over_rows */
    double label_smoothing, l2, clip;
    int validate_every;     /* steps; 0: once an epoch */
    int validate_sentences; /* of dev, for BLEU by greedy search; 0: loss only */
    int patience;           /* validations without a better one; 0: never stop early */
    int select;             /* enum select_by */
    int precision;          /* enum precision, that it is computed in */
    int keep_last, keep_best, keep_average;
    int save_every; /* further checkpoints, for resuming alone; does not change a number */
    int log_every;
};
extern const struct section train_section;
