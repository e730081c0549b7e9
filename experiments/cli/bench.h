/* Functions that sanlab bench and sanlab-dev bench share. They select a model and a text, and
 * measure training steps and a beam search. */
#pragma once

#include "core/bench/profile.h"
#include "core/bench/search_pace.h"
#include "experiments/cli/verb.h"
#include "experiments/grid/settings.h"

/* A measurement. The fields after `rounds` are only used to measure a model. */
struct bench {
    struct verb_call *call;
    measure_clock *clock;
    int rounds;
    const char *name;           /* name of the grid and its row, or of the preset */
    const struct tree *options; /* options of a preset, with changes; NULL: a grid's row */
    const struct settings *settings;
    struct translating translating; /* ops: NULL before bench_open_device */
    struct beam_options beam;
    const char *text;         /* origin of the corpus, to print */
    const char *train_folder; /* folder of a train stage with a checkpoint; NULL: none */
    /* Limits of the machine, which bench_step measures. `products` is the operations per second of
     * large matrix products, `copy` the bytes per second of copying. 0: not measured. */
    double products, copy;
    bool no_floors; /* bench_step does not measure `copy` */
};

/* Reads --threads and --rounds. Dies if a variable is not passed to the workers of `run`. */
struct bench bench_begin(struct verb_call *call);
/* Sets the model and text that the words, --row and --corpus select. A corpus that is already set
 * is kept. */
void bench_take_subject(struct bench *bench);
/* Sets name, options and settings of a model preset with changes "key=value". */
void bench_take_preset(struct bench *bench, const char *name, const char *const *change,
                       int changes);
/* Returns the device's table of ops in the precision of the settings; opens the device. */
const struct ops *bench_open_device(struct bench *bench);
/* Prints the origin of the corpus, and a line such as "1 thread, processor time, cpu-v4, own
 * products 1". */
void bench_print_machine(const struct bench *bench, const struct ops *ops);
/* Measures training steps and the limits of the machine; prints both. --batches is the number of
 * steps of a round. */
struct profile bench_step(struct bench *bench);
/* Returns the job that translates the first --sentences sentences of the test split, or of the
 * training split if the test split is empty. Sets *split to these sentences. */
struct search_pace_job bench_search_job(const struct bench *bench, struct split *split);
void bench_print_search(const struct bench *bench, const struct search_pace *pace);
