/* TER (Snover et al. 2006), the translation edit rate, with the numbers of sacreBLEU 2.6, which are
 * tercom's: how many edits make a hypothesis its reference, per word of the reference. Less is
 * better.
 *
 *   TER = 100 edits / words of the references
 *
 * An edit inserts, deletes or replaces a word, or shifts a sequence of words elsewhere. Shifts are
 * found greedily: as long as one lessens the distance, the best one is done. One moves at most 10
 * words, from at most 50 places away, where hypothesis and reference are both wrong; of more than
 * 1,000 that were tried no further ones are. Distances stay within a beam of 25 words beside the
 * diagonal.
 *
 * Of several references the fewest edits count, and the mean of the references' words. Words stand
 * between white space; capital letters are small ones unless case counts. Text is valid UTF-8. */
#pragma once

#include "core/config/option.h"
#include "core/decode/statistic.h"

struct ter_options {
    bool case_sensitive;
};
/* Its row, for a struct that holds one at an offset; its help begins with `of`. */
#define TER_ROWS(at, of)                                                                           \
    ROW_BOOL("case_sensitive", (at) + offsetof(struct ter_options, case_sensitive), "false",       \
             OPTION_ID, of "capital letters are other letters")

struct ter_item {
    double edits, words; /* words: of the reference, the mean of several */
};

/* hypothesis [count], reference [references][count], item [count]; one reference at least */
void ter_count(const struct ter_options *options, const char *const *hypothesis,
               const char *const *const *reference, int references, int count,
               struct ter_item *item);
/* The edits that make `hypothesis` [words] `reference` [reference_words], words being numbers. */
int ter_edits(const int32_t *hypothesis, int words, const int32_t *reference, int reference_words);
/* Corpus TER of sentences in percent: 0 or more, above 100 where a hypothesis is far too long. With
 * references of no words 0 or 100. Of a sample in single precision, as sacreBLEU's bootstrap is. */
extern const struct statistic statistic_ter;

enum { TER_TEXT = 160 };
/* nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|impl:sanlab-1|compat:sacrebleu-2.6.0;
 * `resampled` as of bleu_signature. */
void ter_signature(const struct ter_options *options, int references, const char *resampled,
                   char text[TER_TEXT]);
