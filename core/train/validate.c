/* Validates a translation model: computes losses in a pass over dev, and BLEU by greedy search. */
#include "core/train/validate.h"

#include "core/decode/bleu.h"
#include "core/decode/crew.h"
#include "core/decode/translate_text.h"

static const struct pass_form form = {PASS_IN_ORDER, .tokens = 1024, .sentences = 256};

struct validator {
    struct model *model;
    const struct corpus *corpus;
    struct pass pass; /* pass over dev, for the losses */
    int sentences;    /* sentences translated for BLEU */
    bool by_bleu;     /* true: BLEU ranks checkpoints; false: the loss */
};

struct validator *validator_open(struct arena *arena, struct model *model,
                                 const struct corpus *corpus, const struct train_options *options)
{
    struct validator *validator = ARENA_NEW(arena, struct validator);
    const struct split *split = &corpus->split[SPLIT_DEV];
    validator->model = model;
    validator->corpus = corpus;
    validator->sentences = options->validate_sentences < split->sentences
                               ? options->validate_sentences
                               : split->sentences;
    validator->by_bleu = options->select == SELECT_BLEU;
    struct graph *graph = model_list(model, model->arena, GRAPH_INFER);
    graph_keep_losses(graph);
    validator->pass = pass_open(NULL, graph, split, form);
    return validator;
}

static const struct beam_options greedy = {.beam = 1, .length_penalty = 0, .extra = 50};

size_t validator_bytes(const struct validator *validator)
{
    const struct graph *graph = validator->pass.graph;
    size_t bytes = graph->memory_bytes + graph->fixed_bytes;
    if (validator->sentences)
        bytes += crew_bytes(validator->model, &greedy, &validator->corpus->split[SPLIT_DEV],
                            CREW_FRUGAL);
    return bytes;
}

void validator_close(struct validator *validator)
{
    pass_close(&validator->pass);
}

/* Translates the first sentences of dev greedily and returns their BLEU. */
static double greedy_bleu(const struct validator *validator)
{
    const struct corpus *corpus = validator->corpus;
    SCOPED(arena_free) struct arena arena = {0};
    struct split split = corpus->split[SPLIT_DEV];
    split.sentences = validator->sentences;
    const char **text = ARENA_ARRAY(&arena, const char *, split.sentences + 1);
    translate_with(validator->model, corpus, &split, &greedy, text, &arena, NULL);
    int lines;
    const char *const *reference = corpus_reference(&arena, corpus, SPLIT_DEV, 0, &lines);
    const struct bleu_options options = bleu_options_named(corpus_bleu_tokenizer(corpus));
    const double score = bleu_corpus(&options, text, &reference, 1, split.sentences, NULL).score;
    return score;
}

struct validation validator_run(struct validator *validator)
{
    double loss = 0, smoothed = 0;
    int64_t tokens = 0;
    for (const struct batch *batch; (batch = pass_next(&validator->pass));) {
        const struct outcome sum = graph_losses(validator->pass.graph);
        loss += sum.likelihood;
        smoothed += sum.loss;
        tokens += batch->field[FIELD_TARGET].T;
    }
    loss /= (double)tokens;
    smoothed /= (double)tokens;
    struct validation found = {
        .values = 2, .value = {{"dev_loss", loss}, {"dev_smoothed", smoothed}}, .rank = loss};
    if (!validator->sentences) return found;
    const double bleu = greedy_bleu(validator);
    found.value[found.values].name = "dev_bleu";
    found.value[found.values++].value = bleu;
    if (validator->by_bleu) found.rank = -bleu;
    return found;
}
