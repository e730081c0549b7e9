/* BLEU (Papineni et al. 2002) with the numbers of sacreBLEU 2.6 and of Moses' multi-bleu.perl.
 *
 *   BLEU = BP * exp(1/4 * sum_n log p_n),  p_n = matched / total n-grams of the whole corpus
 *   BP   = 1 if c >= r, else exp(1 - r/c)  (c: words of the hypotheses, r: of the references)
 *
 * A hypothesis's n-gram counts as often as in the reference that has it most (clipping); r takes
 * the reference nearest in length to each hypothesis, of two equally near ones the shorter. What a
 * corpus needs is a sum of `struct bleu_stats` over its sentences: keep them per sentence and any
 * resampling is a sum again.
 *
 * A sentence is one line of valid UTF-8 without a line feed; it may be empty. */
#pragma once

#include "core/base/base.h"
#include "core/config/option.h"

enum { BLEU_ORDER = 4 };

enum bleu_metric {
    BLEU_SACREBLEU,
    BLEU_MULTI_BLEU /* words as they are between ASCII blanks, no smoothing, its own output line */
};
enum bleu_tokenizer {
    BLEU_13A,  /* mteval-v13a's rules, for detokenized text */
    BLEU_NONE, /* the text is tokenized: split at (Unicode) white space */
    BLEU_INTL, /* mteval-v14's rules: punctuation and symbols of all of Unicode */
    BLEU_ZH    /* every Chinese character is a word, the rest as 13a */
};
enum bleu_smoothing {
    BLEU_EXP,         /* the k-th order without a match counts 1/2^k matches */
    BLEU_NO_SMOOTHING /* an order without a match makes the score 0 */
};

struct bleu_options {
    int metric, tokenizer, smoothing; /* multi-bleu looks at neither of the last two */
    bool lowercase;                   /* multi-bleu's -lc: ASCII letters; else refused */
};
/* sacreBLEU's numbers for text of which a corpus says how to cut it (corpus_bleu_tokenizer): "13a",
 * "zh", "none". */
struct bleu_options bleu_options_named(const char *tokenizer);

/* Sufficient statistics of a sentence, or the sum of many. */
struct bleu_stats {
    int64_t hyp_len, ref_len; /* words; ref_len of the nearest reference */
    int64_t match[BLEU_ORDER], total[BLEU_ORDER];
};

struct bleu {
    double score; /* 0 to 100 */
    double precision[BLEU_ORDER];
    double bp, ratio; /* ratio: hyp_len / ref_len, 0 without reference words */
    int64_t hyp_len, ref_len;
};

/* Counts sentences; owns the memory that it reuses from one to the next. */
struct bleu_counter;
struct bleu_counter *bleu_counter_open(const struct bleu_options *options);
void bleu_counter_close(struct bleu_counter *counter);
/* reference: [references], one at least */
struct bleu_stats bleu_count(struct bleu_counter *counter, const char *hypothesis,
                             const char *const *reference, int references);

/* The same of longer n-grams (ngrams.h). */
enum { NGRAM_ORDER = 8 };
struct ngram_stats {
    int64_t hyp_len, ref_len, match[NGRAM_ORDER], total[NGRAM_ORDER];
};
struct bleu_counter *ngram_counter_open(const struct bleu_options *options);
struct ngram_stats ngram_count(struct bleu_counter *counter, const char *hypothesis,
                               const char *const *reference, int references);

void bleu_stats_add(struct bleu_stats *sum, const struct bleu_stats *one);
struct bleu bleu_score(const struct bleu_stats *stats, const struct bleu_options *options);
bool bleu_matched(const struct bleu_stats *stats);     /* whether any n-gram; else the score is 0 */
double bleu_brevity(int64_t hyp_len, int64_t ref_len); /* BP */

/* Of one sentence, as sacreBLEU's sentence_bleu: exp smoothing, and only orders that the hypothesis
 * is long enough for. */
double bleu_sentence(const struct bleu_stats *stats);

/* The score of `count` sentences: hypothesis [count], reference [references][count]. The statistics
 * of each sentence go to stats [count] unless it is NULL. */
struct bleu bleu_corpus(const struct bleu_options *options, const char *const *hypothesis,
                        const char *const *const *reference, int references, int count,
                        struct bleu_stats *stats);

/* What was computed, e.g. nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:sanlab-1|
 * compat:sacrebleu-2.6.0 : names whose numbers these are, without taking its name. */
enum { BLEU_SIGNATURE_TEXT = 160 };
/* Behind nrefs stands what was resampled, as "bs:1000|seed:12345|" ("": nothing). */
void bleu_signature(const struct bleu_options *options, int references, const char *resampled,
                    char text[BLEU_SIGNATURE_TEXT]);
/* The way back; false when it is no signature of ours. What stands behind it is ignored. */
bool bleu_signature_read(const char *signature, struct bleu_options *options);
/* What a bootstrap says of a score: the mean of the samples, and half of their middle 95%. */
struct bleu_interval {
    int samples;
    uint32_t seed;
    double mean, half;
};
/* The line that sacreBLEU (with our signature) or multi-bleu.perl prints. interval: NULL, or what
 * sacreBLEU's --confidence adds. */
void bleu_print(const struct bleu *bleu, const struct bleu_options *options, int references,
                const struct bleu_interval *interval, FILE *out);

/* The words of a line, bleu_tokenize.c. Slices of `buffer`, good until the next call. Begins as {0}
 * and ends with bleu_words_free. */
struct bleu_word {
    const char *text;
    size_t bytes;
};
struct bleu_words {
    struct bleu_word *word; /* [count] */
    int count, capacity;
    char *buffer[2];
    size_t buffer_bytes;
};
void bleu_tokenize(const struct bleu_options *options, const char *line, struct bleu_words *words);
void bleu_words_free(struct bleu_words *words);
