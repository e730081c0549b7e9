/* The stage `relate` trains a classifier of pairs of statements with one seed
 * (core/train/relating.h). */
/* sources: ..core/train experiments/stage/stage_frozen.* */
/* rank: 62 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/data_set.h"
#include "core/model/checkpoint.h"
#include "experiments/stage/continue.h"
#include "experiments/stage/stage_frozen.h"
#include "experiments/stage/stage_train.h"
#include "logic/generate.h"
#include "results/store/offer.h"

/* ---- identity ---- */

/* Returns the prefix of the lines of test files in the text of a stage `formulas`. A training does
 * not depend on these files, unless the pairs of all files are split anew (split: tran). */
static const char *const *input_left(const struct stage *formulas)
{
    static const char *const test[] = {"file: test", NULL};
    return logic_section_at(formulas->settings)->split == LOGIC_TRAN ? NULL : test;
}

/* ---- before anything runs ---- */

/* Dies if a recurrent layer runs backward or both ways. In the backward direction, the output at
 * the last token has read only this token of the statement. */
static void check_directions(const struct tree *options, const struct encoder_options *encoder)
{
    const struct tree *stack = tree_find(options, "encoder.stack");
    for (int l = 1; l <= encoder->layers; l++) {
        const struct layer_group *group = layers_group(&encoder->stack, l);
        if (group->kind == LAYER_SAN || group->direction == LAYER_FORWARD) continue;
        die_at(group->location.file ? group->location
               : stack              ? stack->location
                                    : options->location,
               "encoder.stack: layer %d runs %s; expected direction: forward in the task logic, so "
               "that the last row has read the whole statement",
               l, group->direction == LAYER_BOTH ? "both ways" : "backward");
    }
}

static void check(struct kind_check *check)
{
    const struct grid_resolved *resolved = check->resolved;
    stage_train_check(check);
    check_directions(resolved->options, &resolved->settings->translator.encoder);
    if (resolved->settings->train.select == SELECT_BLEU)
        die_at(tree_location(resolved->options, "train.select"),
               "train.select: bleu is for translations; the task logic selects by dev_accuracy");
}

/* ---- what it costs ---- */

/* Numbers of training pairs and of their tokens. They are exact if the stage `formulas` is done,
 * else estimated. */
struct relate_text {
    const struct labeled *data; /* the pairs; NULL: the stage `formulas` is not done */
    double pairs, tokens;
};

/* Estimates from the published pairs: the share of generated pairs that are training pairs, tokens
 * per pair, and bytes per token. */
static const double accepted_trained = 0.27, tokens_each = 29, bytes_token = 2.2;

static struct relate_text guess_text(const struct stage *formulas)
{
    const struct logic_section *logic = logic_section_at(formulas->settings);
    struct relate_text text = {.tokens = tokens_each * accepted_trained * logic->pairs};
    bool dev = logic->split == LOGIC_TRAN; /* if false, dev is held out of train */
    for (int bin = logic->bins.first; bin <= logic->bins.last && !logic->pairs; bin++) {
        char *path = heap_print("%s/%s%d", logic->data, logic_split_names[LOGIC_TRAIN], bin);
        text.tokens += data_set_bytes(path) / bytes_token;
        free(path);
    }
    for (int i = 0; i < formulas->files; i++)
        dev |= !strncmp(formulas->file[i].name, logic_split_names[LOGIC_VALID],
                        strlen(logic_split_names[LOGIC_VALID]));
    if (!dev) text.tokens *= 1 - 1. / logic->dev;
    text.pairs = text.tokens / tokens_each;
    return text;
}

static struct relate_text text_of(const struct stage *formulas, struct arena *arena)
{
    const struct logic_section *logic = logic_section_at(formulas->settings);
    if (stage_done_at(formulas) < 0 || !stage_has_opened(formulas)) return guess_text(formulas);
    struct labeled *data = ARENA_NEW(arena, struct labeled);
    *data = labeled_read(arena, arena_print(arena, "%s/" LOGIC_FILE, formulas->folder));
    struct relate_text text = {.data = data};
    const struct relating_subsets parts =
        relating_subsets(arena, data, logic->bins.first, logic->bins.last, logic->dev);
    text.pairs = parts.train.count;
    for (int i = 0; i < parts.train.count; i++)
        text.tokens += labeled_tokens(data, parts.train.pair[i]);
    return text;
}

