#include "core/train/validate.h"

#include "core/decode/bleu.h"
#include "core/decode/translate.h"

enum { TOKENS = 1024, SENTENCES = 256 };

struct validator {
    struct model *model;
    const struct corpus *corpus;
    struct graph *graph;
    struct arena arena; /* the epoch's plan */
    struct epoch epoch;
    int sentences; /* that are translated for BLEU */
    bool by_bleu;  /* what ranks */
};

struct validator *validator_open(struct arena *arena, struct model *model,
                                 const struct corpus *corpus, const struct train_options *options)
{
    struct validator *validator = ARENA_NEW(arena, struct validator);
    const struct split *split = &corpus->split[SPLIT_DEV];
    int longest = split->longest[SIDE_SOURCE];
    if (split->longest[SIDE_TARGET] > longest) longest = split->longest[SIDE_TARGET];
    const int tokens = longest > TOKENS ? longest : TOKENS;
    validator->model = model;
    validator->corpus = corpus;
    validator->sentences = options->validate_sentences < split->sentences
                               ? options->validate_sentences
                               : split->sentences;
    validator->by_bleu = options->select == SELECT_BLEU;
    validator->epoch = epoch_in_order(&validator->arena, split, tokens, SENTENCES);
    validator->graph = model_list(model, model->arena, GRAPH_INFER);
    graph_keep_losses(validator->graph);
    graph_plan(validator->graph, (struct capacity){{tokens, tokens}, SENTENCES, longest});
    return validator;
}

static const struct beam_options greedy = {.beam = 1, .length_penalty = 0, .extra = 50};

size_t validator_bytes(const struct validator *validator)
{
    size_t bytes = validator->graph->memory_bytes + validator->graph->fixed_bytes;
    if (validator->sentences)
        bytes += translate_bytes(validator->model, &validator->corpus->split[SPLIT_DEV], &greedy);
    return bytes;
}

void validator_close(struct validator *validator)
{
    graph_release(validator->graph);
    arena_free(&validator->arena);
}

/* The first sentences of dev, greedily, against their references. */
static double greedy_bleu(const struct validator *validator)
{
    const struct corpus *corpus = validator->corpus;
    struct arena arena = {0};
    struct split split = corpus->split[SPLIT_DEV];
    split.sentences = validator->sentences;
    const char **text = ARENA_ARRAY(&arena, const char *, split.sentences + 1);
    translate_with(validator->model, corpus, &split, &greedy, text, &arena, NULL);
    int lines;
    const char *const *reference = corpus_references(&arena, corpus, SPLIT_DEV, &lines);
    const struct bleu_options options = bleu_options_named(corpus_bleu_tokenizer(corpus));
    const double score =
        bleu_corpus(&options, text, &reference, 1, split.sentences, NULL).score;
    arena_free(&arena);
    return score;
}

struct validation validator_run(struct validator *validator)
{
    const struct split *split = &validator->corpus->split[SPLIT_DEV];
    double loss = 0, smoothed = 0;
    int64_t tokens = 0;
    if (!validator->graph->memory) graph_place(validator->graph);
    const struct step step = {.normalizer = 1};
    graph_set_step(validator->graph, &step);
    for (int b = 0; b < validator->epoch.batches; b++) {
        struct arena arena = {0};
        const int begin = validator->epoch.begin[b], end = validator->epoch.begin[b + 1];
        const struct batch batch =
            batch_pack(&arena, split, validator->epoch.sentence + begin, end - begin);
        graph_load(validator->graph, &batch);
        graph_forward(validator->graph);
        const struct loss_sum sum = graph_losses(validator->graph);
        loss += sum.likelihood;
        smoothed += sum.loss;
        tokens += batch.field[FIELD_TARGET].T;
        arena_free(&arena);
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
