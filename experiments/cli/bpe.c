/* sanlab bpe learn|apply: subwords, byte for byte as subword-nmt makes them. */
#include <errno.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/config/word.h"
#include "core/text/bpe.h"
#include "experiments/cli/verbs.h"

static int learn(struct verb_call *call)
{
    const char **vocabulary, *codes = verb_value(call, "--codes");
    int vocabularies = verb_values(call, "--vocabulary", &vocabulary), inputs = call->words - 1;
    if (!codes) die("bpe learn: where do the merges go? (--codes FILE)");
    if (!inputs) die("bpe learn: no text to learn from");
    if (vocabularies && vocabularies != inputs)
        die("bpe learn: %d --vocabulary for %d inputs: expected one for each", vocabularies,
            inputs);
    const struct bpe_learning options = {.merges = verb_number(call, "--merges"),
                                         .min_frequency = verb_number(call, "--min-frequency"),
                                         .total_symbols = verb_switch(call, "--total-symbols")};
    int merges =
        bpe_learn_files(call->word + 1, inputs, &options, codes, vocabularies ? vocabulary : NULL);
    if (!verb_switch(call, "--quiet")) mask_line(stderr, "sanlab: %d merges in %s", merges, codes);
    return 0;
}

static int apply(struct verb_call *call)
{
    const char *codes = verb_value(call, "--codes"), *vocabulary = verb_value(call, "--vocabulary");
    if (!codes) die("bpe apply: which merges? (--codes FILE)");
    int merges = verb_number(call, "--merges");
    bool all = !verb_switch(call, "--merges");
    struct bpe *bpe = bpe_read(file_named(&call->arena, codes), all ? BPE_ALL_MERGES : merges);
    if (vocabulary)
        bpe_read_vocabulary(bpe, file_named(&call->arena, vocabulary),
                            verb_number(call, "--threshold"));
    if (call->words == 1) bpe_apply_stream(bpe, stdin, "standard input", stdout);
    for (int i = 1; i < call->words; i++) {
        FILE *file = fopen(call->word[i], "r");
        if (!file) die("%s: cannot be read: %s", call->word[i], strerror(errno));
        bpe_apply_stream(bpe, file, call->word[i], stdout);
        fclose(file);
    }
    bpe_free(bpe);
    return 0;
}

static int run(struct verb_call *call)
{
    static const char *const actions[] = {"learn", "apply", NULL};
    if (!strcmp(call->word[0], "learn")) return learn(call);
    if (!strcmp(call->word[0], "apply")) return apply(call);
    word_refuse((struct place){"command line", 0, 0}, "bpe", "there is no action", call->word[0],
                actions);
}

static const struct verb_option options[] = {
    {.name = "--codes", .value = "FILE", .help = "the merges: written by learn, read by apply"},
    {.name = "--merges",
     .value = "NUMBER",
     .fallback = "8000",
     .low = 0,
     .high = 1e6,
     .help = "learn: how many; apply: only the first ones (all, when not given)"},
    {.name = "--min-frequency",
     .value = "NUMBER",
     .fallback = "2",
     .low = 1,
     .high = 1e9,
     .help = "learn: stop at rarer pairs"},
    {.name = "--total-symbols", .help = "learn: merges less the number of characters"},
    {.name = "--vocabulary",
     .value = "FILE",
     .help = "learn: written, one for each input; apply: undo merges whose pieces are not in it"},
    {.name = "--threshold",
     .value = "NUMBER",
     .fallback = "0",
     .low = 0,
     .high = 1e9,
     .help = "apply: pieces rarer than this are not in the vocabulary"},
};

const struct verb verb_bpe = {
    .name = "bpe",
    .usage = "learn INPUT ... --codes FILE | apply [INPUT ...] --codes FILE",
    .help = "learn or apply byte pair encoding, as subword-nmt does it",
    .run = run,
    .data = true,
    .option = options,
    .options = COUNT_OF(options),
    .words_least = 1,
    .words_most = VERB_WORDS,
};
