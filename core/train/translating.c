/* Makes the learner of a translator. Cuts the steps of an epoch's plan (epoch_plan) into
 * micro-batches. Caches the plan of one epoch, because every step of the epoch needs the plan. */
#include "core/train/train.h"
#include "core/train/translating.h"

#include "core/model/translator.h"
#include "core/train/validate.h"

struct context {
    struct translating translating;
    struct learner learner;
    struct train_options train; /* `accumulate` is the actual number of micro-batches */
    struct validator *validator;
    struct arena arena; /* memory of the plan */
    struct epoch plan;
    int planned; /* epoch of the plan; -1: none yet */
};

/* Returns the share of a micro-batch: it ends when one side has this number of tokens. */
static int share_of(const struct train_options *options)
{
    return (options->batch_tokens + options->accumulate - 1) / options->accumulate;
}

/* Returns the upper bounds of a micro-batch. The last sentence may begin just before the share is
 * reached, so the bound is the share plus the longest sentence. If accumulate is 1, the micro-batch
 * is the whole step, which has at most batch_tokens tokens per side. */
static struct capacity capacity_of(const struct train_options *options, const struct split *split)
{
    struct capacity capacity = {.sentences = options->batch_tokens};
    for (int side = 0; side < SIDES; side++) {
        capacity.tokens[side] =
            share_of(options) + (options->accumulate > 1 ? split->longest[side] : 0);
        if (split->longest[side] > capacity.longest) capacity.longest = split->longest[side];
    }
    if (capacity.sentences > split->sentences) capacity.sentences = split->sentences;
    return capacity;
}

static int epoch_steps(void *context, int epoch)
{
    struct context *c = context;
    const struct translating *what = &c->translating;
    if (c->planned != epoch) {
        arena_free(&c->arena);
        c->plan = epoch_plan(&c->arena, &what->corpus->split[SPLIT_TRAIN],
                             what->train->batch_tokens, what->seed, (uint32_t)epoch);
        c->planned = epoch;
    }
    return c->plan.batches;
}

/* Cuts a step into micro-batches. A micro-batch ends when one side has reached its share of the
 * tokens. So no side exceeds its share by more than one sentence (capacity_of). */
static struct learner_step step(void *context, int epoch, int number, struct arena *arena)
{
    struct context *c = context;
    const struct train_options *train = &c->train;
    const struct split *split = &c->translating.corpus->split[SPLIT_TRAIN];
    CHECK(number < epoch_steps(c, epoch), "epoch %d has no step %d", epoch, number);
    const int begin = c->plan.begin[number], count = c->plan.begin[number + 1] - begin;
    const int32_t *sentence = c->plan.sentence + begin;
    struct learner_step step = {.micros = 0};
    step.micro = ARENA_ARRAY(arena, struct batch, 2 * train->accumulate + 1);
    int64_t tokens[SIDES] = {0};
    int from = 0;
    for (int i = 0; i < count; i++) {
        bool full = i + 1 == count;
        for (int side = 0; side < SIDES; side++) {
            const int64_t *start = split->side[side].start;
            tokens[side] += start[sentence[i] + 1] - start[sentence[i]];
            full |= train->accumulate > 1 && tokens[side] >= share_of(train);
        }
        if (!full) continue;
        step.micro[step.micros++] = batch_pack(arena, split, sentence + from, i + 1 - from);
        step.normalizer += tokens[SIDE_TARGET];
        from = i + 1;
        tokens[SIDE_SOURCE] = tokens[SIDE_TARGET] = 0;
    }
    return step;
}

static struct validation validate(void *context)
{
    struct context *c = context;
    return validator_run(c->validator);
}

/* Returns the bytes of token ids and sentence starts of every split, and of the plan of an
 * epoch. */
static size_t corpus_bytes(const struct corpus *corpus)
{
    size_t bytes = 0;
    for (int s = 0; s < SPLITS; s++) {
        const struct split *split = &corpus->split[s];
        for (int side = 0; side < SIDES && split->side[side].start; side++)
            bytes += (size_t)split->side[side].start[split->sentences] * sizeof(int32_t) +
                     (size_t)split->sentences * (sizeof(int64_t) + sizeof(int32_t));
    }
    return bytes;
}

