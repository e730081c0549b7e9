/* Beam search on a step list (Wu et al. 2016, eq. 14, as THUMT and T2T do it, but every sentence
 * stops by itself).
 *
 * Per sentence: at most `beam` alive hypotheses (log-probability) and `beam` finished ones (score =
 * log-probability / ((5 + n) / 6)^alpha, n tokens with <eos>). A step takes the best 2*beam
 * extensions of the alive ones (ties: the better parent, then the lower id); the best `beam` that
 * do not end stay alive, those that end compete with the finished ones. A sentence stops after
 * source tokens + extra steps, or when as many hypotheses as are wanted are finished and no alive
 * one could become better than the last of them: log-probability / ((5 + limit) / 6)^alpha. An
 * alive one that could not leaves the batch even before. Finished sentences leave it. Keys and
 * values are never copied: rows find them by index. */
#pragma once

#include "core/config/option.h"
#include "core/model/model.h"

struct beam_options {
    int beam;              /* 1: greedy, the best word at every step until it is <eos> */
    double length_penalty; /* alpha */
    int extra;
};
/* Its rows, for a struct that holds one at an offset. */
#define BEAM_OPTIONS(at)                                                                           \
    ROW_INT("beam", (at) + offsetof(struct beam_options, beam), "4", 1, 64, OPTION_ID,             \
            "hypotheses that are kept alive"),                                                     \
        ROW_REAL("length_penalty", (at) + offsetof(struct beam_options, length_penalty), "0.6", 0, \
                 5, OPTION_ID, "alpha: scores are divided by ((5 + n) / 6)^alpha"),                \
        ROW_INT("extra", (at) + offsetof(struct beam_options, extra), "50", 0, 1000, OPTION_ID,    \
                "at most source tokens + this many steps")
extern const struct section beam_section; /* "beam" */

struct hypothesis {
    double score;
    int count;            /* tokens, with <eos> when finished */
    const int32_t *token; /* in the arena given */
};

struct translation {
    int count; /* finished hypotheses, as many as are wanted, best first; or one unfinished when
                * there is none */
    struct hypothesis *hypothesis;
};

/* What text is cut into for a search, where the longest sentence has `longest` source tokens: at
 * most 64 sentences a batch, of at most 2048 tokens or one sentence that is longer. */
struct capacity searcher_capacity(int longest);

struct searcher;

/* Plans and places what a search takes for batches of at most so many source tokens and sentences,
 * the longest of so many tokens. The model's parameters must be placed. */
struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, struct capacity capacity);
void searcher_close(struct searcher *s);
/* How many of the best hypotheses of a sentence are looked at, `beam` unless told. Fewer are the
 * same ones, found sooner: what cannot become one of them is not extended. */
void searcher_want(struct searcher *s, int hypotheses);
/* What one takes, without taking it. `slots`: the most rows times steps that a batch may have. */
size_t searcher_bytes(struct model *model, const struct beam_options *options,
                      struct capacity capacity, int64_t slots);

/* One translation per sentence of the batch's source field, step by step, so that a device has work
 * of other searches while the host looks at the words of this one. begin issues the first step.
 * next waits for the step that was issued, and issues the following step. It returns false when the
 * translations that begin returned are complete. The batch must live until then. */
struct translation *searcher_begin(struct searcher *s, const struct batch *batch,
                                   struct arena *arena);
bool searcher_next(struct searcher *s);

/* What all its searches have taken. */
struct search_work {
    int64_t steps, rows; /* rows of all steps: hypotheses that were extended */
    double flops;        /* of products, and of attention among sources */
};
struct search_work searcher_work(const struct searcher *s);
