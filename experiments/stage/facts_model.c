/* Computes facts of models. The memory of a training is planned but not allocated. This is done
 * once for all stages with the same relevant options. */
#include "experiments/stage/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/crew.h"
#include "core/model/device_choice.h"
#include "experiments/stage/environment.h"

/* True if a batch can hold the longest sentence. If it cannot, the training later refuses the
 * sentence with a message. */
static bool fits(const struct train_options *train, const struct split *split)
{
    return split->longest[SIDE_SOURCE] <= train->batch_tokens &&
           split->longest[SIDE_TARGET] <= train->batch_tokens;
}

/* Returns the estimated number of steps while the vocabulary does not exist. It is epochs x tokens
 * of an epoch / tokens of a batch, and at most train.steps. `longer` is the number of tokens of the
 * longer side. */
static int64_t guess_steps(const struct train_options *train, double longer)
{
    int64_t tokens = (int64_t)longer;
    int64_t steps = train->epochs * (tokens / train->batch_tokens + (tokens > 0));
    return train->steps && (!steps || train->steps < steps) ? train->steps : steps;
}

/* Computes the memory from the corpus or its estimated lengths. Computes the steps only from the
 * corpus. */
static void plan_training(const struct settings *settings, uint32_t seed,
                          const struct corpus_facts *facts, struct model_facts *known)
{
    const struct corpus *corpus = facts->corpus ? facts->corpus : facts->like;
    if (!corpus || !fits(&settings->train, &corpus->split[SPLIT_TRAIN])) return;
    SCOPED(arena_free) struct arena arena = {0};
    const char *device = device_used();
    const struct translating translating =
        settings_translating(settings,
                             device_planner(device, (enum precision)settings->train.precision,
                                            environment_memory(device_word())),
                             corpus, seed);
    struct learner *learner = translating_open(&arena, &translating);
    if (facts->corpus && !learner->fault) known->steps = train_steps(learner);
    size_t placed;
    known->memory = (double)train_memory(learner, &placed);
    if (strcmp(device, DEVICE_CPU) != 0)
        known->device = (double)(placed + device_library(device, true));
    if (!strcmp(device, "cuda")) known->memory -= (double)placed; /* emu uses host memory */
    translating_close(learner);
}

static struct model_facts count(const struct settings *settings, uint32_t seed,
                                const struct corpus_facts *facts)
{
    const struct translator_options *model = &settings->translator;
    const struct train_options *train = &settings->train;
    const int64_t source = facts->vocabulary[SIDE_SOURCE], target = facts->vocabulary[SIDE_TARGET];
    struct model_facts known = {.body = translator_count_body(model),
                                .parameters = translator_count(model, source, target),
                                .row = facts->corpus || facts->counted ? 0 : model->model.width};
    if (facts->corpus && !fits(train, &facts->corpus->split[SPLIT_TRAIN])) return known;
    double tokens[SIDES], longer = 0;
    for (int side = 0; side < SIDES; side++) {
        tokens[side] = (double)facts->tokens[SPLIT_TRAIN][side];
        longer = fmax(longer, tokens[side]);
    }
    known.steps = guess_steps(train, longer);
    plan_training(settings, seed, facts, &known);
    /* In each batch, one side has nearly batch_tokens tokens. So the number of epochs can be
     * estimated from the steps. */
    double epochs = longer > 0 ? (double)known.steps * train->batch_tokens / longer : 0;
    if (train->epochs && epochs > train->epochs) epochs = train->epochs;
    known.cost = translator_train_cost(model, target, epochs * tokens[SIDE_SOURCE],
                                       epochs * tokens[SIDE_TARGET]);
    return known;
}

/* Computes the memory of a frozen model, including its converted or packed weights, and of its beam
 * searches. */
static struct search_facts count_search(const struct settings *settings,
                                        const struct corpus_facts *facts, enum precision precision,
                                        const struct beam_options *beam, enum split_name split)
{
    struct search_facts known = {0};
    const struct corpus *corpus = facts->corpus ? facts->corpus : facts->like;
    if (!corpus || !corpus->split[split].sentences) return known;
    SCOPED(arena_free) struct arena arena = {0};
    const char *device = device_used();
    const struct ops *ops = device_planner(device, precision, environment_memory(device_word()));
    struct model *model = translator_of(&arena, ops, &settings->translator, corpus, 0);
    const bool host = !strcmp(device, DEVICE_CPU); /* a worker normally has one thread */
    const size_t searches =
        crew_bytes(model, beam, &corpus->split[split], host ? CREW_OF_ONE : CREW);
    const size_t weights = parameters_bytes(&model->parameters, false);
    const size_t operands =
        ops->act_bytes == sizeof(real) && !ops->panel ? 0 : weights / sizeof(real) * ops->act_bytes;
    const double placed = (double)(weights + operands + searches);
    known.memory = PROGRAM_BYTES + placed;
    if (!host) known.device = placed + (double)device_library(device, false);
    if (!strcmp(device, "cuda")) known.memory -= placed;
    return known;
}