static double memory_of(const struct stage *stage, const struct pair_options *model,
                        const struct labeled *data)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct relating relating =
        relate_learner(stage->settings, device_ops(DEVICE_CPU), data, model, stage->seed);
    struct learner *learner = relating_open(&arena, &relating);
    size_t placed;
    const double memory = (double)train_memory(learner, &placed);
    relating_close(learner);
    return memory;
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct train_options *train = &stage->settings->train;
    const struct pair_options model = logic_model(stage->settings);
    const struct relate_text text = text_of(stage->input[0], arena);
    const int64_t parameters = pair_classifier_new(arena, NULL, &model)->parameters.total;
    const int64_t epoch = (int64_t)ceil(text.pairs / train->batch_pairs);
    int64_t steps = train->epochs * epoch;
    if (train->steps && (!train->epochs || train->steps < steps)) steps = train->steps;
    const double share = epoch ? (double)steps / (double)epoch : 0;
    const struct pair_cost cost =
        pair_classifier_train_cost(&model, share * text.pairs, share * text.tokens);
    return (struct estimate){.body = parameters - (int64_t)model.words * model.model->width,
                             .parameters = parameters,
                             .steps = steps,
                             .flops = cost.flops,
                             .work = cost.work,
                             .memory = text.data ? memory_of(stage, &model, text.data) : 0,
                             .disk = stage_train_disk(train, parameters)};
}

/* ---- the work ---- */

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    struct arena *arena = &work->arena;
    const struct pair_options model = logic_model(stage->settings);
    const struct labeled data =
        labeled_read(arena, arena_print(arena, "%s/" LOGIC_FILE, stage->input[0]->folder));
    const struct relating relating =
        relate_learner(stage->settings, work->ops, &data, &model, stage->seed);
    struct learner *learner = relating_open(arena, &relating);
    const struct metadata description = relate_description(stage, arena);
    continue_take(work, &description);
    const enum work_end end = stage_train(work, learner, &description);
    relating_close(learner);
    return end;
}

const struct offer offer_relate = {
    .kind = "relate",
    VALUES(VALUE("parameters", "Parameters", NULL, .form = COLUMN_EXACT),
           VALUE("steps", "Steps", NULL, .form = COLUMN_EXACT),
           VALUE("epochs", "Epochs", NULL, .form = COLUMN_SHORT),
           VALUE("dev_loss", "Dev loss",
                 "nats per held-out pair of the trained bins, at the last validation",
                 .decimals = 4, .counted = "pairs"),
           VALUE("dev_accuracy", "Dev",
                 "accuracy on held-out pairs of the trained bins, at the last validation",
                 .decimals = 2, .best = COLUMN_MOST),
           VALUE("dev_all_groups", "Dev, all bins",
                 "mean accuracy over the held-out pairs of bins 1 to 12, by which Tran et al. "
                 "choose, at "
                 "the last validation",
                 .decimals = 2, .best = COLUMN_MOST)),
    .numbers = "",
    .telling = "dev_accuracy dev_loss loss",
};

const struct stage_kind kind_relate = {
    .name = "relate",
    .task = "logic",
    .evaluation = &evaluation_logic,
    .traits = SETTINGS_MODEL | SETTINGS_TRAIN | KIND_COMPUTES | KIND_SEEDED | KIND_RESUMES,
    .ignores =
        (const char *const[]){
            "decoder.", "model.share=", "train.batch_tokens=", "train.label_smoothing=",
            "train.select=", "train.validate_sentences=", "logic.data=", "logic.split=",
            "logic.pairs=", "logic.variables=", "logic.depth=", "logic.seed=", "logic.disjoint=",
            "logic.names=", "logic.checkpoint=", NULL},
    .inputs = (const char *const[]){"formulas", NULL},
    .input_left = input_left,
    .estimate = estimate,
    .run = run,
    .check = check,
    .opened = "ckpt",
};
