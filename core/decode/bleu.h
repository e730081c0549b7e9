/* BLEU (Papineni et al. 2002), equal to sacreBLEU 2.6 and to Moses' multi-bleu.perl.
 *
 *   BLEU = BP * exp(1/4 * sum_n log p_n),  p_n = matched / total n-grams of the whole corpus
 *   BP   = 1 if c >= r, else exp(1 - r/c)  (c: words of the hypotheses, r: of the references)
 *
 * The matches of an n-gram are clipped to its largest count in a reference. r is a sum over the
 * hypotheses. Each hypothesis adds the length of the reference with the nearest length (ties: the
 * shorter reference). The score of a corpus needs only the sum of `struct bleu_stats` over its
 * sentences. The score of a resample needs only the sum over the drawn sentences.
 *
 * A sentence is one line of valid UTF-8 without a line feed; it may be empty. */
#pragma once

#include "core/base/base.h"
#include "core/config/option.h"

enum { BLEU_ORDER = 4, NGRAM_ORDER = 8 }; /* NGRAM_ORDER: longest n-grams of ngram_scores.h */

enum bleu_metric {
    BLEU_SACREBLEU,
    /* Moses' multi-bleu.perl: no smoothing, words between ASCII white space */
    BLEU_MULTI_BLEU
};
enum bleu_tokenizer {
    BLEU_13A,  /* rules of mteval-v13a, for detokenized text */
    BLEU_NONE, /* no rules, for tokenized text: words are separated by Unicode white space */
    BLEU_INTL, /* rules of mteval-v14, which separate punctuation and symbols of all of Unicode */
    BLEU_ZH,   /* every Chinese character is a word; similar to 13a for other text */
    BLEU_CHAR  /* every character is a word */
};
#define BLEU_TOKENIZERS "13a|none|intl|zh|char"
enum bleu_smoothing {
    BLEU_EXP,         /* the k-th order without a match has 1/2^k matches */
    BLEU_NO_SMOOTHING /* an order without a match makes the score 0 */
};
enum bleu_compounds {
    BLEU_KEEP_COMPOUNDS,
    BLEU_SPLIT_COMPOUNDS /* a hyphen within a word is a separate word, as in tensor2tensor */
};
#define BLEU_COMPOUNDS "keep|split"

struct bleu_options {
    int metric, tokenizer, smoothing; /* multi-bleu ignores tokenizer and smoothing */
    /* lower-cases ASCII letters, as -lc of multi-bleu; refused for other metrics */
    bool lowercase;
    int compounds;  /* enum bleu_compounds, for multi-bleu */
    bool effective; /* ignores the orders for which the hypothesis is too short */
};
/* Returns sacreBLEU's options for the tokenizer of a corpus (corpus_bleu_tokenizer): "13a", "zh",
 * "none". */
struct bleu_options bleu_options_named(const char *tokenizer);

/* Sufficient statistics of a sentence, or their sum over sentences. The counts of an order that
 * bleu_counter_open excludes are 0. */
struct bleu_stats {
    /* numbers of words; ref_len: of the reference with the nearest length */
    int64_t hyp_len, ref_len;
    int64_t match[NGRAM_ORDER], total[NGRAM_ORDER];
};

struct bleu {
    double score; /* 0 to 100 */
    double precision[BLEU_ORDER];
    double bp, ratio; /* ratio: hyp_len / ref_len; 0 if ref_len is 0 */
    int64_t hyp_len, ref_len;
};

/* Counts the n-grams of one sentence per call, for n up to `order` (BLEU_ORDER or NGRAM_ORDER). The
 * counter owns memory that it reuses for each sentence. */
struct bleu_counter;
struct bleu_counter *bleu_counter_open(const struct bleu_options *options, int order);
void bleu_counter_close(struct bleu_counter *counter);
/* reference: [references], at least one */
struct bleu_stats bleu_count(struct bleu_counter *counter, const char *hypothesis,
                             const char *const *reference, int references);

void bleu_stats_add(struct bleu_stats *sum, const struct bleu_stats *one);
struct bleu bleu_score(const struct bleu_stats *stats, const struct bleu_options *options);
/* Like bleu_score. If `single` is true and the metric is sacreBLEU's, computes the precisions in
 * single precision, as sacreBLEU does for resamples. */
struct bleu bleu_resampled(const struct bleu_stats *stats, const struct bleu_options *options,
                           bool single);
/* Rounds to single precision if `single` is true. If +, -, * or / of two floats is computed in
 * double and then rounded, the result has the same bits as in single precision. */
static inline double rounded(bool single, double value)
{
    return single ? (double)(float)value : value;
}
double bleu_brevity(int64_t hyp_len, int64_t ref_len); /* BP */

/* Returns BLEU of one sentence, as sacreBLEU's sentence_bleu: with exp smoothing, and without the
 * orders for which the hypothesis is too short. */
double bleu_sentence(const struct bleu_stats *stats);

/* Returns BLEU of `count` sentences: hypothesis [count], reference [references][count]. Writes the
 * statistics of each sentence to stats [count], unless stats is NULL. */
struct bleu bleu_corpus(const struct bleu_options *options, const char *const *hypothesis,
                        const char *const *const *reference, int references, int count,
                        struct bleu_stats *stats);

/* Signature of a score, e.g.
 * nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:sanlab-1|compat:sacrebleu-2.6.0. compat is the
 * program that computes equal scores. */
enum { BLEU_SIGNATURE_TEXT = 160 };
/* Writes the signature. `resampled` describes the resampling and is inserted after nrefs, e.g.
 * "bs:1000|seed:12345|". It is "" if there is none. */
void bleu_signature(const struct bleu_options *options, int references, const char *resampled,
                    char text[BLEU_SIGNATURE_TEXT]);
/* Parses a signature. Returns false if sanlab does not write such a signature. Ignores trailing
 * text. */
bool bleu_signature_read(const char *signature, struct bleu_options *options);
/* Prints the line of sacreBLEU (with sanlab's signature) or of multi-bleu.perl. `digits` is the
 * number of digits of the score after the decimal point. `range` is "" or a text that follows the
 * score, e.g. " (μ = 47.78 ± 1.20)". */
void bleu_print(const struct bleu *bleu, const struct bleu_options *options, const char *signature,
                int digits, const char *range, FILE *out);

/* The words of a line (bleu_tokenize.c). They point into `buffer` and are valid until the next
 * call. Initialize with {.arena = arena}. */
struct bleu_word {
    const char *text;
    size_t bytes;
};
struct bleu_words {
    struct arena *arena;
    struct bleu_word *word; /* [count] */
    int count;
    char *buffer[2]; /* buffer[now] has the line; the next pass writes the other buffer */
    size_t buffer_bytes, bytes;
    int now;
};
void bleu_tokenize(const struct bleu_options *options, const char *line, struct bleu_words *words);