/* The facts of the models that are trained on one corpus, in a list. Only one of the two members
 * `model` and `search` is filled. */
struct model_count {
    const char *key;
    struct model_count *next;
    struct model_facts model;
    struct search_facts search;
};

/* Returns the entry of a key. If there is none, adds an empty entry and sets *fresh to true. */
static struct model_count *known_of(struct stage *corpus, const char *key, struct arena *arena,
                                    bool *fresh)
{
    struct model_count *known = corpus->models;
    while (known && strcmp(known->key, key) != 0) known = known->next;
    *fresh = !known;
    if (known) return known;
    known = ARENA_NEW(arena, struct model_count);
    *known = (struct model_count){.key = arena_text(arena, key), .next = corpus->models};
    return corpus->models = known;
}

/* Returns the options on which count() depends, as a text, which the caller must free. These
 * dropout rates change neither the memory nor the counted operations. So thousands of rows that
 * differ only in them share one entry. */
static char *key_of(const struct settings *settings, const struct corpus_facts *facts)
{
    const struct train_options *train = &settings->train;
    struct settings shape = *settings;
    struct model_options *model = &shape.translator.model;
    model->dropout = model->attention_dropout = model->relu_dropout = 0;
    char *text;
    size_t length;
    FILE *out = heap_stream(&text, &length);
    settings_canonical(&shape, SETTINGS_MODEL, NULL, out);
    fprintf(out, "%d %d %d %d %d %d %d", train->epochs, train->steps, train->batch_tokens,
            train->accumulate, train->validate_sentences, train->precision, facts->corpus != NULL);
    fclose(out);
    return text;
}

struct model_facts model_facts(const struct settings *settings, uint32_t seed, struct stage *corpus,
                               struct arena *arena)
{
    const struct corpus_facts *facts = corpus_facts(corpus, arena);
    SCOPED(heap_free) char *key = key_of(settings, facts);
    bool fresh;
    struct model_count *known = known_of(corpus, key, arena, &fresh);
    if (fresh) known->model = count(settings, seed, facts);
    return known->model;
}

struct search_facts search_facts(const struct settings *settings, struct stage *corpus,
                                 enum precision precision, const struct beam_options *beam,
                                 enum split_name split, struct arena *arena)
{
    const struct corpus_facts *facts = corpus_facts(corpus, arena);
    SCOPED(heap_free) char *model = key_of(settings, facts);
    SCOPED(heap_free)
    char *key =
        heap_print("%s search %d %d %d %d", model, precision, beam->beam, beam->extra, split);
    bool fresh;
    struct model_count *known = known_of(corpus, key, arena, &fresh);
    if (fresh) known->search = count_search(settings, facts, precision, beam, split);
    return known->search;
}

struct estimate facts_forward(const struct stage *stage, double source, double target,
                              struct arena *arena)
{
    const struct corpus_facts *corpus = corpus_facts(stage->input[0], arena);
    const struct translator_cost step = translator_train_cost(
        &stage->settings->translator, corpus->vocabulary[SIDE_TARGET], source, target);
    /* A training step costs as much as three forward passes. */
    return (struct estimate){.flops = step.flops / 3, .work = step.work / 3};
}

/* Guesses the cost of a stage that is short compared with a training. Besides the training, the
 * stage may hold its inputs twice in memory, such as vectors and their standardized copy. */
static struct estimate guess(const struct stage *stage, struct arena *arena)
{
    const double passes = stage->kind->passes;
    const struct stage *train = stage_trained(stage);
    const bool translates = train && !strcmp(train->kind->name, "train"); /* has a corpus */
    if (!passes || !translates) return (struct estimate){.seconds = 0.1, .disk = 1e6};
    const int64_t *tokens = corpus_facts(train->input[0], arena)->tokens[SPLIT_DEV];
    struct estimate all = facts_forward(train, passes * (double)tokens[SIDE_SOURCE],
                                        passes * (double)tokens[SIDE_TARGET], arena);
    all.disk = 1e6;
    for (int i = 0; i < stage->inputs; i++)
        if (stage->input[i] != train) all.memory += 2 * stage_estimate(stage->input[i], arena).disk;
    return all;
}

struct estimate stage_estimate(struct stage *stage, struct arena *arena)
{
    return stage->kind->estimate ? stage->kind->estimate(stage, arena) : guess(stage, arena);
}