static size_t bytes(void *context, size_t *placed)
{
    struct context *c = context;
    *placed = validator_bytes(c->validator);
    return corpus_bytes(c->translating.corpus) + *placed;
}

static struct graph *list_for(struct context *c, int micros, struct arena *arena)
{
    struct graph *list = model_list(c->learner.model, arena, GRAPH_TRAIN);
    c->train.accumulate = micros;
    graph_plan(list, capacity_of(&c->train, &c->translating.corpus->split[SPLIT_TRAIN]));
    return list;
}

/* Fraction of device memory for the model and the training list. The rest is for validation, which
 * needs little memory in comparison, and for the library of products. */
static const double LIST_SHARE = 0.8;

static bool fits(struct context *c, int micros, size_t memory)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct graph *list = list_for(c, micros, &arena);
    const double bytes = (double)train_placed(c->learner.model, list);
    return bytes <= LIST_SHARE * (double)memory;
}

/* Returns the smallest number of micro-batches per step that fit into device memory, at most
 * train.accumulate. */
static int fewest_micros(struct context *c)
{
    const struct ops *ops = c->translating.ops;
    const int most = c->translating.train->accumulate;
    if (c->translating.micros) return c->translating.micros;
    if (!ops->memory) return most;
    int few = 0, enough = most; /* `few` micro-batches do not fit; `enough` are assumed to fit */
    while (enough - few > 1) {
        const int middle = (few + enough) / 2;
        if (fits(c, middle, ops->memory()))
            enough = middle;
        else
            few = middle;
    }
    return enough;
}

static const char *fault_of(const struct translating *what, struct arena *arena)
{
    const struct corpus *corpus = what->corpus;
    if (!corpus->split[SPLIT_TRAIN].sentences)
        return arena_print(arena, "%s: no training sentences", corpus->folder);
    if (!corpus->split[SPLIT_DEV].sentences)
        return arena_print(arena, "%s: no dev sentences", corpus->folder);
    if (what->train->select == SELECT_BLEU && !what->train->validate_sentences)
        return "train.select: bleu needs train.validate_sentences above 0";
    return NULL;
}

struct learner *translating_open(struct arena *arena, const struct translating *translating)
{
    if (translating->model->model.share == SHARE_ALL && !translating->corpus->joint)
        die("model.share: all needs a joint vocabulary; set corpus.joint: true");
    struct context *c = ARENA_NEW(arena, struct context);
    *c = (struct context){.translating = *translating, .train = *translating->train, .planned = -1};
    c->learner = (struct learner){
        .model = translator_of(arena, translating->ops, translating->model, translating->corpus,
                               translating->train->label_smoothing),
        .train = translating->train,
        .seed = translating->seed,
        .unit = "target_tokens",
        .fault = fault_of(translating, arena),
        .context = c,
        .epoch_steps = epoch_steps,
        .step = step,
        .validate = validate,
        .bytes = bytes,
    };
    c->learner.micros = fewest_micros(c);
    c->learner.list = list_for(c, c->learner.micros, arena);
    c->validator = validator_open(arena, c->learner.model, translating->corpus, translating->train);
    return &c->learner;
}

struct learner *translating_open_micro(struct arena *arena, const struct translating *translating)
{
    struct train_options *train = ARENA_NEW(arena, struct train_options);
    struct translating cut = *translating;
    *train = *translating->train;
    train->batch_tokens /= train->accumulate;
    train->accumulate = 1;
    cut.train = train;
    struct learner *learner = translating_open(arena, &cut);
    model_place(learner->model, true, translating->seed);
    graph_place(learner->list);
    return learner;
}

void translating_close(struct learner *learner)
{
    struct context *c = learner->context;
    validator_close(c->validator);
    graph_release(learner->list);
    model_release(learner->model);
    arena_free(&c->arena);
}

double translating_work(const struct translating *translating, const int64_t tokens[SIDES])
{
    return translator_train_cost(translating->model,
                                 translating->corpus->vocabulary[SIDE_TARGET].size,
                                 (double)tokens[SIDE_SOURCE], (double)tokens[SIDE_TARGET])
        .work;
}
