/* Makes the learner of a pair classifier. Every epoch has a different random order of the training
 * pairs. The held-out pairs depend only on the data and the options, not on the seed. */
#include "core/train/relating.h"

#include "core/base/random.h"
#include "core/model/classify.h"

struct relating_context {
    struct relating relating;
    struct learner learner;
    struct relating_subsets parts;
    struct classify *classify;
    struct arena arena; /* memory of `order` */
    int32_t *order;     /* [parts.train.count] */
    int ordered;        /* epoch of `order`; -1: none yet */
};

/* ---- selection of pairs ---- */

static void part_add(struct arena *arena, struct relating_subset *part, int pair)
{
    ARENA_ADD(arena, part->pair, part->count, pair);
}

/* Adds pairs to `train` or `dev`, by their split. If `trained` is true, adds the pairs with a group
 * in [first, last], else all other pairs. */
static void part_pairs(struct arena *arena, const struct labeled *data, bool trained, int first,
                       int last, struct relating_subset *train, struct relating_subset *dev)
{
    for (int p = 0; p < data->pairs; p++) {
        const struct labeled_pair *pair = &data->pair[p];
        if ((pair->group >= first && pair->group <= last) != trained) continue;
        if (pair->split == SPLIT_TRAIN) part_add(arena, train, p);
        if (pair->split == SPLIT_DEV) part_add(arena, dev, p);
    }
}

static void hold_out(struct arena *arena, struct relating_subset *from, struct relating_subset *to,
                     int every)
{
    int kept = 0;
    for (int i = 0; i < from->count; i++)
        if ((i + 1) % every)
            from->pair[kept++] = from->pair[i];
        else
            part_add(arena, to, from->pair[i]);
    from->count = kept;
}

struct relating_subsets relating_subsets(struct arena *arena, const struct labeled *data,
                                         int first_group, int last_group, int dev_every)
{
    struct relating_subsets parts = {0};
    struct relating_subset unused = {0};
    part_pairs(arena, data, true, first_group, last_group, &parts.train, &parts.dev);
    part_pairs(arena, data, false, first_group, last_group, &unused, &parts.other);
    if (!parts.dev.count) hold_out(arena, &parts.train, &parts.dev, dev_every);
    if (!parts.other.count) hold_out(arena, &unused, &parts.other, dev_every);
    return parts;
}

/* ---- steps ---- */

static int epoch_steps(void *context, int epoch)
{
    struct relating_context *c = context;
    const int count = c->parts.train.count, batch = c->relating.train->batch_pairs;
    if (c->ordered != epoch) {
        arena_free(&c->arena);
        c->order = ARENA_ARRAY(&c->arena, int32_t, count);
        random_permute((struct random_key){c->relating.seed, random_stream("relating.epoch")},
                       (uint32_t)epoch, c->order, count);
        c->ordered = epoch;
    }
    return (count + batch - 1) / batch;
}

static struct learner_step step(void *context, int epoch, int number, struct arena *arena)
{
    struct relating_context *c = context;
    const struct train_options *train = c->relating.train;
    CHECK(number < epoch_steps(c, epoch), "epoch %d has no step %d", epoch, number);
    const int begin = number * train->batch_pairs, left = c->parts.train.count - begin;
    const int count = left < train->batch_pairs ? left : train->batch_pairs;
    const int share = (train->batch_pairs + train->accumulate - 1) / train->accumulate;
    struct learner_step step = {.normalizer = count};
    step.micro = ARENA_ARRAY(arena, struct batch, (count + share - 1) / share);
    int32_t *pair = ARENA_ARRAY(arena, int32_t, count);
    for (int i = 0; i < count; i++) pair[i] = c->parts.train.pair[c->order[begin + i]];
    for (int from = 0; from < count; from += share)
        step.micro[step.micros++] = labeled_batch(arena, c->relating.data, pair + from,
                                                  count - from < share ? count - from : share);
    return step;
}

/* Returns the upper bounds of a micro-batch. A micro-batch of n pairs has at most the tokens of the
 * n longest pairs. */
static struct capacity capacity_of(const struct relating_context *c)
{
    const struct relating *what = &c->relating;
    const struct relating_subset *part = &c->parts.train;
    const int longest = what->data->text.longest[SIDE_SOURCE];
    int pairs = (what->train->batch_pairs + what->train->accumulate - 1) / what->train->accumulate;
    if (pairs > part->count) pairs = part->count ? part->count : 1;
    SCOPED(arena_free) struct arena arena = {0};
    /* of_length[n] is the number of pairs with n tokens. */
    int *of_length = ARENA_ARRAY(&arena, int, 2 * longest + 1);
    for (int i = 0; i < part->count; i++) of_length[labeled_tokens(what->data, part->pair[i])]++;
    struct capacity capacity = {.sentences = 2 * pairs, .longest = longest};
    for (int length = 2 * longest, left = pairs; left && length; length--) {
        const int some = of_length[length] < left ? of_length[length] : left;
        capacity.tokens[FIELD_SOURCE] += some * length;
        left -= some;
    }
    return capacity;
}

