/* Beam search with the length penalty of Wu et al. 2016, eq. 14, as in THUMT and tensor2tensor.
 * Unlike theirs, the search for a sentence ends independently of the other sentences.
 *
 * A sentence has at most `beam` live hypotheses, ordered by log-probability. It has at most `beam`
 * finished hypotheses, ordered by score. The score of a hypothesis of n tokens, <eos> included, is
 * its log-probability / ((5 + n) / 6)^alpha.
 *
 * Each step takes the best 2*beam extensions of the live hypotheses, by log-probability. Ties are
 * broken in favor of the better parent, then of the lower token id. Extensions that end with <eos>
 * compete with the finished hypotheses. The best `beam` other extensions stay alive.
 *
 * The search for a sentence ends after at most (source tokens + `extra`) steps. It ends earlier if
 * the wanted number of hypotheses is finished and no live hypothesis can reach a higher score than
 * the worst of them. The score of a live hypothesis can become at most its log-probability / ((5 +
 * limit) / 6)^alpha, where limit is the maximum number of steps. A live hypothesis is dropped if
 * this upper bound does not exceed the score of the worst wanted hypothesis.
 *
 * A sentence whose search has ended leaves the batch. Keys and values of attention are never
 * copied, because rows refer to them by index.
 *
 * With `beam` 1, the search is greedy: each step takes only the best token, even if it is <eos>.
 * The rule of the best 2*beam extensions applies to larger beams. */
#pragma once

#include "core/config/option.h"
#include "core/model/model.h"

struct beam_options {
    int beam;              /* maximum number of live hypotheses; 1: greedy search */
    double length_penalty; /* exponent alpha */
    int extra;             /* maximum number of steps beyond the source tokens */
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
    const int32_t *token; /* [count] in the arena of the caller */
};

struct translation {
    /* Number of finished hypotheses, at most the number that the caller wants (searcher_want). If
     * no hypothesis is finished, 1 for the best unfinished hypothesis. */
    int count;
    struct hypothesis *hypothesis; /* [count] best first */
};

/* Returns the default batch size for text whose longest source has `longest` tokens: at most 64
 * sentences and 2048 tokens, or one longer sentence. */
struct capacity searcher_capacity(int longest);

struct searcher;

/* Opens a searcher for batches that do not exceed `capacity` (source tokens, sentences, longest
 * sentence), and allocates its memory. The parameters of the model must already have memory. */
struct searcher *searcher_open(struct arena *arena, struct model *model,
                               const struct beam_options *options, struct capacity capacity);
void searcher_close(struct searcher *s);
/* Sets the number of hypotheses that the caller wants per sentence; default: `beam`. A smaller
 * number gives the same best hypotheses sooner, because more rows are dropped early. */
void searcher_want(struct searcher *s, int hypotheses);
/* Returns the number of bytes that a searcher needs, without allocating them. `slots` is the
 * maximum of rows times steps over the batches. */
size_t searcher_bytes(struct model *model, const struct beam_options *options,
                      struct capacity capacity, int64_t slots);

/* searcher_begin and searcher_next translate the source field of a batch step by step. Between two
 * steps, a device can compute a step of another search, while the host evaluates the tokens of this
 * search. searcher_begin issues the first step and returns an array with one translation per
 * sentence. searcher_next waits for the issued step and issues the following step. It returns false
 * when the translations are complete. The batch must exist until then. */
struct translation *searcher_begin(struct searcher *s, const struct batch *batch,
                                   struct arena *arena);
bool searcher_next(struct searcher *s);

/* Total work of all searches of a searcher. */
struct search_work {
    int64_t steps, rows; /* rows: number of extended hypotheses, summed over the steps */
    double flops;        /* floating-point operations of all steps and of the encoder */
};
struct search_work searcher_work(const struct searcher *s);
