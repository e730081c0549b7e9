/* How a probing classifier is trained, by the name of who said so: one row each.
 *
 *   senteval      SentEval's comparable configuration (Conneau and Kiela 2018, its README)
 *   fixed         the same with 200 hidden units and dropout 0.1
 *   conneau2018   Conneau et al. 2018, section 3.2: hidden units and dropout chosen on dev
 *   xu2019        Xu et al. 2019, section 5.1: the same with batches of 1,000
 *   hao2019       Hao et al. 2019, appendix A.2: one classifier, no L2
 *
 * A setting is what is chosen among: hidden units, dropout, L2. All settings of a protocol are
 * trained, and the first one of those with the best accuracy on dev is taken. Their order is:
 * hidden units outside, then dropout, L2 inside, each ascending.
 *
 * Training stops as SentEval's does: dev is scored after every so many epochs; a score that is not
 * strictly better than the best one is a failure, and the failure number tenacity + 1 ends it.
 * Failures are counted over the whole training: a better score between two of them changes nothing.
 */
#pragma once

#include "core/base/base.h"

enum { PROTOCOL_GRID = 4, PROTOCOL_SETTINGS = 36 }; /* values of one axis, and settings, at most */

struct protocol {
    const char *name;
    int hiddens, dropouts, l2s; /* values of each; 0: one */
    int hidden[PROTOCOL_GRID];  /* units; 0: no hidden layer */
    double dropout[PROTOCOL_GRID], l2[PROTOCOL_GRID];
    double rate;      /* of Adam */
    int batch;        /* items of an update */
    int epochs;       /* of one evaluation */
    int most;         /* epochs of a training, a multiple of `epochs` */
    int tenacity;     /* -1: it never stops before `most` */
    const char *text; /* for captions: what is done, and what of it nobody has written down */
};
#define PROTOCOL_WORDS "senteval|fixed|conneau2018|xu2019|hao2019" /* in their order */
extern const struct protocol protocols[];
extern const int protocol_count;

struct probe_setting {
    int hidden; /* 0: a linear classifier */
    double dropout, l2;
};
/* The settings in their order; returns how many. `linear`: no hidden layer and no dropout whatever
 * the protocol says, as SentEval does it for WordContent; only L2 is left to choose. */
int protocol_settings(const struct protocol *protocol, bool linear,
                      struct probe_setting setting[PROTOCOL_SETTINGS]);

/* Operations that an item of an epoch takes the time of, for estimates: those of its products, and
 * beside these the update's, which are most of a linear classifier's. `units`: hidden ones or,
 * where there are none, classes. */
double probe_item_work(double width, double units);

/* A training's evaluations so far; all zero before the first one. */
struct probe_watch {
    int evaluations;
    int best, best_right; /* which evaluation (from 1) was the best one, and its right items */
    int failures;
    bool ended;
};
/* One more, of so many right items; returns whether it is the best one so far. */
bool probe_watch_add(struct probe_watch *watch, const struct protocol *protocol, int right);

/* Accuracy in per cent, rounded to two decimals as Python's round does it: what L2 is chosen by. */
double probe_percent(int right, int items);
/* The first setting with the highest one: right [settings], of so many items. */
int probe_choose(const int *right, int settings, int items);