/* ---- validation ---- */

/* Numbers of pairs and of correct predictions in a group. */
struct relating_tally {
    int pairs, right;
};

static double tally(const struct relating_context *c, const struct relating_subset *part,
                    struct relating_tally *of_group, struct relating_tally *all)
{
    const struct labeled_pair *pair = c->relating.data->pair;
    SCOPED(arena_free) struct arena arena = {0};
    int32_t *class = ARENA_ARRAY(&arena, int32_t, part->count);
    const double nats = classify_pairs(c->classify, part->pair, part->count, class, NULL, NULL);
    for (int i = 0; i < part->count; i++) {
        const struct labeled_pair *one = &pair[part->pair[i]];
        struct relating_tally *group = &of_group[one->group];
        group->pairs++, all->pairs++;
        group->right += class[i] == one->label;
        all->right += class[i] == one->label;
    }
    return nats;
}

static struct validation validate(void *context)
{
    const struct relating_context *c = context;
    const struct labeled *data = c->relating.data;
    int groups = 0;
    SCOPED(arena_free) struct arena arena = {0};
    for (int p = 0; p < data->pairs; p++)
        if (data->pair[p].group >= groups) groups = data->pair[p].group + 1;
    struct relating_tally *of_group = ARENA_ARRAY(&arena, struct relating_tally, groups), dev = {0},
                          other = {0};
    const double loss = tally(c, &c->parts.dev, of_group, &dev) / c->parts.dev.count;
    const double accuracy = 100. * dev.right / dev.pairs;
    struct validation found = {
        .values = 2, .value = {{"dev_loss", loss}, {"dev_accuracy", accuracy}}, .rank = -accuracy};
    if (c->parts.other.count) {
        double sum = 0;
        int count = 0;
        tally(c, &c->parts.other, of_group, &other);
        for (int g = c->relating.judged; g < groups; g++)
            if (of_group[g].pairs) sum += 100. * of_group[g].right / of_group[g].pairs, count++;
        found.value[found.values].name = "dev_all_groups";
        found.value[found.values++].value = count ? sum / count : 0;
        found.others = true;
        found.other = count ? -sum / count : 0;
    }
    return found;
}

/* ---- the learner ---- */

static size_t bytes(void *context, size_t *placed)
{
    const struct relating_context *c = context;
    const struct split *text = &c->relating.data->text;
    *placed = classify_bytes(c->classify);
    return (size_t)text->side[SIDE_SOURCE].start[text->sentences] * sizeof(int32_t) +
           (size_t)text->sentences * sizeof(int64_t) +
           (size_t)c->relating.data->pairs * (sizeof(struct labeled_pair) + 2 * sizeof(int32_t)) +
           *placed;
}

static const char *fault_of(struct arena *arena, const struct relating_context *c)
{
    const struct relating *relating = &c->relating;
    const bool trains = c->parts.train.count;
    if (trains && c->parts.dev.count) return NULL;
    return arena_print(arena, "no %s pairs in bins %d to %d", trains ? "held-out" : "training",
                       relating->first_group, relating->last_group);
}

struct learner *relating_open(struct arena *arena, const struct relating *relating)
{
    struct relating_context *c = ARENA_NEW(arena, struct relating_context);
    *c = (struct relating_context){.relating = *relating, .ordered = -1};
    c->parts = relating_subsets(arena, relating->data, relating->first_group, relating->last_group,
                                relating->dev_every);
    c->learner = (struct learner){
        .model = pair_classifier_new(arena, relating->ops, relating->model),
        .train = relating->train,
        .micros = relating->train->accumulate,
        .seed = relating->seed,
        .unit = "pairs",
        .fault = fault_of(arena, c),
        .context = c,
        .epoch_steps = epoch_steps,
        .step = step,
        .validate = validate,
        .bytes = bytes,
    };
    c->learner.list = model_list(c->learner.model, arena, GRAPH_TRAIN);
    graph_plan(c->learner.list, capacity_of(c));
    c->classify = classify_open(arena, c->learner.model, relating->data);
    return &c->learner;
}

void relating_close(struct learner *learner)
{
    struct relating_context *c = learner->context;
    classify_close(c->classify);
    graph_release(learner->list);
    model_release(learner->model);
    arena_free(&c->arena);
}
