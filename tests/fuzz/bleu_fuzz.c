/* BLEU of a hypothesis with one or two references, with every metric and tokenizer. */
#include <math.h>

#include "core/decode/bleu.h"
#include "core/text/utf8.h"
#include "tests/fuzz/support/fuzz.h"

#include <string.h>

static void run(void *context)
{
    char *text = context;
    const unsigned choice = *text ? (unsigned char)*text++ : 0;
    if (utf8_check(text, strlen(text)) >= 0) return;
    const char *line[3];
    for (int i = 0; i < 3; i++) line[i] = fuzz_part(&text, '\n');
    /* Bit 7 replaces the four tokenizers by the last four. */
    const struct bleu_options options = {.metric = choice & 1 ? BLEU_MULTI_BLEU : BLEU_SACREBLEU,
                                         .tokenizer = (int)(choice >> 1 & 3) +
                                                      (choice & 128 ? BLEU_CHAR - BLEU_ZH : 0),
                                         .smoothing = (int)(choice >> 3 & 1),
                                         .lowercase = choice & 1 && choice & 16,
                                         .compounds = (int)(choice >> 6 & 1)};
    struct bleu_counter *counter = bleu_counter_open(&options, BLEU_ORDER);
    const struct bleu_stats stats = bleu_count(counter, line[0], line + 1, 1 + (choice >> 5 & 1));
    const struct bleu bleu = bleu_score(&stats, &options);
    CHECK(bleu.score >= 0 && bleu.score <= 100 + 1e-9, "BLEU %g", bleu.score);
    for (int n = 0; n < BLEU_ORDER; n++) CHECK(stats.match[n] <= stats.total[n], "%d-grams", n + 1);
    bleu_counter_close(counter);
}

FUZZ_TEXT(run);
