/* chrF (Popovic 2015) and chrF++ (Popovic 2017), equal to sacreBLEU 2.6: F-score of the character
 * n-grams and word n-grams that hypothesis and reference share.
 *
 *   chrF = 100 (1 + b^2) P R / (b^2 P + R)
 *   P, R   precision and recall of n-grams, averaged over the orders. An order is excluded if
 *          the hypothesis or the reference has no n-gram of it
 *
 * Character n-grams skip white space. An ASCII punctuation character at the end of a word is a
 * separate word. Without one at the end, the same applies to the beginning. If there are several
 * references, a hypothesis is compared with the reference that gives its best sentence chrF. The
 * score of a corpus needs only the sum of `struct chrf_item` over its sentences. Text is valid
 * UTF-8. */
#pragma once

#include "core/config/option.h"
#include "core/decode/statistic.h"

enum { CHRF_CHARACTERS = 10, CHRF_WORDS = 4, CHRF_ORDERS = CHRF_CHARACTERS + CHRF_WORDS };

struct chrf_options {
    int characters; /* length of the longest character n-grams: 1 to CHRF_CHARACTERS */
    int words;      /* length of the longest word n-grams: 0 (none) to CHRF_WORDS */
    int beta;       /* weight of recall relative to precision: 1 or more */
};
extern const struct chrf_options chrf_default; /* 6 characters, 0 words, beta 2 */
/* Option rows of a struct chrf_options at offset `at` of another struct; their help begins with
 * `of`. */
#define CHRF_ROWS(at, of)                                                                          \
    OPTION_INT("char_order", (at) + offsetof(struct chrf_options, characters), "6", 1,             \
               CHRF_CHARACTERS, OPTION_ID, of "longest character n-grams"),                        \
        OPTION_INT("word_order", (at) + offsetof(struct chrf_options, words), "0", 0, CHRF_WORDS,  \
                   OPTION_ID, of "longest word n-grams; 0: none; 2: chrF++"),                      \
        OPTION_INT("beta", (at) + offsetof(struct chrf_options, beta), "2", 1, 100, OPTION_ID,     \
                   of "weight of recall relative to precision")

/* Number of n-grams of each order in the hypothesis, in the reference, and in both. The orders of
 * characters come first, then the orders of words. If the reference has no n-gram of an order,
 * `hypothesis` is 0 for this order. */
struct chrf_item {
    int32_t hypothesis[CHRF_ORDERS], reference[CHRF_ORDERS], both[CHRF_ORDERS];
};

/* Writes the counts of each sentence to item [count]. The texts are hypothesis [count] and
 * reference [references][count], with at least one reference. */
void chrf_count(const struct chrf_options *options, const char *const *hypothesis,
                const char *const *const *reference, int references, int count,
                struct chrf_item *item);
/* Returns corpus chrF, 0 to 100, as a statistic. Scores of samples are computed in single
 * precision, as in sacreBLEU's bootstrap. The options must outlive the statistic. */
struct statistic statistic_chrf(const struct chrf_options *options);

enum { CHRF_TEXT = 160 };
/* Writes the name: "chrF2", "chrF2++". */
void chrf_name(const struct chrf_options *options, char name[CHRF_TEXT]);
/* Writes nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|impl:sanlab-1|compat:sacrebleu-2.6.0;
 * `resampled` as in bleu_signature. */
void chrf_signature(const struct chrf_options *options, int references, const char *resampled,
                    char text[CHRF_TEXT]);
