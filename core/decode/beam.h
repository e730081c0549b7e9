/* Beam search on a step list (Wu et al. 2016, eq. 14, as in THUMT and T2T; but each sentence stops
 * independently).
 *
 * A sentence has at most `beam` live hypotheses (log-probability) and `beam` finished hypotheses.
 * The score of a finished hypothesis is log-probability / ((5 + n) / 6)^alpha, for n tokens with
 * <eos>. A step takes the best 2*beam extensions of the live hypotheses (ties: the better parent,
 * then the lower id). The best `beam` extensions that do not end stay alive. Extensions that end
 * compete with the finished hypotheses. A sentence stops after source tokens + extra steps. It also
 * stops when enough hypotheses are finished and no live hypothesis can become better than the last
 * wanted one. The bound is log-probability / ((5 + limit) / 6)^alpha. A live hypothesis that cannot
 * become better is dropped earlier. Finished sentences leave the batch. Keys and values are never
 * copied, because rows address them by index.
 *
 * Beam 1 is greedy search: it takes the best token, even if it ends the sentence. The rule of the
 * best 2*beam extensions applies from beam 2 on. */
#pragma once

#include "core/config/option.h"
#include "core/model/model.h"

struct beam_options {
    int beam;              /* 1: greedy, the best token at every step until <eos> */
    double length_penalty; /* alpha */
    int extra;
};
/* Option rows of a struct beam_options at offset `at` of another struct. */
#define BEAM_OPTIONS(at)                                                                           \
    OPTION_INT("beam", (at) + offsetof(struct beam_options, beam), "4", 1, 64, OPTION_ID,          \
               "hypotheses kept per sentence; 1: greedy search"),                                  \
        OPTION_REAL("length_penalty", (at) + offsetof(struct beam_options, length_penalty), "0.6", \
                    0, 5, OPTION_ID, "exponent alpha: scores are divided by ((5 + n) / 6)^alpha"), \
        OPTION_INT("extra", (at) + offsetof(struct beam_options, extra), "50", 0, 1000, OPTION_ID, \
                   "most search steps beyond the number of source tokens")
extern const struct section beam_section; /* "beam" */

struct hypothesis {
    double score;
    int count;            /* number of tokens, <eos> included if finished */
    const int32_t *token; /* in the arena of the caller */
};

struct translation {
    /* Number of hypotheses, best first: the finished ones, at most as many as wanted. If no
     * hypothesis is finished, 1: the best unfinished one. */
    int count;
    struct hypothesis *hypothesis;
};

/* Returns the default batch size for text whose longest source has `longest` tokens: at most 64
 * sentences and 2048 tokens, or one longer sentence. */
struct capacity searcher_capacity(int longest);

struct searcher;

/* Plans and places a search for batches within `capacity` (source tokens, sentences, longest
 * sentence). The parameters of the model must be placed. */
struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, struct capacity capacity);
void searcher_close(struct searcher *s);
/* Sets the number of hypotheses that the caller wants per sentence; default: `beam`. A smaller
 * number gives the same best hypotheses sooner, because more rows are dropped early. */
void searcher_want(struct searcher *s, int hypotheses);
/* Returns the bytes of a searcher without allocating it. `slots`: upper bound of rows times steps
 * of a batch. */
size_t searcher_bytes(struct model *model, const struct beam_options *options,
                      struct capacity capacity, int64_t slots);

/* Translates the source field of a batch step by step. So a device can compute other searches while
 * the host evaluates the tokens of this search. begin issues the first step and returns an array
 * with one translation per sentence. next waits for the issued step and issues the following one.
 * It returns false when the translations are complete. The batch must live until this time. */
struct translation *searcher_begin(struct searcher *s, const struct batch *batch,
                                   struct arena *arena);
bool searcher_next(struct searcher *s);

/* Total work of all searches of a searcher. */
struct search_work {
    int64_t steps, rows; /* rows: sum over the steps, i.e. extended hypotheses */
    double flops;        /* operations of products and of attention to the source */
};
struct search_work searcher_work(const struct searcher *s);
