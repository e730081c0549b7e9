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

/* Estimates from the published pairs: the share of generated pairs that are training pairs, the
 * number of training pairs in files, and tokens per pair. */
static const double accepted_trained = 0.27, pairs_of_files = 135000, tokens_each = 29;

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct train_options *train = &stage->settings->train;
    const struct pair_options model = logic_model(stage->settings);
    const int made = logic_section_at(stage->settings)->pairs;
    const double pairs = made ? accepted_trained * made : pairs_of_files;
    const int64_t parameters = pair_classifier_new(arena, NULL, &model)->parameters.total;
    const int64_t epoch = (int64_t)ceil(pairs / train->batch_pairs);
    int64_t steps = train->epochs * epoch;
    if (train->steps && (!train->epochs || train->steps < steps)) steps = train->steps;
    const double share = epoch ? (double)steps / (double)epoch : 0;
    const struct pair_cost cost =
        pair_classifier_train_cost(&model, share * pairs, share * pairs * tokens_each);
    return (struct estimate){.body = parameters - (int64_t)model.words * model.model->width,
                             .parameters = parameters,
                             .steps = steps,
                             .flops = cost.flops,
                             .work = cost.work,
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
