/* Writes and parses signatures of BLEU, and prints its scores. The names in each list are in the
 * order of the values of the option. */
#include <string.h>

#include "core/decode/bleu.h"

static const char *const tokenizers[] = {"13a", "none", "intl", "zh", "char", NULL};
static const char *const smoothings[] = {"exp", "none", NULL};
static const char *const compatible[] = {"sacrebleu-2.6.0", "multi-bleu.perl", NULL};
static const char *const cases[] = {"mixed", "lc", NULL};
static const char compounds_split[] = "|compounds:split";

struct bleu_options bleu_options_named(const char *tokenizer)
{
    struct bleu_options options = {.metric = BLEU_SACREBLEU, .smoothing = BLEU_EXP};
    while (tokenizers[options.tokenizer] && strcmp(tokenizers[options.tokenizer], tokenizer) != 0)
        options.tokenizer++;
    CHECK(tokenizers[options.tokenizer], "tokenizer %s", tokenizer);
    return options;
}

void bleu_signature(const struct bleu_options *options, int references, const char *resampled,
                    char text[BLEU_SIGNATURE_TEXT])
{
    const bool multi = options->metric == BLEU_MULTI_BLEU;
    snprintf(text, BLEU_SIGNATURE_TEXT,
             "nrefs:%d|%scase:%s|eff:%s|tok:%s%s|smooth:%s|impl:sanlab-1|compat:%s", references,
             resampled, cases[options->lowercase], options->effective ? "yes" : "no",
             tokenizers[multi ? BLEU_NONE : options->tokenizer],
             multi && options->compounds ? compounds_split : "",
             smoothings[multi ? BLEU_NO_SMOOTHING : options->smoothing],
             compatible[options->metric]);
}

/* Returns the index in `words` of the value that follows `key` in the signature; -1 if there is
 * none. */
static int signature_word(const char *signature, const char *key, const char *const *words)
{
    const char *at = strstr(signature, key);
    if (!at) return -1;
    at += strlen(key);
    const size_t length = strcspn(at, "|");
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && !strncmp(words[i], at, length)) return i;
    return -1;
}

bool bleu_signature_read(const char *signature, struct bleu_options *options)
{
    const int letters = signature_word(signature, "|case:", cases);
    *options = (struct bleu_options){.metric = signature_word(signature, "|compat:", compatible),
                                     .tokenizer = signature_word(signature, "|tok:", tokenizers),
                                     .smoothing = signature_word(signature, "|smooth:", smoothings),
                                     .lowercase = letters > 0,
                                     .compounds = strstr(signature, compounds_split) != NULL};
    return letters >= 0 && options->metric >= 0 && options->tokenizer >= 0 &&
           options->smoothing >= 0;
}

void bleu_print(const struct bleu *bleu, const struct bleu_options *options, const char *signature,
                int digits, const char *range, FILE *out)
{
    const bool multi = options->metric == BLEU_MULTI_BLEU;
    const double *p = bleu->precision;
    if (multi && !bleu->ref_len) {
        fputs("BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)\n", out);
        return;
    }
    fprintf(out,
            multi ? "BLEU%s%s = %.*f,%s %.1f/%.1f/%.1f/%.1f (BP=%.3f, ratio=%.3f, hyp_len=%lld, "
                    "ref_len=%lld)\n"
                  : "BLEU%s%s = %.*f%s %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %lld "
                    "ref_len = %lld)\n",
            multi ? "" : "|", multi ? "" : signature, digits, bleu->score, range, p[0], p[1], p[2],
            p[3], bleu->bp, bleu->ratio, (long long)bleu->hyp_len, (long long)bleu->ref_len);
}
