/* Beam search on a step list (Wu et al. 2016, eq. 14, as in THUMT and T2T; but each sentence stops
 * independently).
 *
 * Per sentence: at most `beam` live hypotheses (log-probability) and `beam` finished ones (score =
 * log-probability / ((5 + n) / 6)^alpha, n tokens with <eos>). A step takes the best 2*beam
 * extensions of the live hypotheses (ties: the better parent, then the lower id). The best `beam`
 * that do not end stay alive; those that end compete with the finished ones. A sentence stops after
 * source tokens + extra steps, or when enough hypotheses are finished and no live one can become
 * better than the last wanted one: log-probability / ((5 + limit) / 6)^alpha. A live hypothesis
 * that cannot become better is dropped even earlier. Finished sentences leave the batch. Keys and
 * values are never copied: rows address them by index.
 *
 * Beam 1 is greedy search: the best word is taken, even if it ends the sentence. The rule of the
 * best 2*beam extensions begins with beam 2. */
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
    ROW_INT("beam", (at) + offsetof(struct beam_options, beam), "4", 1, 64, OPTION_ID,             \
            "hypotheses kept per sentence; 1: greedy search"),                                     \
        ROW_REAL("length_penalty", (at) + offsetof(struct beam_options, length_penalty), "0.6", 0, \
                 5, OPTION_ID, "exponent alpha: scores are divided by ((5 + n) / 6)^alpha"),       \
        ROW_INT("extra", (at) + offsetof(struct beam_options, extra), "50", 0, 1000, OPTION_ID,    \
                "most search steps beyond the number of source tokens")
extern const struct section beam_section; /* "beam" */

struct hypothesis {
    double score;
    int count;            /* tokens, with <eos> when finished */
    const int32_t *token; /* in the arena of the caller */
};

struct translation {
    /* Number of finished hypotheses, at most as many as wanted, best first; 1 if none finished:
     * then the best unfinished one. */
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
 * number gives the same best hypotheses sooner, because rows that cannot become one of them are
 * dropped. */
void searcher_want(struct searcher *s, int hypotheses);
/* Returns the bytes of a searcher without allocating it. `slots`: upper bound of rows times steps
 * of a batch. */
size_t searcher_bytes(struct model *model, const struct beam_options *options,
                      struct capacity capacity, int64_t slots);

/* Translates the source field of a batch step by step, so that a device can compute other searches
 * while the host evaluates the tokens of this one. begin issues the first step and returns an array
 * with one translation per sentence. next waits for the issued step and issues the following one.
 * It returns false when the translations are complete. The batch must live until then. */
struct translation *searcher_begin(struct searcher *s, const struct batch *batch,
                                   struct arena *arena);
bool searcher_next(struct searcher *s);

/* Work of all searches of a searcher. */
struct search_work {
    int64_t steps, rows; /* rows: sum over the steps, i.e. extended hypotheses */
    double flops;        /* operations of products and of attention to the source */
};
struct search_work searcher_work(const struct searcher *s);
