/* chrF (Popovic 2015) and chrF++ (Popovic 2017) with the numbers of sacreBLEU 2.6: how many
 * n-grams of characters, and of words, a hypothesis and its reference have in common.
 *
 *   chrF = 100 (1 + b^2) P R / (b^2 P + R)
 *   P, R: means over the orders of matched n-grams over those of the hypotheses, of the references;
 *         an order that either side has none of is left out
 *
 * Characters are those between white space, which is no character; words have the sign before or
 * behind them cut off. A hypothesis is compared with the reference that gives it the best chrF by
 * itself. What a corpus needs is a sum of `struct chrf_item` over its sentences. Text is valid
 * UTF-8. */
#pragma once

#include "core/config/option.h"
#include "core/decode/statistic.h"

enum { CHRF_CHARACTERS = 10, CHRF_WORDS = 4, CHRF_ORDERS = CHRF_CHARACTERS + CHRF_WORDS };

struct chrf_options {
    int characters; /* the longest n-grams of characters: 1 to CHRF_CHARACTERS */
    int words;      /* of words: 0 (none) to CHRF_WORDS */
    int beta;       /* recall weighs so many times as much as precision: 1 or more */
};
extern const struct chrf_options chrf_default; /* 6, 0, 2 */
/* Its rows, for a struct that holds one at an offset; their help begins with `of`. */
#define CHRF_ROWS(at, of)                                                                          \
    ROW_INT("char_order", (at) + offsetof(struct chrf_options, characters), "6", 1,                \
            CHRF_CHARACTERS, OPTION_ID, of "longest n-grams of characters"),                       \
        ROW_INT("word_order", (at) + offsetof(struct chrf_options, words), "0", 0, CHRF_WORDS,     \
                OPTION_ID, of "longest n-grams of words; 2 is chrF++"),                            \
        ROW_INT("beta", (at) + offsetof(struct chrf_options, beta), "2", 1, 100, OPTION_ID,        \
                of "how many times the weight of precision recall has")

/* N-grams of each order, characters first: in the hypothesis, in the reference, in both. An order
 * that the reference has none of counts none of the hypothesis. */
struct chrf_item {
    int32_t hypothesis[CHRF_ORDERS], reference[CHRF_ORDERS], both[CHRF_ORDERS];
};

/* hypothesis [count], reference [references][count], item [count]; one reference at least */
void chrf_count(const struct chrf_options *options, const char *const *hypothesis,
                const char *const *const *reference, int references, int count,
                struct chrf_item *item);
/* Corpus chrF of sentences, 0 to 100: of a sample it is computed in single precision, as
 * sacreBLEU's bootstrap is. The options outlive it. */
struct statistic statistic_chrf(const struct chrf_options *options);

enum { CHRF_TEXT = 160 };
/* "chrF2", "chrF2++" */
void chrf_name(const struct chrf_options *options, char name[CHRF_TEXT]);
/* nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|impl:sanlab-1|compat:sacrebleu-2.6.0; `resampled`
 * as of bleu_signature. */
void chrf_signature(const struct chrf_options *options, int references, const char *resampled,
                    char text[CHRF_TEXT]);
