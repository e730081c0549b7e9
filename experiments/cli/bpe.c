/* sanlab bpe learn|apply: learns and applies merges of BPE. The output has the same bytes as the
 * output of subword-nmt. */
#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/text/bpe.h"
#include "experiments/cli/verbs.h"

static int learn(struct verb_call *call)
{
    const char **vocabulary, *codes = verb_need(call, "--codes");
    int vocabularies = verb_values(call, "--vocabulary", &vocabulary), inputs = call->words - 1;
    if (!inputs) die("bpe learn: the text is missing; expected at least one file");
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
    const char *codes = verb_need(call, "--codes"), *vocabulary = verb_value(call, "--vocabulary");
    int merges = verb_number(call, "--merges");
    bool all = !verb_switch(call, "--merges");
    struct bpe *bpe = bpe_read(file_named(&call->arena, codes), all ? BPE_ALL_MERGES : merges);
    if (vocabulary)
        bpe_read_vocabulary(bpe, file_named(&call->arena, vocabulary),
                            verb_number(call, "--threshold"));
    for (int i = 1; i < call->words || i == 1; i++) {
        const char *name;
        FILE *file = file_stream_given(i < call->words ? call->word[i] : "-", &name);
        bpe_apply_stream(bpe, file, name, stdout);
        if (file != stdin) fclose(file);
    }
    bpe_free(bpe);
    return 0;
}

const struct verb verb_bpe = {
    .name = "bpe",
    .data = true,
    .action = {{"learn", learn}, {"apply", apply}},
};
