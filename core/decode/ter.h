/* TER (Snover et al. 2006), translation edit rate: edits from the hypothesis to the reference, per
 * word of the reference. Lower is better. Equal to sacreBLEU 2.6, and so to tercom.
 *
 *   TER = 100 edits / words of the references
 *
 * An edit inserts, deletes or replaces a word, or shifts a sequence of words. Shifts are found
 * greedily: the best shift is applied as long as a shift reduces the distance. A shift moves at
 * most 10 words, by at most 50 positions. Both the sequence in the hypothesis and the equal
 * sequence in the reference must contain an error. The search for shifts ends after 1,000 trials.
 * Distances are computed within a beam of 25 words around the diagonal.
 *
 * With several references, TER uses the smallest number of edits and the mean number of reference
 * words. Words are separated by white space. Letters are lower-cased unless case_sensitive is set.
 * Text is valid UTF-8. */
#pragma once

#include "core/config/option.h"
#include "core/decode/statistic.h"

struct ter_options {
    bool case_sensitive;
};
/* Option row of a struct ter_options at offset `at` of another struct; its help begins with
 * `of`. */
#define TER_ROWS(at, of)                                                                           \
    OPTION_BOOL("case_sensitive", (at) + offsetof(struct ter_options, case_sensitive), "false",    \
                OPTION_ID, of "distinction of upper and lower case")

struct ter_item {
    /* words: number of words of the reference; with several references, their mean */
    double edits, words;
};

/* Writes edits and words of each sentence to item [count]. The texts are hypothesis [count] and
 * reference [references][count], with at least one reference. */
void ter_count(const struct ter_options *options, const char *const *hypothesis,
               const char *const *const *reference, int references, int count,
               struct ter_item *item);
/* Returns the edits from `hypothesis` [words] to `reference` [reference_words]; words are
 * integers. */
int ter_edits(const int32_t *hypothesis, int words, const int32_t *reference, int reference_words);
/* Corpus TER in percent. It is above 100 if hypotheses are far too long. If the references have no
 * words, it is 100 with edits, and 0 without. Scores of samples are computed in single precision,
 * as in sacreBLEU's bootstrap. */
extern const struct statistic statistic_ter;

enum { TER_TEXT = 160 };
/* Writes a signature such as
 * nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|impl:sanlab-1|compat:sacrebleu-2.6.0.
 * `resampled` as in bleu_signature. */
void ter_signature(const struct ter_options *options, int references, const char *resampled,
                   char text[TER_TEXT]);
