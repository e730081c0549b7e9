/* Training protocols of probing classifiers, each named after its source:
 *
 *   senteval      SentEval's comparable configuration (Conneau and Kiela 2018, its README)
 *   fixed         the same with 200 hidden units and dropout 0.1
 *   conneau2018   Conneau et al. 2018, section 3.2: hidden units and dropout chosen on dev
 *   xu2019        Xu et al. 2019, section 5.1: the same with batches of 1,000
 *   hao2019       Hao et al. 2019, appendix A.2: one classifier, no L2
 *
 * A setting is a choice of hidden units, dropout and L2. All settings of a protocol are trained.
 * The one with the best accuracy on dev is chosen; in a tie, the first one. Settings are sorted by
 * hidden units, then dropout, then L2, all ascending.
 *
 * Training stops as in SentEval. Dev is scored after every `epochs` epochs. A score that is not
 * strictly better than the best score is a failure. Failure number tenacity + 1 ends the training.
 * Failures are counted over the whole training: a better score does not reset the count. */
#pragma once

#include "core/base/base.h"

/* Maximum number of values of hidden units, dropout or L2; maximum number of settings. */
enum { PROTOCOL_GRID = 4, PROTOCOL_SETTINGS = 36 };

struct protocol {
    const char *name;
    int hiddens, dropouts, l2s; /* number of values in the arrays below; 0: only the first value */
    int hidden[PROTOCOL_GRID];  /* units; 0: no hidden layer */
    double dropout[PROTOCOL_GRID], l2[PROTOCOL_GRID];
    double rate;      /* learning rate of Adam */
    int batch;        /* items per update */
    int epochs;       /* epochs between two evaluations */
    int updates;      /* minimum number of updates between two evaluations; more epochs are made if
                       * train is small */
    int most;         /* maximum epochs of a training, a multiple of `epochs` */
    int tenacity;     /* see above; -1: training never stops before `most` */
    const char *text; /* for captions: the protocol, and which parts of it are inferred */
};
#define PROTOCOL_WORDS "senteval|fixed|conneau2018|xu2019|hao2019" /* in the order of `protocols` */
extern const struct protocol protocols[];
extern const int protocol_count;
/* The protocol of single words (word_probe.h): a setting for each size. */
extern const struct protocol word_protocol;

struct probe_setting {
    int hidden; /* 0: a linear classifier */
    double dropout, l2;
};
/* Writes the settings in their order and returns their number. `linear` overrides the protocol: no
 * hidden layer and no dropout, as in SentEval for WordContent, so that only L2 is chosen. */
int protocol_settings(const struct protocol *protocol, bool linear,
                      struct probe_setting setting[PROTOCOL_SETTINGS]);

/* Returns the number of epochs between two evaluations, if an epoch has this number of updates. */
int protocol_epochs(const struct protocol *protocol, int updates);

/* Returns the estimated cost of one item in one epoch, in operations. The cost has two parts: the
 * products, and the overhead of the update, which is the larger part for a linear classifier.
 * `units` is the number of hidden units or, without a hidden layer, of classes. */
double probe_item_work(double width, double units);

/* Evaluations of a training so far. Must be zero-initialized. */
struct probe_watch {
    int evaluations;
    int best, best_right; /* number (from 1) of the best evaluation; right items in it */
    int failures;
    bool ended;
};
/* Adds an evaluation with `right` right items. Returns true if it is the best one so far. */
bool probe_watch_add(struct probe_watch *watch, const struct protocol *protocol, int right);

/* Returns the accuracy in per cent, rounded to two decimals like Python's round. Settings are
 * compared by this value. */
double probe_percent(int right, int items);
/* Returns the first setting with the highest accuracy. `right` [settings] has the number of right
 * items of each setting, out of `items`. */
int probe_choose(const int *right, int settings, int items);
