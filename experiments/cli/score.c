/* sanlab score: files of hypotheses against files of references. */
#include "core/decode/score.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    const char **reference;
    struct bleu_options options;
    int references = verb_values(call, "--ref", &reference);
    if (!references) die("score: no references (--ref FILE)");
    verb_section(call, &options);
    score_files(&options, reference, references, call->word, call->words, stdout);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--ref", .value = "FILE", .help = "a file of references; may be given several times"},
};

const struct verb verb_score = {
    .name = "score",
    .usage = "--ref REF [--ref REF2] HYP [HYP2 ...]",
    .help = "BLEU with its signature",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .section = &bleu_section,
    .words_least = 1,
    .words_most = VERB_WORDS,
};
